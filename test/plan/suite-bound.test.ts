/** The plan is honest: in virtual time no check takes longer than its plan says, and no run longer than its bound. */
import { beforeAll, describe, expect, it } from 'vitest'
import { SELECTABLE_CHECKS } from '../../conformance/selectable.ts'
import type { SuitePlan } from '../../harness/plan/suite-plan.ts'
import { planOf } from '../support/suite-plan.ts'
import { suiteRun, type Accounts, type SuiteRun } from '../support/suite-run.ts'

/** For a machine that does much else. */
const RUN_TIMEOUT_MS = 60_000
/** The crowd at the start, where all checks send at once, and a provider that does not answer. */
const ALLOWANCE_SECONDS = 0.1
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
  }, RUN_TIMEOUT_MS)

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

  it('sends no more than a tenth above what is planned', () => {
    const sent = run.session.ledger.spent().reduce((sum, { spent }) => sum + spent, 0)
    expect(sent).toBeLessThanOrEqual(plan.requestsTotal * 1.1)
  })
})

describe.each([2, 60])('with an account for each check and windows of %i s', (windowSeconds) => {
  it(
    'no check takes longer than its chain and 15 %',
    async () => {
      const run = await suiteRun({ accounts: 'fresh', windowSeconds })
      const { chains } = planOf(run)
      const over = run.outcomes.flatMap(({ check }) => {
        const chain = chains.find((each) => each.check === check.id)
        const most = chain && 1.15 * chain.seconds + ALLOWANCE_SECONDS
        return most !== undefined && check.durationSeconds > most
          ? [`${check.id}: ${check.durationSeconds.toFixed(2)} s, planned ${most.toFixed(2)} s`]
          : []
      })
      expect(over).toEqual([])
    },
    RUN_TIMEOUT_MS,
  )
})

it('knows what every check costs', () => {
  // Measured by npm run measure -- --write, which a check that is new or sends more makes due.
  const unmeasured = SELECTABLE_CHECKS.filter(
    ({ facts }) => facts && !facts.costs.fresh && !facts.costs.shared,
  )
  expect(unmeasured.map(({ id }) => id)).toEqual([])
})

it.each(['epoch', 'start', 'first-request'] as const)(
  'takes no longer than the longest single chain of windows and 15 %% at the windows of the interface, by %s',
  async (windowPhase) => {
    const run = await suiteRun({ accounts: 'fresh', windowSeconds: 60, service: { windowPhase } })
    const { chains } = planOf(run)
    const longest = chains.flatMap(({ links }) =>
      links.filter(({ windows }) => windows > 0).map(({ seconds }) => seconds),
    )
    expect(run.seconds).toBeLessThanOrEqual(Math.max(...longest) * 1.15)
    expect(run.seconds).toBeGreaterThan(60)
  },
  RUN_TIMEOUT_MS,
)
