import { formatMoney, parseMoney, type Micros } from '../../money.ts'
import type { Statement } from '../statements.ts'
import { capOf, CAPPED_KINDS, kindGoods, KINDS_LANE } from './spend-kinds-lane.ts'
import { markStatements } from '../arrivals/sessions-spend-judge.ts'
import { isCapRefusal } from './spend-orders.ts'
import type { Goods, VolleyContext, VolleyPlan } from './volley-plan.ts'
import { isAccepted } from './volley-proof.ts'
import type { VolleyExchange } from './volley-import.ts'
import { exchangesOf, type VolleyRun } from './volley-result.ts'

/** Kinds of orders beside vouchers: what was bought of each is covered by its cap, and the cap refuses the others. */
export function kindStatements(
  plan: VolleyPlan,
  run: VolleyRun,
  { target }: Pick<VolleyContext, 'target'>,
): Statement[] {
  const exchanges = exchangesOf(KINDS_LANE, plan, run)
  return kindGoods(target).flatMap((goods, key) => {
    const capped = CAPPED_KINDS.find(({ ability }) => ability === goods.ability)
    const own = exchanges.filter((each) => each.kind === 'buy' && each.key === key)
    if (!capped) return []
    const { requirement, kind } = capped
    return [
      ...statementOf(requirement, kind, capOf(goods), own),
      ...own.filter(isCapRefusal).flatMap((each) => markStatements({ name: kind }, each)),
      ...otherRefusals(kind, goods, own),
    ]
  })
}

/** Where as many were bought as the cap has room for, what is wrong with the others can only be the cap. */
function otherRefusals(
  kind: string,
  goods: Goods,
  purchases: readonly VolleyExchange[],
): Statement[] {
  const others = purchases.filter(({ status }) => status >= 400 && status < 500)
  const odd = others.filter((each) => each.status !== 409 && each.status !== 429)
  const [first] = odd
  const bought = new Set(purchases.filter(isAccepted).map(({ orderId }) => orderId))
  if (first === undefined || BigInt(bought.size + 1) * goods.unit <= capOf(goods)) return []
  const observed = `${kind}: ${odd.length} purchases beyond the cap were answered by HTTP ${first.status}`
  return [{ requirement: 'CAP-03', verdict: 'fail', observed }]
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
