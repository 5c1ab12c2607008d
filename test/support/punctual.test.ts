import { expect, test } from 'vitest'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { expectHeld } from './punctual.ts'

const LATE =
  'One session in a hundred began 332 ms late or more, 250 ms are allowed: this machine could not send in time.'

function held(verdict: LoadResult['verdict'], reason: string): () => void {
  return () => expectHeld({ verdict, reason } as LoadResult)
}

test('a scenario holds that passed, or that began late', () => {
  expect(held('pass', '16 clients read all pages.')).not.toThrow()
  expect(held('inconclusive', LATE)).not.toThrow()
})

test.each<[LoadResult['verdict'], string]>([
  ['fail', 'CAT-09: two pages hold the same product'],
  ['inconclusive', '3 sessions lost an answer.'],
  ['inconclusive', 'Only 15 of 16 sessions began.'],
  ['pass', LATE],
])('none does that is %s: %s', (verdict, reason) => {
  expect(held(verdict, reason)).toThrow()
})
