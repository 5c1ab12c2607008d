/** A run that exceeds its plan says so, and ends at twice the plan with what it has measured. */
import { expect, test } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import { planOf } from '../support/suite-plan.ts'
import { suiteRun, type SuiteRun } from '../support/suite-run.ts'

const USD = (micros: bigint): ReadonlyMap<string, bigint> => new Map([['USD', micros]])

test.each([
  ['requests', { requests: 400, money: USD(10n ** 12n) }, /requests \d+; planned at most 400/],
  ['money', { requests: 10 ** 6, money: USD(100_000_000n) }, /USD [\d.]+; planned at most 100.00/],
])('%s', async (_, planned, text) => {
  const hazards: string[] = []
  const { outcomes, session }: SuiteRun = await suiteRun({
    accounts: 'fresh',
    windowSeconds: 2,
    planned,
    onHazard: (hazard) => hazards.push(hazard),
  })
  expect(hazards).toHaveLength(2)
  expect(hazards[0]).toMatch(/^The run has exceeded its plan by half/)
  expect(hazards[1]).toMatch(/^The run was stopped at twice its plan/)
  expect(hazards[1]).toMatch(text)
  // What was under way when it ended may still have been answered.
  expect(session.history.all().length).toBeLessThan(2 * planned.requests + 400)
  const stopped = outcomes.filter(({ check }) => check.reason?.includes('twice its plan'))
  expect(stopped.length).toBeGreaterThan(0)
  expect(outcomes.some(({ check }) => check.verdict === 'pass')).toBe(true)
  expect(outcomes.filter(({ check }) => ['fail', 'error'].includes(check.verdict))).toEqual([])
})

const races = (id: string): boolean => /^(?:contention|transaction-limit)\./.test(id)

test('a race that passes its cap is judged before the plan would end the run', async () => {
  const checks = ALL_CHECKS.filter(({ id }) => races(id))
  const run = { accounts: 'fresh', windowSeconds: 2, checks } as const
  const { requestsMax: requests, purchases } = planOf(await suiteRun(run), races)
  const planned = { requests, money: purchases.money, moneyMax: purchases.moneyMax }
  const { outcomes } = await suiteRun({ ...run, faults: ['spend-lost-update'], planned })
  expect(outcomes.filter(({ check }) => check.reason?.includes('twice its plan'))).toEqual([])
  const failed = outcomes.filter(({ check }) => check.verdict === 'fail')
  expect(failed.map(({ check }) => check.id)).toContain('transaction-limit.concurrent')
})
