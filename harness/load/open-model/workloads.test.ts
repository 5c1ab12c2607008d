import { describe, expect, test } from 'vitest'
import { sessionsOf } from '../../../load/protocol/arrival-schedule.ts'
import { secondsOf, peakPerSecond } from './plan.ts'
import {
  inSessions,
  peakOf,
  requireAdmitted,
  stagesOf,
  workloadName,
  WORKLOADS,
} from './workloads.ts'

/** By windows of 2 s. */
const ADMITTED = { perSecond: 0.5, atOnce: 1 }

describe('workloads', () => {
  test.each(WORKLOADS)('%s has its peak in parts of what the windows admit', (workload) => {
    const stages = stagesOf({ workload }, { perSecond: 10, atOnce: 20 })
    expect(peakPerSecond(stages)).toBeCloseTo(10 * peakOf(workload), 9)
    // Only stress goes beyond.
    expect(peakOf(workload) > 1).toBe(workload === 'stress')
  })

  test('seconds and a rate that were asked for are kept', () => {
    const stages = stagesOf({ workload: 'spike', seconds: 10, sessionsPerSecond: 24 }, ADMITTED)
    expect(secondsOf(stages)).toBeCloseTo(10, 9)
    expect(peakPerSecond(stages)).toBeCloseTo(24, 9)
  })

  test('a slow schedule is drawn out until it has enough sessions', () => {
    const stages = stagesOf({ workload: 'smoke' }, ADMITTED)
    expect(sessionsOf(stages)).toBe(10)
    expect(sessionsOf(stagesOf({ workload: 'smoke', seconds: 4 }, ADMITTED))).toBe(1)
  })

  test('few sessions come in seconds where one window admits twice as many', () => {
    const slow = { ...ADMITTED, atOnce: 19 }
    expect(secondsOf(stagesOf({ workload: 'smoke' }, slow))).toBe(40)
    const stages = stagesOf({ workload: 'smoke' }, { ...ADMITTED, atOnce: 20 })
    expect(secondsOf(stages)).toBe(3)
    expect(sessionsOf(stages)).toBe(10)
    expect(sessionsOf(stagesOf({ workload: 'smoke', seconds: 4 }, slow))).toBe(1)
  })

  test('more than the windows admit is refused with the accounts that it needs, but for stress', () => {
    const admitted = { perAccount: 5, accounts: 2, requestsEach: 4 }
    const asked = (workload: 'steady' | 'stress', sessionsPerSecond: number) => () =>
      requireAdmitted({ workload, sessionsPerSecond }, admitted)
    expect(asked('steady', 11)).toThrow(
      '--rate asks for 44 requests per second, and the windows of 2 accounts admit 40 (sessions of about 4 requests)',
    )
    expect(asked('stress', 11)).not.toThrow()
    expect(asked('steady', 10)).not.toThrow()
  })
})

test.each([0.1, 4, 500])('smoke stays small where windows admit %f per second', (admitted) => {
  const stages = stagesOf({ workload: 'smoke' }, { perSecond: admitted, atOnce: 2 * admitted })
  expect(peakPerSecond(stages)).toBeLessThanOrEqual(5)
  expect(sessionsOf(stages)).toBeGreaterThanOrEqual(10)
  expect(sessionsOf(stages)).toBeLessThanOrEqual(40)
})

test('stages of requests become stages of sessions, and name the workload', () => {
  const choice = {
    workload: 'smoke',
    stages: {
      file: 'ramp.json',
      stages: [
        { seconds: 30, fromPerSecond: 0, toPerSecond: 20 },
        { seconds: 60, fromPerSecond: 20, toPerSecond: 20 },
      ],
    },
  } as const
  const schedule = inSessions(choice, 4)
  expect(sessionsOf(stagesOf(schedule, ADMITTED))).toBe((300 + 1200) / 4)
  expect(schedule.sessionsPerSecond).toBe(5)
  expect(workloadName(choice)).toBe('stages 30s:20,60s:20')
})
