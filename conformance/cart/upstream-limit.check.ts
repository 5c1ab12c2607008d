import { formatMoney, inHundredths } from '../../harness/money.ts'
import type { Api, CheckContext, Exchange } from '../engine/kit.ts'
import {
  check,
  inapplicable,
  isAccepted,
  makerOf,
  onlyWithControlSide,
  showAnswer,
} from '../engine/kit.ts'
import { CHECKS_OUT, sendCart } from '../steps/cart.ts'
import { SCOPES } from '../steps/limits/endpoints.ts'
import { BUYS_VOUCHERS, findsNothing } from '../steps/orders.ts'
import { VOUCHERS } from '../steps/kinds.ts'
import { judgeNothingBought } from '../steps/races/nothing-bought.ts'
import { needPrices, needSamePrices } from '../steps/races/prices.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'

const PRODUCT = 'voucher-upstream-limited'

/** The shop service refuses each position, so that nothing of the cart can be bought. */
const LIMITED = [{ product: PRODUCT }, { product: PRODUCT, quantity: 2 }] as const

/** A cart that is refused as a whole, and then a good one under its reference. */
async function refusedCart(own: CheckContext): Promise<readonly Exchange[]> {
  const referenceId = own.reference()
  const refused = await sendCart(own, { lines: LIMITED, referenceId }, RETURN_429_UNPACED)
  if (isAccepted(refused)) inapplicable('a cart whose positions are refused is answered by orders')
  if (refused.response?.status === 422)
    inapplicable('a cart of one product twice is refused for its body')
  own.expect('ERR-04').limitReached(refused)
  own.expect('ERR-04').retryAfter(refused, { min: 1 })
  const found = await own.api.as('full').getOrders({ referenceId })
  own.expect('ERR-04').that('the reference of the cart that the shop service refused', {
    holds: findsNothing(found),
    expected: 'no order',
    observed: showAnswer(found),
    exchanges: [refused, found],
  })
  return [refused]
}

export const upstreamLimitOfCarts = check({
  id: 'cart.upstream-limit',
  title:
    'a rate limit of the shop service is passed on to a cart as 429, and leaves nothing behind',
  requirements: ['ERR-04'],
  needs: {
    ...CHECKS_OUT,
    ...BUYS_VOUCHERS,
    capabilities: ['cart', 'shop', 'transaction-limit'],
    roles: ['full'],
    purchases: 5,
    ofKeysOfFile: onlyWithControlSide('keys with caps of their own'),
  },
  run: async (context) => {
    if (context.target.products[PRODUCT] === undefined)
      inapplicable(`the target file names no product "${PRODUCT}"`)
    const prices = await needPrices(context, VOUCHERS)
    const { whole, unit } = prices
    const key = { scopes: SCOPES, transactionLimit: formatMoney(inHundredths(whole + unit)) }
    const [api] = (await makerOf(context)({ keys: [key] })) as [Api]
    const own = { ...context, api }
    await judgeNothingBought(own, VOUCHERS, {
      requirement: 'ERR-04',
      when: 'after a cart that the shop service refused',
      act: () => refusedCart(own),
      needSamePrices: () => needSamePrices(context, VOUCHERS, prices),
    })
    const referenceId = context.reference()
    const refused = await sendCart(context, { lines: LIMITED, referenceId }, RETURN_429_UNPACED)
    const again = await sendCart(context, { referenceId })
    context.expect('ERR-04').that('a good cart under the reference of the refused one', {
      holds: isAccepted(again),
      expected: 'success: the refusal took no reference',
      exchanges: [refused, again],
    })
  },
})
