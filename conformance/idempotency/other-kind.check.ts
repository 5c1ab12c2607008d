import { check } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { buy } from '../orders/steps.ts'
import { topUpAmount } from '../orders/top-up-amount.ts'
import { findUnder, needReferenceFilter, replay, replayOfSameOrder, resultOf } from './steps.ts'

export const otherKindGivesOriginal = check({
  id: 'idempotency.other-kind-gives-original',
  title: 'a top-up under the reference of a voucher order gives that order and buys nothing',
  requirements: ['IDEM-06', 'IDEM-08'],
  needs: {
    capabilities: ['shop', 'dtu'],
    roles: ['full'],
    products: ['voucher', 'dtu'],
    orderKinds: ['shop', 'dtu'],
    purchases: 3,
  },
  run: async (context) => {
    const topUp = { product: 'dtu', kind: 'dtu', amount: topUpAmount(context) } as const
    const bought = await buy(context)
    await needReferenceFilter(context)
    await replayOfSameOrder(context, bought)
    // The same body under a reference of its own is sold.
    needSuccess(await replay(context, { referenceId: context.reference() }, topUp))
    const again = await replay(context, bought, topUp)
    context
      .expect('IDEM-06')
      .equal(
        'a top-up under a used reference has orderId, price and currency of the first answer',
        resultOf(again),
        resultOf(bought.exchange),
        [bought.exchange, again],
      )
    const { exchange, count } = await findUnder(context, bought.referenceId)
    context
      .expect('IDEM-08')
      .equal('orders that the referenceId finds after a top-up under it', count, 1, [
        bought.exchange,
        again,
        exchange,
      ])
  },
})

export const voucherAfterTopUp = check({
  id: 'idempotency.voucher-after-top-up',
  title: 'a voucher order under the reference of a top-up gives that top-up and buys nothing',
  requirements: ['IDEM-06', 'IDEM-08'],
  needs: {
    capabilities: ['shop', 'dtu'],
    roles: ['full'],
    products: ['voucher', 'dtu'],
    orderKinds: ['shop', 'dtu'],
    purchases: 4,
  },
  run: async (context) => {
    const topUp = { product: 'dtu', kind: 'dtu', amount: topUpAmount(context) } as const
    // The same body under a reference of its own is sold.
    await buy(context)
    const bought = await buy(context, topUp)
    await needReferenceFilter(context)
    await replayOfSameOrder(context, bought, topUp)
    const again = await replay(context, bought)
    context
      .expect('IDEM-06')
      .equal(
        'a voucher order under a used reference has orderId, price and currency of the top-up',
        resultOf(again),
        resultOf(bought.exchange),
        [bought.exchange, again],
      )
    const { exchange, count } = await findUnder(context, bought.referenceId)
    context
      .expect('IDEM-08')
      .equal('orders that the referenceId finds after a voucher order under it', count, 1, [
        bought.exchange,
        again,
        exchange,
      ])
  },
})
