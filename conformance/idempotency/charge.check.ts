import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, isAccepted, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { needPower, repeatUntilPower, BURSTS, BURSTS_MAX, type Trial } from '../steps/races/race.ts'
import { orderIdOf, type Bought } from '../steps/orders.ts'
import { Buyer } from '../steps/buyer.ts'
import { openCappedKey, CAPPED_KEY_PURCHASES, SPENDS_A_CAP } from '../steps/cap/capped-key.ts'
import { burstWaits, COPIES, decideAll, releaseTogether } from '../steps/races/replay-bursts.ts'
import { judgeHeadroom } from '../steps/cap/replay-headroom.ts'
import { OTHER_QUANTITY, replay, replayOfSameOrder } from '../steps/idempotency.ts'
import { capMovedByOthers } from '../steps/cap/watch.ts'

/** Replays of one order; more than one, so that what they would use up exceeds the unit that the probe leaves. */
const REPLAYS = 3

export const replayIsNotCharged = check({
  id: 'idempotency.replay-not-charged',
  title: 'a replay, also of another body, leaves the headroom of the key as it was',
  requirements: ['IDEM-09'],
  needs: {
    ...SPENDS_A_CAP,
    purchases: CAPPED_KEY_PURCHASES + 4,
    transactionLimit: '8.00',
  },
  movedByOthers: capMovedByOthers('IDEM-09'),
  run: async (context) => {
    using cappedKey = await openCappedKey(context)
    cappedKey.needUnits(REPLAYS + 2)
    const referenceId = context.reference()
    const exchange = needSuccess(await cappedKey.buy(1, referenceId))
    const bought = { exchange, referenceId, orderId: orderIdOf(exchange) ?? '' }
    const replays: Exchange[] = []
    for (let count = 0; count < REPLAYS; count++)
      replays.push(await replayOfSameOrder(context, bought, {}, 'capped'))
    for (let count = 0; count < REPLAYS; count++)
      replays.push(await replayOfOtherBody(context, bought))
    await judgeHeadroom(context, cappedKey, {
      units: cappedKey.unitsLeft,
      exchanges: [exchange, ...replays],
    })
  },
})

/** It need not be answered as a replay here, but what it buys is not a matter of replays. */
async function replayOfOtherBody(context: CheckContext, bought: Bought): Promise<Exchange> {
  const again = await replay(context, bought, { quantity: OTHER_QUANTITY, role: 'capped' })
  if (isAccepted(again) && orderIdOf(again) !== bought.orderId)
    untested(`another body was sold, which IDEM-06 decides: ${showAnswer(again)}`)
  return again
}

/** Copies of one purchase, each decided. They do not go through the capped key: their one unit is still to be taken off. */
async function buyTogether(buyer: Buyer): Promise<Trial & { readonly all: readonly Exchange[] }> {
  const [burst] = await releaseTogether(buyer, 1, COPIES)
  if (!burst) throw new Error('a burst of one reference has one entry')
  const all = await decideAll(buyer, burst)
  const first = all.find(isAccepted)
  if (!first) untested(`no copy succeeded: ${showAnswer(all.at(-1) as Exchange)}`)
  const orderId = orderIdOf(first) ?? ''
  if (all.some((each) => isAccepted(each) && orderIdOf(each) !== orderId))
    untested('the copies made several orders, which IDEM-12 decides')
  const { isTogether, text, referenceId } = burst
  await replayOfSameOrder(buyer.context, { exchange: first, orderId, referenceId }, {}, buyer.role)
  return { all, isTogether, text }
}

export const copiesAreChargedOnce = check({
  id: 'idempotency.copies-charged-once',
  title: 'copies of one purchase that arrive together are charged once',
  requirements: ['IDEM-09'],
  needs: {
    ...SPENDS_A_CAP,
    purchases: CAPPED_KEY_PURCHASES + 3 + BURSTS_MAX + COPIES,
    transactionLimit: '30.00',
    waits: burstWaits(BURSTS, 1, COPIES),
    tries: BURSTS_MAX / BURSTS,
  },
  movedByOthers: capMovedByOthers('IDEM-09'),
  run: async (context) => {
    using cappedKey = await openCappedKey(context)
    cappedKey.needUnits(BURSTS + 3)
    const buyer = new Buyer(context, 'capped')
    buyer.exchanges.push(...cappedKey.exchanges)
    const bursts = await repeatUntilPower(() => buyTogether(buyer), {
      burstsMax: Math.min(BURSTS_MAX, cappedKey.unitsLeft - 3),
    })
    await judgeHeadroom(context, cappedKey, {
      units: cappedKey.unitsLeft - bursts.length,
      exchanges: bursts.flatMap(({ all }) => all),
      beforePass: () => needPower(bursts, 'copies'),
    })
  },
})
