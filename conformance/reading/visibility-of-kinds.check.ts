import type { CheckContext, CheckDefinition, Needs } from '../engine/kit.ts'
import { check, show, untested } from '../engine/kit.ts'
import { BUYS_ESIMS, buyEsim } from '../steps/esim.ts'
import { buy, pollToEnd, type Bought } from '../steps/orders.ts'
import { OTHER_KINDS } from '../steps/races/kinds.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'
import { BUYS_GIFTS, buyGift } from '../steps/platform-gift.ts'
import { expectListed, looksOf } from '../steps/reading.ts'

/** Orders of other kinds than vouchers are for the key that created them, too. */
function hiddenFromOtherKeys(
  id: `${string}.other-key${string}`,
  what: string,
  needs: Needs,
  buyOne: (context: CheckContext) => Promise<Bought>,
): CheckDefinition {
  return check({
    id,
    title: `the key that bought ${what} finds it, and another key of the account does not`,
    requirements: ['GET-07', 'GET-08', 'GET-09'],
    needs: { ...needs, roles: ['full', 'sibling'], purchases: 1 },
    run: async (context) => {
      const { exchange, orderId, referenceId } = await buyOne(context)
      for (const [requirement, filter] of [
        ['GET-08', { orderId }],
        ['GET-09', { referenceId }],
        ['GET-09', { orderId, referenceId }],
      ] as const) {
        const own = await context.api.as('full').getOrders(filter)
        const isFound = context.expect('GET-07').that(`its own key finds it by ${show(filter)}`, {
          holds: looksOf(own)[1] > 0,
          expected: 'the order',
          exchanges: [exchange, own],
        })
        if (!isFound) untested('what its own key does not find cannot be hidden from others')
        const foreign = await context.api.as('sibling').getOrders(filter)
        context.expect(requirement).that(`sibling finds nothing by ${show(filter)}`, {
          holds: looksOf(foreign)[1] === 0,
          expected: 'no order',
          exchanges: [exchange, foreign],
        })
      }
      await expectListed(context, await context.api.as('full').getOrders({ orderId }), [orderId])
    },
  })
}

export const topUpIsHidden = hiddenFromOtherKeys(
  'reading.other-key-top-up',
  'a top-up',
  BUYS_TOP_UPS,
  (context) => buy(context, topUpOrder(context)),
)

export const giftIsHidden = hiddenFromOtherKeys(
  'reading.other-key-gift',
  'a gift',
  BUYS_GIFTS,
  (context) => buyGift(context),
)

export const laterIsHidden = hiddenFromOtherKeys(
  'reading.other-key-later',
  'an order that is pending',
  OTHER_KINDS.later.needs,
  (context) => buy(context, { product: 'voucher-async' }),
)

export const longOrderIsHidden = hiddenFromOtherKeys(
  'reading.other-key-long-order',
  'a long order',
  OTHER_KINDS.long.needs,
  async (context) => buy(context, await OTHER_KINDS.long.order(context, 'full')),
)

export const cancelledIsHidden = hiddenFromOtherKeys(
  'reading.other-key-cancelled',
  'a cancelled order',
  {
    capabilities: ['shop', 'async'],
    products: ['voucher-cancelled'],
    orderKinds: ['shop'],
    waits: [{ orders: 1, product: 'voucher-cancelled' }],
  },
  async (context) => {
    const bought = await buy(context, { product: 'voucher-cancelled' })
    await pollToEnd(context, 'voucher-cancelled', { orderId: bought.orderId })
    return bought
  },
)

export const rawEsimIsHidden = hiddenFromOtherKeys(
  'esim.other-key-raw',
  'an eSIM with a raw payload',
  { ...BUYS_ESIMS, products: ['esim-raw'] },
  (context) => buyEsim(context, 'esim-raw'),
)

export const esimIsHidden = hiddenFromOtherKeys(
  'esim.other-key',
  'an eSIM, which would show its activation',
  BUYS_ESIMS,
  (context) => buyEsim(context),
)
