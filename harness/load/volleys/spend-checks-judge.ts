import type { Statement } from '../statements.ts'
import { CHECKS_LANE, checksGoods, kindOfChecksLane, OTHER_AMOUNT } from './spend-checks-lane.ts'
import type { Goods, VolleyContext, VolleyPlan } from './volley-plan.ts'
import { isAccepted } from './volley-proof.ts'
import type { VolleyExchange } from './volley-import.ts'
import type { VolleyRun } from './volley-result.ts'

/** While checks are refused, before and after, each kind is bought all the same: one that is refused by 429 every time is held to their bucket. */
export function checksStatements(
  plan: VolleyPlan,
  run: VolleyRun,
  context: Pick<VolleyContext, 'target' | 'accounts'>,
): Statement[] {
  const lane = plan.file.lanes.findIndex(({ name }) => name === CHECKS_LANE)
  const exchanges = run.evidence.lanes[lane]?.exchanges ?? []
  const checks = exchanges.filter(({ kind }) => kind === 'check')
  const [first, ...later] = checks.filter(({ units }) => units !== OTHER_AMOUNT)
  const isSpent = later.length > 1 && later.every(({ status }) => status === 429)
  if (first === undefined || first.status >= 300 || !isSpent) return []
  return [...amountStatements(checks), ...purchaseStatements(exchanges, checksGoods(context))]
}

/** A check of another amount, between refused ones. */
function amountStatements(checks: readonly VolleyExchange[]): Statement[] {
  const other = checks.find(({ units }) => units === OTHER_AMOUNT)
  if (other === undefined || (other.status >= 300 && other.status !== 429)) return []
  const observed = `${CHECKS_LANE}: a check of another amount was answered by HTTP ${other.status}`
  return [{ requirement: 'RATE-18', verdict: other.status === 429 ? 'pass' : 'fail', observed }]
}

function purchaseStatements(
  exchanges: readonly VolleyExchange[],
  goods: readonly Goods[],
): Statement[] {
  const kinds = Map.groupBy(
    exchanges.filter(({ kind }) => kind === 'buy'),
    ({ reference = -1 }) => kindOfChecksLane(reference, goods),
  )
  const blocked = [...kinds].filter(([, purchases]) => purchases.every(isRefused))
  const names = blocked.map(([each]) => (each?.lines ? 'checkouts' : `orders of ${each?.kind}`))
  const bought = [...kinds.values()].flat().filter(isAccepted).length
  const observed = `${CHECKS_LANE}: ${bought} purchases were accepted while checks were refused`
  if (blocked.length > 0)
    return [
      {
        requirement: 'RATE-24',
        verdict: 'fail',
        observed: `${observed}, and all ${names.join(' and ')} were refused by 429`,
      },
    ]
  return bought > 0 ? [{ requirement: 'RATE-24', verdict: 'pass', observed }] : []
}

function isRefused({ status }: VolleyExchange): boolean {
  return status === 429
}
