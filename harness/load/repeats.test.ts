import { expect, test } from 'vitest'
import type { LoadResult, Verdict } from '../../schemas/generated/run-record.ts'
import { joinRepeats } from './repeats.ts'

function result(verdict: Verdict, p50: number): LoadResult {
  return {
    scenario: 'browse',
    verdict,
    reason: `${p50}`,
    requirements: [],
    findings: [],
    measurements: {
      admittedLatencyMsP50: p50,
      achievedPerSecond: 0,
      durationSeconds: 1.5,
      ordersMade: 2,
      moneySpent: `USD ${p50}.25`,
    },
    windows: [],
    k6: { thresholdsCrossed: [] },
    requests: { planned: 1, sent: 1, admitted: 1, refused: 0, failed: 2 },
  }
}

test('one result stays as it is', () => {
  const only = result('pass', 1)
  expect(joinRepeats([only])).toBe(only)
})

test('of several the worst stands for all, with the figures of each', () => {
  const joined = joinRepeats([result('pass', 1), result('inconclusive', 2), result('fail', 3)])
  expect(joined).toMatchObject({ verdict: 'fail', reason: '3' })
  expect(joined.requests).toEqual({ planned: 3, sent: 3, admitted: 3, refused: 0, failed: 6 })
  expect(joined.measurements).toMatchObject({
    admittedLatencyMsP50: 3,
    durationSeconds: 4.5,
    ordersMade: 6,
    moneySpent: 'USD 6.75',
  })
  expect(joined.repeats).toEqual([
    { verdict: 'pass', figures: { admittedMsP50: 1, unanswered: 2 } },
    { verdict: 'inconclusive', figures: { admittedMsP50: 2, unanswered: 2 } },
    { verdict: 'fail', figures: { admittedMsP50: 3, unanswered: 2 } },
  ])
})

test('latencies from when requests were due come before those of batches', () => {
  const none = { count: 0, msP50: 0, msP95: 0, msP99: 0, msP999: 0, msMax: 0 }
  const admitted = { count: 9, msP50: 4, msP95: 5, msP99: 6, msP999: 7, msMax: 8 }
  const latency = { admitted, refused: none, admittedService: none, refusedService: none }
  const each = { ...result('pass', 1), latency }
  expect(joinRepeats([each, each]).repeats?.[0]?.figures).toEqual({
    admittedMsP50: 4,
    admittedMsP95: 5,
    admittedMsP99: 6,
    unanswered: 2,
  })
})

test('nothing cannot be joined', () => {
  expect(() => joinRepeats([])).toThrow(RangeError)
})
