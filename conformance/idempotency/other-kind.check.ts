import { type CheckContext, type Exchange, type Needs, check, needSuccess } from '../engine/kit.ts'
import { buy, type Bought } from '../steps/orders.ts'
import { topUpOrder } from '../steps/top-ups.ts'
import {
  findUnder,
  needReferenceFilter,
  replay,
  replayOfSameOrder,
  resultOf,
} from '../steps/idempotency.ts'

const BUYS_BOTH = {
  capabilities: ['shop', 'dtu'],
  roles: ['full'],
  products: ['voucher', 'dtu'],
  orderKinds: ['shop', 'dtu'],
} as const satisfies Needs

export const otherKindGivesOriginal = check({
  id: 'idempotency.other-kind-gives-original',
  title: 'a top-up under the reference of a voucher order gives that order and buys nothing',
  requirements: ['IDEM-06', 'IDEM-08'],
  needs: { ...BUYS_BOTH, purchases: 3 },
  run: async (context) => {
    const topUp = topUpOrder(context)
    const bought = await buy(context)
    await needReferenceFilter(context)
    await replayOfSameOrder(context, bought)
    // The same body under a reference of its own is sold.
    needSuccess(await replay(context, { referenceId: context.reference() }, topUp))
    const again = await replay(context, bought, topUp)
    await expectOriginal(context, bought, again, {
      used: 'a top-up under a used reference has orderId, price and currency of the first answer',
      found: 'orders that the referenceId finds after a top-up under it',
    })
  },
})

export const voucherAfterTopUp = check({
  id: 'idempotency.voucher-after-top-up',
  title: 'a voucher order under the reference of a top-up gives that top-up and buys nothing',
  requirements: ['IDEM-06', 'IDEM-08'],
  needs: { ...BUYS_BOTH, purchases: 4 },
  run: async (context) => {
    const topUp = topUpOrder(context)
    // The same body under a reference of its own is sold.
    await buy(context)
    const bought = await buy(context, topUp)
    await needReferenceFilter(context)
    await replayOfSameOrder(context, bought, topUp)
    const again = await replay(context, bought)
    await expectOriginal(context, bought, again, {
      used: 'a voucher order under a used reference has orderId, price and currency of the top-up',
      found: 'orders that the referenceId finds after a voucher order under it',
    })
  },
})

/** What was sent again as another kind gives the original, and made no second order. */
async function expectOriginal(
  context: CheckContext,
  bought: Bought,
  again: Exchange,
  statements: { readonly used: string; readonly found: string },
): Promise<void> {
  const { expect } = context
  const exchanges = [bought.exchange, again]
  expect('IDEM-06').equal(statements.used, resultOf(again), resultOf(bought.exchange), exchanges)
  const { exchange, count } = await findUnder(context, bought.referenceId)
  expect('IDEM-08').equal(statements.found, count, 1, [...exchanges, exchange])
}
