import { formatMoney } from '../../harness/money.ts'
import { type CheckContext, check, inapplicable, isObject, show } from '../engine/kit.ts'
import { priceOf } from '../steps/buyer.ts'
import { giftSnapshotIn } from '../steps/order-results.ts'
import { dataOf, pollToEnd } from '../steps/orders.ts'
import { buyGift, BUYS_GIFTS, otherPlace, type BoughtGift } from '../steps/platform-gift.ts'

/** What tells an edition from another one, where the snapshot names it: two editions may have the same names, at two prices. */
async function marksOf(
  context: CheckContext,
  { exchange, orderId }: BoughtGift,
): Promise<readonly string[] | undefined> {
  const readings = await pollToEnd(context, 'platform-gift', { orderId })
  const results = [dataOf(exchange)['result'], ...readings.map(({ item }) => item['result'])]
  const snapshot = results.map(giftSnapshotIn).find(isObject)
  const { editionName, productName } = snapshot ?? {}
  // Editions of two products may have one name.
  const isTold = typeof editionName === 'string' && typeof productName === 'string'
  const price = formatMoney(priceOf(context, exchange))
  return isTold ? [editionName, productName, price] : undefined
}

export const tokenHoldsForEdition = check({
  id: 'platform-gift.token-edition',
  title: 'tokens for two editions buy gifts of two editions',
  requirements: ['GIFT-07'],
  needs: { ...BUYS_GIFTS, purchases: 2, waits: [{ orders: 1, product: 'platform-gift' }] },
  run: async (context) => {
    const place = otherPlace(context, 'edition')
    const [own, other] = [await buyGift(context), await buyGift(context, place)]
    const marks = [await marksOf(context, own), await marksOf(context, other)]
    if (marks.includes(undefined))
      inapplicable('the snapshots of gifts do not name both edition and product')
    context.expect('GIFT-07').that('what two tokens for two editions buy', {
      holds: show(marks[0]) !== show(marks[1]),
      expected: 'two names of editions or products, or two prices',
      observed: show(marks),
      exchanges: [own.exchange, other.exchange],
    })
  },
})
