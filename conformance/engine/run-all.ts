import type { CheckOutcome } from '../../harness/judge/check-outcome.ts'
import type { CheckDefinition, InvariantDefinition } from './check.ts'
import { confirmLaterPrices } from './later-prices.ts'
import { runCheck, runInvariant } from './run-check.ts'
import type { Session } from './session.ts'
import { startOrder } from './start-order.ts'

/** Carries checks out side by side, then the invariants over what they left. What vitest hosts for a real target, for our own tests. */
export async function runAll(
  checks: readonly CheckDefinition[],
  invariants: readonly InvariantDefinition[],
  session: Session,
): Promise<CheckOutcome[]> {
  session.announce(checks)
  await confirmLaterPrices(session, checks)
  const ordered = startOrder(checks, session.options.accounts)
  const outcomes = await Promise.all(ordered.map((definition) => runCheck(definition, session)))
  await session.guard.idle()
  return [...outcomes, ...invariants.map((definition) => runInvariant(definition, session))]
}
