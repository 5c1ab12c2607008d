/** What the limiter oracle says of single requests: labels, and promises of Retry-After. */
import { expect, test } from 'vitest'
import { judgeLimiter } from './limiter.ts'
import type { LimiterVerdict, QuotaRequest } from './limiter.ts'

function at(sentMs: number, outcome: QuotaRequest['outcome'], retryAfter?: string): QuotaRequest {
  return { sentMs, receivedMs: sentMs + 1, outcome, retryAfter }
}

/** Four admitted at once. */
function admittedBurst(sentMs: number): QuotaRequest[] {
  return [0, 0, 0, 0].map(() => ({ sentMs, receivedMs: sentMs + 2, outcome: 'admitted' }))
}

const limit = { count: 2, windowSeconds: 10 }

function judge(requests: QuotaRequest[]): LimiterVerdict {
  return judgeLimiter({ requests, limit, slackMs: 0, history: 'complete' })
}

test('a request within the budget had to be accepted, one beyond it to be refused', () => {
  const verdict = judge([at(0, 'admitted'), at(5, 'admitted'), at(10, 'refused', '10')])
  expect(verdict.explained).toBe(true)
  expect(verdict.labels.at(-1)).toBe('must-refuse')
  expect(verdict.labels.slice(0, 2)).toEqual(['must-accept', 'must-accept'])
})

test('more admitted at once than the budget is a violation although no single one shows it', () => {
  // One edge can divide one burst, not both, a quarter of a window apart.
  const verdict = judge([...admittedBurst(0), ...admittedBurst(2500)])
  expect(verdict.explained).toBe(false)
  expect(verdict.admittedOverBudget.length).toBeGreaterThanOrEqual(2)
})

test('a refusal after the promised wait, in the same window, is too early', () => {
  const verdict = judge([
    at(0, 'admitted'),
    at(2000, 'admitted'),
    at(3000, 'refused', '2'),
    at(5100, 'refused', '5'),
    at(5200, 'refused', '5'),
    at(10_500, 'admitted'),
  ])
  expect(verdict.explained).toBe(true)
  expect(verdict.retryAfter.tooEarly).toContainEqual({ refused: 2, retried: 3 })
})

test('a refusal after the promised wait is right when the next window was spent meanwhile', () => {
  const verdict = judge([
    at(0, 'admitted'),
    at(1, 'admitted'),
    at(9000, 'refused', '1'),
    at(10_002, 'admitted'),
    at(10_003, 'admitted'),
    at(10_004, 'refused', '10'),
  ])
  expect(verdict.explained).toBe(true)
  expect(verdict.retryAfter).toMatchObject({ retried: 1, tooEarly: [] })
})

test('a wait that is too long is no violation', () => {
  const verdict = judge([
    at(0, 'admitted'),
    at(1, 'admitted'),
    at(9000, 'refused', '60'),
    at(10_002, 'admitted'),
  ])
  expect(verdict).toMatchObject({ explained: true, retryAfter: { tooEarly: [] } })
})

test('a Retry-After of 0 is a promise that a second refusal breaks', () => {
  const verdict = judge([
    at(0, 'admitted'),
    at(1, 'admitted'),
    at(2, 'refused', '0'),
    at(500, 'refused', '0'),
    at(900, 'refused', '0'),
  ])
  expect(verdict.retryAfter.tooEarly).toContainEqual({ refused: 2, retried: 3 })
})

test('questions without an answer are refused', () => {
  expect(() => judgeLimiter({ requests: [], limit, slackMs: 5000, history: 'complete' })).toThrow(
    'under half',
  )
  const backwards = { sentMs: 2, receivedMs: 1, outcome: 'admitted' as const }
  expect(() => judge([backwards])).toThrow('received before it was sent')
})

test('an empty history is explained and decides nothing', () => {
  expect(judge([])).toMatchObject({
    explained: true,
    counts: { mustAccept: 0, mustRefuse: 0, ambiguous: 0 },
  })
})
