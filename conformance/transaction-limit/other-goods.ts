import type { RequirementId } from '../../contract/requirements/index.ts'
import type { CallOptions } from '../../harness/client/api.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import { formatMoney } from '../../harness/money.ts'
import type { CheckContext } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { showAnswer } from '../engine/describe.ts'
import { untested } from '../engine/undecided.ts'
import { dataOf } from '../orders/steps.ts'
import { isAccepted, isCapRefusal, needCapRefusal, priceOf } from './buyer.ts'
import { openPurse, type Purse } from './purse.ts'

type Goods = {
  readonly requirement: RequirementId
  /** For sentences, for example `an eSIM`. */
  readonly name: string
  /** Buys one as the role `capped`. */
  readonly send: (purse: Purse, options?: CallOptions) => Promise<Exchange>
}

/**
 * Buys one of other goods, lets vouchers take what is left down to less than its price, and buys it again: the cap must refuse it,
 * though a voucher still fits.
 */
export async function expectHeldToCap(
  context: CheckContext,
  { requirement, name, send }: Goods,
): Promise<void> {
  using purse = await openPurse(context)
  const first = needSuccess(await send(purse))
  needCurrencyOfCap(context, first)
  const price = priceOf(context, first)
  const spare = purse.left < price ? 0 : Number((purse.left - price) / purse.unit) + 1
  if (purse.unitsLeft - spare < 1)
    untested(
      `${name} costs ${formatMoney(price)}, a voucher ${formatMoney(purse.unit)}, and ${formatMoney(purse.left)} is left: the cap cannot be brought between the two`,
    )
  const vouchers = spare > 0 ? [await purse.needBought(spare)] : []
  // The cap binds, whether it knows of the other goods or not.
  const beyond = purse.unitsLeft + Math.ceil(Number(price) / Number(purse.unit)) + 1
  needCapRefusal(await purse.send(beyond, context.reference(), { throttled: 'return' }))
  const second = await send(purse, { throttled: 'return' })
  // What the cap refuses is this purchase, not the key: a voucher that fits passes.
  const control = needSuccess(await purse.buy(1))
  if (!isAccepted(second)) needCapRefusal(second)
  context.expect(requirement).that(`${name} beyond the rest of the cap is refused by it`, {
    holds: isCapRefusal(second),
    expected: `the same purchase of ${formatMoney(price)} is refused by the cap once less is left`,
    observed: `${showAnswer(second)}; a voucher of ${formatMoney(purse.unit)}: ${isAccepted(control) ? 'accepted' : 'refused'}`,
    exchanges: [first, ...vouchers, second, control],
  })
}

/** How amounts of another currency count is not shown. */
function needCurrencyOfCap({ keys }: CheckContext, exchange: Exchange): void {
  const { currency } = dataOf(exchange)
  const ofCap = keys.key('capped').transactionLimit?.currency
  if (currency !== ofCap)
    untested(`the purchase is in ${String(currency)}, the cap of the key in ${String(ofCap)}`)
}
