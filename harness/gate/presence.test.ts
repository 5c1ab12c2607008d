import { expect, it } from 'vitest'
import { looksLikeEnvelope } from './presence.ts'

it('knows an envelope by the names of its members, which JSON may escape', () => {
  expect(looksLikeEnvelope('{"traceId":"a"')).toBe(true)
  expect(looksLikeEnvelope(String.raw`{"\u0074raceId":"a"}`)).toBe(true)
  expect(looksLikeEnvelope('{"error":"no traceId"}')).toBe(false)
})
