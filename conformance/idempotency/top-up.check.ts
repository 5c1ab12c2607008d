import { check } from '../check.ts'
import { buy } from '../orders/steps.ts'
import { topUpAmount } from '../orders/top-up-amount.ts'
import { findUnder, needReferenceFilter, replay, resultOf } from './steps.ts'

export const topUpIsMadeOnce = check({
  id: 'idempotency.top-up-replay',
  title: 'a top-up that is sent again gives the original result, and tops nothing up',
  requirements: ['IDEM-03', 'IDEM-05'],
  needs: {
    capabilities: ['dtu'],
    roles: ['full'],
    products: ['dtu'],
    orderKinds: ['dtu'],
    purchases: 3,
  },
  run: async (context) => {
    const { expect } = context
    const order = { product: 'dtu', kind: 'dtu', amount: topUpAmount(context) } as const
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
    const { exchange, count } = await findUnder(context, bought.referenceId)
    expect('IDEM-05').that('the referenceId of a top-up finds one order', {
      holds: count === 1,
      expected: '1 order',
      observed: `${count} orders`,
      exchanges: [bought.exchange, ...replays, exchange],
    })
  },
})
