import { expect, test } from 'vitest'
import { sessionsOf } from '../../../load/protocol/arrival-schedule.ts'
import { backlogOf, mostDueWithin } from './backlog.ts'
import { inRushes } from './scenarios.ts'
import { stagesOf } from './workloads.ts'

/** By windows of 2 s. */
function admitting(perSecond: number): Parameters<typeof stagesOf>[1] {
  return { perSecond, atOnce: 2 * perSecond }
}

test('nothing piles up where no more comes than is admitted', () => {
  const stages = stagesOf({ workload: 'steady' }, admitting(10))
  expect(backlogOf(stages, 10)).toMatchObject({ seconds: 0, untilSeconds: 0, sessionSeconds: 0 })
})

test('what piles up is gone when as much has been admitted', () => {
  const stages = [{ seconds: 10, fromPerSecond: 30, toPerSecond: 30 }]
  const { sessionsMax, seconds, untilSeconds, sessionSeconds } = backlogOf(stages, 20)
  // 300 come in 10 s, 200 are admitted until then.
  expect(sessionsMax).toBeGreaterThanOrEqual(100)
  expect(sessionsMax).toBeLessThan(105)
  expect(seconds).toBeCloseTo(15, 6)
  expect(untilSeconds).toBeCloseTo(15, 6)
  expect(sessionSeconds).toBeCloseTo((100 * 15) / 2, 3)
})

test('stress piles up for longer than it overloads, and its rushes no more than its rates', () => {
  const even = stagesOf({ workload: 'stress' }, admitting(12))
  const rushes = inRushes(even, 16)
  const [a, b] = [backlogOf(even, 12), backlogOf(rushes, 12)]
  expect(a.untilSeconds).toBeGreaterThan(42)
  expect(b.sessionsMax).toBeGreaterThan(a.sessionsMax - 16)
  expect(b.sessionsMax).toBeLessThan(a.sessionsMax + 16)
  expect(b.seconds).toBeLessThan(a.seconds + 10)
})

test('a rush counts by how many come, not by its rate', () => {
  const rushes = inRushes(stagesOf({ workload: 'smoke' }, admitting(12)), 8)
  expect(mostDueWithin(rushes, 0.2)).toBeCloseTo(8, 6)
  expect(mostDueWithin(stagesOf({ workload: 'soak' }, admitting(20)), 0.9)).toBeCloseTo(9, 6)
  expect(mostDueWithin(rushes, 3600)).toBeCloseTo(sessionsOf(rushes), 6)
})
