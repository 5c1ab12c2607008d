import type { AccountSource } from '../accounts/accounts.ts'
import type { GateParts } from './parts.ts'
import type { Permission } from '../plan/permission.ts'
import type { Preflight } from './preflight.ts'
import type { Selection } from './selection.ts'
import { formatMoney, parseMoney } from '../money.ts'
import { shareOf } from '../quota/courtesy.ts'
import type { EffectiveLimits } from '../quota/effective-limits.ts'
import type { CatalogPrice } from '../purchases/price-book.ts'
import type { Target } from '../target-file/target.ts'
import { isCapped } from '../plan/purchases.ts'
import { planSuite, type SuitePlan } from '../plan/suite-plan.ts'

/** What was selected, the target that was opened for it, and what it may do there. */
export type Selected = {
  readonly parts: Pick<GateParts, 'checks' | 'costBudgets'>
  readonly selection: Selection
  readonly target: Target
  readonly accounts: AccountSource
  readonly ready: Preflight
  readonly prices?: readonly CatalogPrice[]
  readonly permission: Permission
}

/** The plan of the checks that were selected, with the limits that the preflight found. */
export function planSelected({
  parts,
  selection,
  target,
  accounts,
  ready,
  permission,
  prices = [],
}: Selected): SuitePlan {
  const selected = new Set(selection.checks)
  return planSuite({
    checks: parts.checks.flatMap(({ id, facts }) =>
      selected.has(id) && facts ? [{ id, ...facts }] : [],
    ),
    offer: {
      target: withPrices(target, prices),
      accounts,
      reachesIpv6: ready.reachesIpv6,
      permission: permission.purchases,
      isGentle: !permission.load,
    },
    limits: permission.load ? ready.limits : gentled(ready.limits),
    budgets: parts.costBudgets,
    isFresh: accounts.fresh,
    makesAccounts: accounts.make !== undefined,
    latencySeconds: ready.latencySeconds,
  })
}

/** Whether selected checks may buy on the key of the role capped that a scenario of load would use up. */
export function sharesCap(
  { checks }: Pick<GateParts, 'checks'>,
  selection: Selection,
  opened: {
    readonly target: Pick<Target, 'credentials'>
    readonly accounts: Pick<AccountSource, 'fresh'>
    readonly permission: Pick<Permission, 'purchases'>
  },
): boolean {
  const { target, accounts, permission } = opened
  if (accounts.fresh || !target.credentials.capped || !permission.purchases) return false
  const selected = new Set(selection.checks)
  return checks.some(({ id, facts }) => selected.has(id) && facts !== undefined && isCapped(facts))
}

/** The limits that a run lives within that is not permitted load. */
function gentled(limits: EffectiveLimits): EffectiveLimits {
  const entries = Object.entries(limits).map(([name, limit]) => [
    name,
    name.startsWith('orders.unhide') ? limit : { ...limit, count: Math.max(1, shareOf(limit)) },
  ])
  return Object.fromEntries(entries) as EffectiveLimits
}

/** The target at the dearest prices that are known: what a plan spends at most. */
function withPrices(target: Target, prices: readonly CatalogPrice[]): Target {
  const products = { ...target.products }
  for (const { product, currency, micros, per } of prices) {
    const stated = products[product]
    const isDearer = micros > (parseMoney(stated?.unitPrice) ?? micros)
    if (stated && isDearer && per === 'unit' && stated.currency === currency)
      products[product] = { ...stated, unitPrice: formatMoney(micros) }
  }
  return { ...target, products }
}
