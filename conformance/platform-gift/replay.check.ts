import { plural } from '../../harness/text.ts'
import { check, showAnswer } from '../engine/kit.ts'
import { expectMarked, findUnder } from '../steps/idempotency.ts'
import { orderIdOf } from '../steps/orders.ts'
import { turnedRound } from '../steps/platform-gift-body.ts'
import {
  buyFoundGift,
  BUYS_GIFTS,
  needToken,
  sendGift,
  sendGiftAgain,
} from '../steps/platform-gift.ts'

export const giftReplay = check({
  id: 'platform-gift.replay',
  title: 'a gift order that is sent again gives the original order, marked as a replay',
  requirements: ['GIFT-18'],
  needs: { ...BUYS_GIFTS, purchases: 4 },
  run: async (context) => {
    const bought = await buyFoundGift(context)
    const again = await sendGiftAgain(context, bought)
    const { exchange, count } = await findUnder(context, bought.referenceId)
    const isSame = context
      .expect('GIFT-18')
      .that('a replay gives the original order, the only one', {
        holds: orderIdOf(again) === bought.orderId && count === 1,
        expected: `orderId ${bought.orderId}, and one order under the referenceId`,
        observed: `${showAnswer(again)}; ${plural(count, 'order')} under the referenceId`,
        exchanges: [bought.exchange, again, exchange],
      })
    if (!isSame) return
    expectMarked(context, 'GIFT-18', [bought.exchange], [again])
    const turned = await sendGiftAgain(context, bought, { change: turnedRound })
    context.expect('GIFT-18').that('the same payload in another order of members is a replay', {
      holds: orderIdOf(turned) === bought.orderId,
      expected: `orderId ${bought.orderId}, as by the same text`,
      exchanges: [bought.exchange, again, turned],
    })
    const token = await needToken(context)
    const fresh = await sendGift(context, { ...bought.order, token })
    context.observe(
      'OPEN-52',
      `a replay with another token for the same edition and region got HTTP ${fresh.response?.status ?? 'none'}`,
      [fresh],
    )
  },
})
