/** The plan is honest: in virtual time no check takes longer than its plan says, and no run longer than its bound. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ANNOUNCED_MS } from '../../contract/answers.ts'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import { SELECTABLE_CHECKS } from '../../conformance/selectable.ts'
import type { SuitePlan } from '../../harness/plan/suite-plan.ts'
import { planOf } from '../support/suite-plan.ts'
import { suiteRun, type Accounts, type SuiteRun } from '../support/suite-run.ts'

/**
 * The crowd at the start, where all checks send at once, a provider that does not answer, and two orders that a reader waits for: no plan
 * counts how often that is.
 */
const ALLOWANCE_SECONDS = 0.12 + (2 * ANNOUNCED_MS) / 1000
const NO_TIME = ['untested', 'inapplicable']

const CASES: readonly (readonly [name: string, accounts: Accounts, windowSeconds: number])[] = [
  ['an account for each check, windows of 2 s', 'fresh', 2],
  ['an account for each check, windows of 60 s', 'fresh', 60],
  ['one key of one account, windows of 2 s', { shared: ['full'] }, 2],
  ['one key of one account, windows of 60 s', { shared: ['full'] }, 60],
  ['all roles of two accounts, windows of 2 s', { shared: 'all' }, 2],
  ['all roles of two accounts, windows of 60 s', { shared: 'all' }, 60],
]

describe.each(CASES)('%s', (_, accounts, windowSeconds) => {
  let run: SuiteRun
  let plan: SuitePlan
  beforeAll(async () => {
    run = await suiteRun({ accounts, windowSeconds })
    plan = planOf(run)
  })

  it('ends within the bound, which is the expected time and 15 %', () => {
    expect(plan.boundSeconds).toBeCloseTo(plan.expectedSeconds * 1.15, 6)
    expect(run.seconds).toBeLessThanOrEqual(plan.boundSeconds)
    // Nor is the plan so loose that anything would fit.
    expect(plan.expectedSeconds).toBeLessThanOrEqual(2.5 * run.seconds)
  })

  it('plans the checks that are carried out, and no other', () => {
    const planned = new Set(plan.chains.map(({ check }) => check))
    const others = run.outcomes.filter(
      ({ check }) =>
        !planned.has(check.id) &&
        SELECTABLE_CHECKS.some(({ id, facts }) => facts && id === check.id) &&
        !NO_TIME.includes(check.verdict),
    )
    expect(others.map(({ check }) => check.id)).toEqual([])
    expect(planned.size).toBeGreaterThan(150)
  })

  it('takes no longer than twelve minutes at the windows of the interface', () => {
    if (windowSeconds === 60) expect(run.seconds).toBeLessThanOrEqual(720)
  })

  it('sends no more than a tenth above what is planned', () => {
    expect(run.session.history.all().length).toBeLessThanOrEqual(plan.requestsTotal * 1.1)
  })

  if (accounts !== 'fresh') return
  it('no check takes longer than its chain and 15 %', () => {
    const over = run.outcomes.flatMap(({ check }) => {
      const chain = plan.chains.find((each) => each.check === check.id)
      const most = chain && 1.15 * chain.seconds + ALLOWANCE_SECONDS
      return most !== undefined && check.durationSeconds > most
        ? [`${check.id}: ${check.durationSeconds.toFixed(2)} s, planned ${most.toFixed(2)} s`]
        : []
    })
    expect(over).toEqual([])
  })

  if (windowSeconds !== 60) return
  it('takes no longer than its longest chain of windows and 15 %', () =>
    expectLongestChain(run, plan))
})

it.each(['limits.shared-by-keys', 'dtu-check.refusal', 'unhide.filtered-apart'])(
  'plans for %s alone what it spends alone',
  async (only) => {
    const checks = ALL_CHECKS.filter(({ id }) => id === only)
    const run = await suiteRun({ accounts: { shared: 'all' }, windowSeconds: 60, checks })
    const plan = planOf(run, (id) => id === only)
    expect(run.session.history.all().length).toBeLessThanOrEqual(plan.requestsTotal * 1.1)
    expect(run.seconds).toBeLessThanOrEqual(plan.boundSeconds)
  },
)

it('knows what every check costs', () => {
  // Measured by npm run measure -- --write, which a check that is new or sends more makes due.
  const unmeasured = SELECTABLE_CHECKS.filter(
    ({ facts }) => facts && !facts.costs.fresh && !facts.costs.shared,
  )
  expect(unmeasured.map(({ id }) => id)).toEqual([])
})

it.each(['start', 'first-request'] as const)(
  'with windows by %s, takes no longer than the longest single chain of them and 15 in a hundred',
  async (windowPhase) => {
    const run = await suiteRun({ accounts: 'fresh', windowSeconds: 60, service: { windowPhase } })
    expectLongestChain(run, planOf(run))
  },
)

/** At the windows of the interface: nothing but the windows of one check takes time. */
function expectLongestChain(run: SuiteRun, { chains }: SuitePlan): void {
  const longest = chains.flatMap(({ links }) =>
    links.filter(({ windows }) => windows > 0).map(({ seconds }) => seconds),
  )
  expect(run.seconds).toBeLessThanOrEqual(Math.max(...longest) * 1.15)
  expect(run.seconds).toBeGreaterThan(60)
}
