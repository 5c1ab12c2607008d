import { expect, test } from 'vitest'
import { type QuotaRequest, isExplained, judgeLimiter, prepareHistory } from './limiter.ts'

const LIMIT = { count: 4, windowSeconds: 2 }
const SLACK_MS = 50

function admitted(count: number, { fromMs = 0, gapMs = 1 } = {}): QuotaRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    sentMs: fromMs + index * gapMs,
    receivedMs: fromMs + index * gapMs + gapMs,
    outcome: 'admitted',
  }))
}

/** Eight at once and one whose answer comes at that moment. */
function nineWithin(spanMs: number): QuotaRequest[] {
  return [...admitted(8), ...admitted(1, { fromMs: spanMs - 1 })]
}

function judge(requests: readonly QuotaRequest[]) {
  const question = { limit: LIMIT, history: 'complete' } as const
  const verdict = judgeLimiter({ requests, slackMs: SLACK_MS, ...question })
  const explained = isExplained(prepareHistory({ requests, slackMs: SLACK_MS }), question)
  expect(explained).toBe(verdict.explained)
  return verdict
}

test('two budgets at once may lie around an edge', () => {
  expect(judge(admitted(8)).explained).toBe(true)
})

test('one request more fits nowhere, however short the burst', () => {
  const verdict = judge(admitted(9))
  expect(verdict.explained).toBe(false)
  expect(verdict.admittedOverBudget).toEqual([8])
})

test('a limiter that refuses nothing is told by its first burst, in whatever order it was recorded', () => {
  const verdict = judge(admitted(27).toReversed())
  expect(verdict.explained).toBe(false)
  expect(verdict.admittedOverBudget.length).toBe(27 - 8)
})

test('spans as long as a window less the slack of both edges touch two windows, longer ones three', () => {
  expect(judge(nineWithin(2000 - 2 * SLACK_MS - 1)).explained).toBe(false)
  expect(judge(nineWithin(2000 + 2 * SLACK_MS + 1)).explained).toBe(true)
})
