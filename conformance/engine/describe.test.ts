import { expect, test } from 'vitest'
import type { Exchange } from '../../harness/client/exchange.ts'
import { clip, showAnswer } from './describe.ts'

test('a short text stays whole', () => {
  expect(clip('{"pin":"AB12"}', 14)).toBe('{"pin":"AB12"}')
})

test('a JSON text is cut before a value, so that no half of a code is left', () => {
  expect(clip('{"orderId":"o-1","pin":"AB12-CD34-EF56","more":true}', 30)).toBe(
    '{"orderId":"o-1",… and 35 more characters',
  )
})

test('a text without any boundary is cut where it is full', () => {
  expect(clip('abcdefghij', 4)).toBe('abcd… and 6 more characters')
})

test('the refused field comes before what is cut of the body', () => {
  const json = { statusMessage: 'x'.repeat(400), errors: [{ field: 'itemId', code: 'MISSING' }, 7] }
  const response = { status: 422, headers: [], body: JSON.stringify(json), truncated: false }
  const shown = showAnswer({ response, json } as unknown as Exchange)
  expect(shown).toMatch(/^HTTP 422 \(refused: itemId MISSING\) \{/)
  expect(shown).toContain('more characters')
})

test('a flaw that stands in place of the body is said once', () => {
  const flaw = 'the body is 3 bytes that do not decode as gzip'
  const response = { status: 200, headers: [], body: `(${flaw})`, flaw }
  expect(showAnswer({ response } as unknown as Exchange)).toBe(`HTTP 200 (${flaw})`)
})
