import { COST_BUDGETS, SELECTABLE_CHECKS } from '../../conformance/selectable.ts'
import { planSuite, type SuitePlan } from '../../harness/plan/suite-plan.ts'
import type { SuiteRun } from './suite-run.ts'

/** There and back through the virtual network (harness/test-server/embedded.ts). */
const LATENCY_SECONDS = 0.001

/** What the plan says of a run in virtual time, or of some of its checks. */
export function planOf(
  { session, reachesIpv6 }: Pick<SuiteRun, 'session' | 'reachesIpv6'>,
  isChosen: (id: string) => boolean = () => true,
): SuitePlan {
  const { limits, accounts } = session.options
  return planSuite({
    checks: SELECTABLE_CHECKS.flatMap(({ id, facts }) =>
      facts && isChosen(id) ? [{ id, ...facts }] : [],
    ),
    offer: { ...session.offer, reachesIpv6 },
    limits,
    budgets: COST_BUDGETS,
    isFresh: accounts.fresh,
    makesAccounts: accounts.make !== undefined,
    latencySeconds: LATENCY_SECONDS,
  })
}
