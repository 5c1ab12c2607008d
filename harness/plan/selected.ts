import type { AccountSource } from '../accounts/accounts.ts'
import type { GateParts } from '../gate/gate.ts'
import type { Permission } from '../gate/permission.ts'
import type { Preflight } from '../gate/preflight.ts'
import type { Selection } from '../gate/selection.ts'
import type { Target } from '../target/target.ts'
import { planSuite, type SuitePlan } from './suite-plan.ts'

/** The plan of the checks that were selected, with the limits that the preflight found. */
export function planSelected({
  parts,
  selection,
  target,
  accounts,
  ready,
  permission,
}: {
  readonly parts: Pick<GateParts, 'checks' | 'costBudgets'>
  readonly selection: Selection
  readonly target: Target
  readonly accounts: AccountSource
  readonly ready: Preflight
  readonly permission: Permission
}): SuitePlan {
  const selected = new Set(selection.checks)
  return planSuite({
    checks: parts.checks.flatMap(({ id, facts }) =>
      selected.has(id) && facts ? [{ id, ...facts }] : [],
    ),
    offer: { target, roles: accounts.roles, permission: permission.purchases },
    limits: ready.limits,
    budgets: parts.costBudgets,
    isFresh: accounts.fresh,
    makesAccounts: accounts.make !== undefined,
    latencySeconds: ready.latencySeconds,
  })
}
