import { expect, test } from 'vitest'
import { resentOutcome, spendEventsOf } from './purchases.ts'

type Attempt = Parameters<typeof spendEventsOf>[0]['attempts'][number]

/** One attempt each 100 ms, which takes 50 ms. */
function attemptsOf(statuses: readonly number[]): readonly Attempt[] {
  return statuses.map((status, index) => ({
    status,
    ...(status === 409 && { code: 13 }),
    sentMs: 100 * index,
    receivedMs: 100 * index + 50,
  }))
}

test.each<[string, number[], string[], 'decided' | 'refused otherwise' | 'open']>([
  ['what is bought is charged', [200], ['ok 0 to 50'], 'decided'],
  ['a lost attempt may have been charged first', [0, 200], ['ok 0 to 150'], 'decided'],
  [
    'contention that ended in an order charges nothing before',
    [429, 200],
    ['ok 100 to 150'],
    'decided',
  ],
  [
    'contention that ended in a refusal by the cap charges nothing',
    [429, 409],
    ['refused 100 to 150'],
    'decided',
  ],
  ['contention that ended in another refusal charges nothing', [429, 422], [], 'refused otherwise'],
  ['contention to the end may have been charged', [429, 429], ['unknown 0 to 150'], 'open'],
  ['no answer at all may have been charged', [503], ['unknown 0 to 50'], 'open'],
])('%s', (_, statuses, events, outcome) => {
  const attempts = attemptsOf(statuses)
  const attempted = { attempts, made: attempts.filter(({ status }) => status === 200) }
  const seen = spendEventsOf(attempted, () => 1n)
  expect(
    seen.map(({ outcome: of, sentMs, receivedMs }) => `${of} ${sentMs} to ${receivedMs}`),
  ).toEqual(events)
  expect(resentOutcome(attempted)).toBe(outcome)
})
