import { check, hasNamedCode, show, statusCodeOf } from '../engine/kit.ts'
import { buy } from '../steps/orders.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'
import { findUnder, needReferenceFilter, replay, resultOf } from '../steps/idempotency.ts'

export const topUpIsMadeOnce = check({
  id: 'idempotency.top-up-replay',
  title: 'a top-up that is sent again gives the original result, and tops nothing up',
  requirements: ['IDEM-03', 'IDEM-04', 'IDEM-05'],
  needs: {
    ...BUYS_TOP_UPS,
    roles: ['full'],
    purchases: 3,
  },
  run: async (context) => {
    const { expect } = context
    const order = topUpOrder(context)
    const bought = await buy(context, order)
    await needReferenceFilter(context)
    const replays = [await replay(context, bought, order), await replay(context, bought, order)]
    for (const again of replays)
      expect('IDEM-03').equal(
        'the replay of a top-up has orderId, price and currency of the first answer',
        resultOf(again),
        resultOf(bought.exchange),
        [bought.exchange, again],
      )
    const [first, ...codes] = [bought.exchange, ...replays].map(statusCodeOf)
    expect('IDEM-04').that('the replay of a top-up has a statusCode of its own', {
      holds: new Set(codes).size === 1 && codes[0] !== first && !replays.some(hasNamedCode),
      expected: `one number for both, other than ${show(first)} and none of 8, 13 and 14`,
      observed: show(codes),
      exchanges: [bought.exchange, ...replays],
    })
    const { exchange, count } = await findUnder(context, bought.referenceId)
    expect('IDEM-05').that('the referenceId of a top-up finds one order', {
      holds: count === 1,
      expected: '1 order',
      observed: `${count} orders`,
      exchanges: [bought.exchange, ...replays, exchange],
    })
  },
})
