import type { CheckContext, Exchange } from '../engine/kit.ts'
import {
  check,
  isAccepted,
  isCapRefusal,
  isObject,
  needSuccess,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { dataOf, itemsOf, namesSameOrder, orderIdOf } from '../steps/orders.ts'
import { needItems } from '../steps/reading.ts'
import { valuesOf, without } from '../steps/platform-gift-body.ts'
import {
  BUYS_GIFTS,
  requestQuote,
  sendFreshGift,
  sendGift,
  tokenIn,
} from '../steps/platform-gift.ts'

export const giftOrder = check({
  id: 'platform-gift.order',
  title: 'a quoteToken is what a gift order needs; no productId is asked for',
  requirements: ['GIFT-04', 'GIFT-17'],
  needs: { ...BUYS_GIFTS, purchases: 2 },
  run: async (context) => {
    const { expect } = context
    const { exchange: plain, order: sent } = await sendFreshGift(context, {
      change: (body) => without(body, ['productId']),
    })
    // A refusal is about the productId only where the same order with one is accepted.
    const withProduct = isAccepted(plain) ? undefined : await sendWithProduct(context)
    const order = withProduct ?? { exchange: plain, referenceId: sent.referenceId }
    needOwnAnswer(order.exchange)
    const found = await findEither(context, order)
    const [only, ...others] = itemsOf(found) ?? []
    expect('GIFT-17').that('a complete gift order creates one order', {
      holds:
        isAccepted(order.exchange) &&
        only !== undefined &&
        others.length === 0 &&
        namesSameOrder(context, found, order.exchange),
      expected: 'success, then one order that is found, the one that was answered',
      observed: `${showAnswer(order.exchange)}; then ${showAnswer(found)}`,
      exchanges: [order.exchange, found],
    })
    if (!isAccepted(order.exchange)) untested('no gift order was accepted')
    expect('GIFT-04').that('a gift order without a productId is accepted', {
      holds: isAccepted(plain),
      expected: 'success',
      observed: `${showAnswer(plain)}${withProduct ? '; with a productId it is accepted' : ''}`,
      exchanges: withProduct ? [plain, withProduct.exchange] : [plain],
    })
  },
})

/** A refusal by key or cap says nothing of gifts. */
function needOwnAnswer(exchange: Exchange): void {
  if ([401, 403].includes(exchange.response?.status ?? 0) || isCapRefusal(exchange))
    untested(`the gift order was refused for another reason: ${showAnswer(exchange)}`)
}

/** By its referenceId or, where that finds nothing, by its orderId: that both do is a matter of its own. */
async function findEither(
  { api }: CheckContext,
  { exchange, referenceId }: { readonly exchange: Exchange; readonly referenceId: string },
): Promise<Exchange> {
  const found = await api.as('full').getOrders({ referenceId })
  const orderId = orderIdOf(exchange)
  const isFound = (needItems(found)?.length ?? 0) > 0
  return isFound || orderId === undefined ? found : api.as('full').getOrders({ orderId })
}

/** The same order with the productId of its quote, where it has one; undefined where it is not accepted either. */
async function sendWithProduct(
  context: CheckContext,
): Promise<{ exchange: Exchange; referenceId: string } | undefined> {
  const quote = needSuccess(await requestQuote(context))
  const token = tokenIn(context, quote)
  const { productId } = dataOf(quote)
  if (token === undefined || productId === undefined) return undefined
  const referenceId = context.reference()
  const change = (body: unknown): unknown =>
    isObject(body) && valuesOf(body, 'productId').length === 0 ? { ...body, productId } : body
  const exchange = await sendGift(context, { token, referenceId, change })
  return isAccepted(exchange) ? { exchange, referenceId } : undefined
}
