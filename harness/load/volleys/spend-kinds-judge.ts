import { formatMoney, parseMoney, type Micros } from '../../money.ts'
import type { Statement } from '../statements.ts'
import { capOf, CAPPED_KINDS, kindGoods, KINDS_LANE } from './spend-kinds-lane.ts'
import { isCapRefusal } from './spend-orders.ts'
import type { VolleyContext, VolleyPlan } from './volley-plan.ts'
import { isAccepted } from './volley-proof.ts'
import type { VolleyExchange } from './volley-import.ts'
import type { VolleyRun } from './volley-result.ts'

/** Kinds of orders beside vouchers: what was bought of each is covered by its cap, and the cap refuses the others. */
export function kindStatements(
  plan: VolleyPlan,
  run: VolleyRun,
  { target }: Pick<VolleyContext, 'target'>,
): Statement[] {
  const lane = plan.file.lanes.findIndex(({ name }) => name === KINDS_LANE)
  const exchanges = run.evidence.lanes[lane]?.exchanges ?? []
  return kindGoods(target).flatMap((goods, key) => {
    const capped = CAPPED_KINDS.find(({ ability }) => ability === goods.ability)
    const own = exchanges.filter((each) => each.kind === 'buy' && each.key === key)
    return capped ? statementOf(capped.requirement, capped.kind, capOf(goods), own) : []
  })
}

function statementOf(
  requirement: Statement['requirement'],
  kind: string,
  cap: Micros,
  purchases: readonly VolleyExchange[],
): Statement[] {
  const orders = new Map(
    purchases.filter(isAccepted).map(({ orderId, price }) => [orderId, parseMoney(price)]),
  )
  const prices = [...orders.values()]
  if (prices.length === 0 || prices.includes(undefined)) return []
  const spent = prices.reduce<Micros>((sum, price) => sum + (price ?? 0n), 0n)
  const refused = purchases.filter(isCapRefusal).length
  const observed = `${kind}: ${prices.length} orders for ${formatMoney(spent)} with a cap of ${formatMoney(cap)}, ${refused} refused by it`
  if (spent > cap) return [{ requirement, verdict: 'fail', observed }]
  return refused > 0 ? [{ requirement, verdict: 'pass', observed }] : []
}
