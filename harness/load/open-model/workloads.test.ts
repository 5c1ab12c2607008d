import { describe, expect, test } from 'vitest'
import { sessionsOf } from '../../../load/protocol/arrival-schedule.ts'
import { secondsOf, peakPerSecond } from './plan.ts'
import { peakOf, requireAdmitted, stagesOf, WORKLOADS } from './workloads.ts'

describe('workloads', () => {
  test.each(WORKLOADS)('%s has its peak in parts of what the windows admit', (workload) => {
    const stages = stagesOf({ workload }, 10)
    expect(peakPerSecond(stages)).toBeCloseTo(10 * peakOf(workload), 9)
    // Only stress goes beyond.
    expect(peakOf(workload) > 1).toBe(workload === 'stress')
  })

  test('seconds and a rate that were asked for are kept', () => {
    const stages = stagesOf({ workload: 'spike', seconds: 10, ratePerSecond: 24 }, 3)
    expect(secondsOf(stages)).toBeCloseTo(10, 9)
    expect(peakPerSecond(stages)).toBeCloseTo(24, 9)
  })

  test('a slow schedule is drawn out until it has enough sessions', () => {
    const stages = stagesOf({ workload: 'smoke' }, 0.5)
    expect(sessionsOf(stages)).toBe(10)
    expect(sessionsOf(stagesOf({ workload: 'smoke', seconds: 4 }, 0.5))).toBe(1)
  })

  test('more than the windows admit is refused with the accounts that it needs, but for stress', () => {
    expect(() => requireAdmitted({ workload: 'steady', ratePerSecond: 11 }, 5, 2)).toThrow(
      '--rate 11 asks for more sessions per second than the windows of 2 accounts admit: 10.0',
    )
    expect(() => requireAdmitted({ workload: 'stress', ratePerSecond: 11 }, 5, 2)).not.toThrow()
    expect(() => requireAdmitted({ workload: 'steady', ratePerSecond: 10 }, 5, 2)).not.toThrow()
  })
})

test.each([0.1, 4, 500])('smoke stays small where windows admit %f per second', (admitted) => {
  const stages = stagesOf({ workload: 'smoke' }, admitted)
  expect(peakPerSecond(stages)).toBeLessThanOrEqual(5)
  expect(sessionsOf(stages)).toBeGreaterThanOrEqual(10)
  expect(sessionsOf(stages)).toBeLessThanOrEqual(40)
})
