import { formatMoney, type Micros } from '../../../harness/money.ts'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import {
  asText,
  inapplicable,
  inconclusive,
  needSuccess,
  showAnswer,
  untested,
} from '../../engine/kit.ts'
import { priceOf } from '../buyer.ts'
import { dataOf, isSameCurrency } from '../orders.ts'
import { VOUCHERS, type Kind } from '../kinds.ts'

/** What one purchase of a kind costs, and one voucher. */
export type Prices = { readonly whole: Micros; readonly unit: Micros }

/** Buys one of a kind and a voucher, whose prices have to be in one currency. */
export async function needPrices(context: CheckContext, kind: Kind): Promise<Prices> {
  const bought: Exchange[] = []
  for (const each of [kind, VOUCHERS])
    bought.push(needSuccess(await (await each.begin(context, 'full'))()))
  const [first, voucher] = bought as [Exchange, Exchange]
  const [whole, unit] = [kind.priceOf(context, first), priceOf(context, voucher)]
  const [ofKind = '', ofVoucher = ''] = bought.map((each) =>
    asText(dataOf(each)['currency']).toUpperCase(),
  )
  const isRead = whole > 0n && unit > 0n
  if (isRead && ofKind !== ofVoucher && isSoldIn(context, ofKind))
    inapplicable(
      `${kind.what} costs ${ofKind}, and the cap is in ${ofVoucher}: how the two compare is not shown`,
    )
  if (!isRead || ofKind !== ofVoucher)
    untested(
      `no price in the currency of the cap can be read: ${bought.map(showAnswer).join('; ')}`,
    )
  return { whole, unit }
}

/** Before a price is held against a service: a quote may be another one the next time. */
export async function needSamePrices(
  context: CheckContext,
  kind: Kind,
  before: Prices,
): Promise<void> {
  const now = await needPrices(context, kind)
  const moved = (['whole', 'unit'] as const).find((each) => now[each] !== before[each])
  if (moved !== undefined)
    inconclusive(
      `a price went from ${formatMoney(before[moved])} to ${formatMoney(now[moved])} meanwhile`,
    )
}

/** The same of a purchase whose key is made with a cap of its price. */
export function needCurrencyOfMadeCap(context: CheckContext, what: string, currency: string): void {
  const ofCap = context.target.products.voucher?.currency
  if (ofCap === undefined || isSameCurrency(currency, ofCap)) return
  const reason = `${what} cost ${currency}, and the cap is in ${ofCap}`
  if (isSoldIn(context, currency)) inapplicable(`${reason}: how the two compare is not shown`)
  untested(reason)
}

/** Whether the target file states the currency too. A control side makes caps in that of vouchers alone. */
function isSoldIn({ target, isFresh }: CheckContext, currency: string): boolean {
  const stated = Object.values(target.products).map((product) => product.currency)
  return isFresh && stated.some((each) => each?.toUpperCase() === currency)
}
