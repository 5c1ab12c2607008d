import { formatMoney, parseMoney } from '../../money.ts'
import type { Statement } from '../shared/statements.ts'
import { capOf } from './spend-kinds-script.ts'
import { laterPurchasable, LATER_SCRIPT, LATER_ORDERS } from './spend-later-script.ts'
import type { BurstExchange } from './burst-import.ts'
import type { BurstContext, BurstPlan } from './burst-plan.ts'
import { exchangesOf, type BurstRun } from './burst-result.ts'
import { isCapRefusal } from '../../judge/answers.ts'
import { isNamed } from './burst-proof.ts'

/** An order that was delivered later uses the cap up as any other: what is bought next no longer fits. */
export function laterStatements(
  plan: BurstPlan,
  run: BurstRun,
  context: Pick<BurstContext, 'target' | 'accounts'>,
): Statement[] {
  const exchanges = exchangesOf(LATER_SCRIPT, plan, run)
  const purchasable = laterPurchasable(context)
  const of = (reference: number): BurstExchange[] =>
    exchanges.filter((each) => each.reference === reference)
  const spent = deliveredPrice(of(LATER_ORDERS.delivered))
  if (purchasable === undefined || spent === undefined) return []
  const beyond = of(LATER_ORDERS.beyond).filter(({ kind }) => kind === 'buy')
  const cap = capOf(purchasable.unit)
  const how = `${LATER_SCRIPT}: ${formatMoney(spent)} of a cap of ${formatMoney(cap)} had been delivered`
  const sold = parseMoney(beyond.find(isNamed)?.price)
  if (sold !== undefined && spent + sold > cap) {
    const observed = `${how}, and an order of ${formatMoney(sold)} was sold`
    return [{ requirement: 'CAP-12', verdict: 'fail', observed }]
  }
  return beyond.some(isCapRefusal)
    ? [{ requirement: 'CAP-12', verdict: 'pass', observed: `${how}, and the cap refused the next` }]
    : []
}

/** The price of an order that was seen to be delivered; what a cancelled one leaves of the cap is not shown. */
function deliveredPrice(exchanges: readonly BurstExchange[]): bigint | undefined {
  const bought = exchanges.find((each) => each.kind === 'buy' && isNamed(each))
  const last = exchanges.findLast(({ kind, status }) => kind === 'masked' && status === 200)
  const isDelivered = last?.state === 'SUCCESS' || last?.state === 'PARTIALLY_COMPLETED'
  return isDelivered ? parseMoney(bought?.price) : undefined
}
