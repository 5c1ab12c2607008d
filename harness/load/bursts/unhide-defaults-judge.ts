import { reportedDefault } from '../shared/reported-default.ts'
import type { Statement } from '../shared/statements.ts'
import { countOf } from './unhide-reads.ts'
import type { UnhideScript } from './unhide-reads.ts'
import type { BurstContext } from './burst-plan.ts'

/** The budgets of orders where accounts have none of their own: those that the target reports. */
export function defaultStatements(
  scripts: readonly UnhideScript[],
  { accounts, limits }: Pick<BurstContext, 'accounts' | 'limits'>,
): Statement[] {
  if (accounts.make) return []
  return (['pending', 'completed'] as const).flatMap((state) => {
    const bucket = `orders.unhide.${state}` as const
    const limit = limits[bucket]
    const spent = scripts
      .filter(({ topic }) => topic === state)
      .flatMap(({ orders }) => orders)
      .filter((order) => countOf(order, state) === limit.count && countOf(order, 'refused') > 0)
    return spent.length > 0 ? reportedDefault(bucket, limit, undefined, `${state} orders`) : []
  })
}
