import { check, showAnswer } from '../engine/kit.ts'
import { buy, BUYS_VOUCHERS } from '../steps/orders.ts'
import {
  A_WINDOW,
  findUnder,
  needReferenceFilter,
  replay,
  resultOf,
  waitAWindow,
} from '../steps/idempotency.ts'

export const replayAfterWindow = check({
  id: 'idempotency.replay-after-window',
  title: 'a purchase that is sent again after a window of its endpoint is a replay still',
  requirements: ['IDEM-03', 'IDEM-05'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full'],
    purchases: 2,
    waits: [A_WINDOW],
  },
  run: async (context) => {
    const { expect } = context
    const bought = await buy(context)
    await needReferenceFilter(context)
    await waitAWindow(context)
    const again = await replay(context, bought)
    expect('IDEM-03').equal(
      'a replay after a window has orderId, price and currency of the first answer',
      resultOf(again),
      resultOf(bought.exchange),
      [bought.exchange, again],
    )
    const { exchange, count } = await findUnder(context, bought.referenceId)
    expect('IDEM-05').that('the reference of a purchase that was sent again after a window', {
      holds: count === 1,
      expected: 'one order',
      observed: `${count} orders; ${showAnswer(exchange)}`,
      exchanges: [bought.exchange, again, exchange],
    })
  },
})
