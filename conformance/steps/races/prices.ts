import { type Micros } from '../../../harness/money.ts'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { asText, needSuccess, showAnswer, untested } from '../../engine/kit.ts'
import { priceOf } from '../buyer.ts'
import { dataOf } from '../orders.ts'
import { VOUCHERS, type Kind } from './kinds.ts'

/** What one purchase of a kind costs, and one voucher. */
export type Prices = { readonly whole: Micros; readonly unit: Micros }

/** Buys one of a kind and a voucher, whose prices are in one currency; untested where they are not. */
export async function needPrices(context: CheckContext, kind: Kind): Promise<Prices> {
  const bought: Exchange[] = []
  for (const each of [kind, VOUCHERS])
    bought.push(needSuccess(await (await each.begin(context, 'full'))()))
  const [first, voucher] = bought as [Exchange, Exchange]
  const [whole, unit] = [kind.priceOf(context, first), priceOf(context, voucher)]
  const currencies = new Set(bought.map((each) => asText(dataOf(each)['currency']).toUpperCase()))
  if (whole <= 0n || unit <= 0n || currencies.size > 1)
    untested(
      `no price in the currency of the cap can be read: ${bought.map(showAnswer).join('; ')}`,
    )
  return { whole, unit }
}
