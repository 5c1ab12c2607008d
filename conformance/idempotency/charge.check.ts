import type { Exchange } from '../../harness/client/exchange.ts'
import { formatMoney } from '../../harness/money.ts'
import { check, type CheckContext } from '../check.ts'
import {
  needPower,
  repeatUntilPower,
  VOLLEYS,
  VOLLEYS_MAX,
  type Trial,
} from '../contention/race.ts'
import { needSuccess } from '../engine/controls.ts'
import { showAnswer } from '../engine/describe.ts'
import { inconclusive, untested } from '../engine/undecided.ts'
import { orderIdOf } from '../orders/steps.ts'
import { Buyer, isAccepted, isCapRefusal } from '../transaction-limit/buyer.ts'
import { openPurse, PURSE_PURCHASES, SPENDS_A_CAP, type Purse } from '../transaction-limit/purse.ts'
import { burstWaits, COPIES, decideAll, releaseTogether } from './bursts.ts'
import { replayOfSameOrder } from './steps.ts'

/** Replays of one order; more than one, so that what they would use up exceeds the unit that the probe leaves. */
const REPLAYS = 3

type Repeats = {
  readonly units: number
  readonly exchanges: readonly Exchange[]
  readonly beforePass?: (() => void) | undefined
}

/** Of a key that lasts a refusal tells what is left, so that its cap is not used up. */
async function judgeStatedHeadroom(
  context: CheckContext,
  purse: Purse,
  { units, exchanges, beforePass }: Repeats,
): Promise<void> {
  const expected = purse.left - purse.amountOf(purse.unitsLeft - units)
  const { stated, refused } = await purse.statedLeft()
  if (stated === undefined) untested(`no headroom can be read in ${showAnswer(refused)}`)
  if (stated > expected)
    inconclusive(
      `${formatMoney(stated)} is left where the purchases leave ${formatMoney(expected)}, so a single charge cannot be told`,
    )
  if (stated === expected) beforePass?.()
  context.expect('IDEM-09').that('the next refusal names what was left before the repeats', {
    holds: stated === expected,
    expected: `${formatMoney(expected)} is left (headroom before by ${purse.basis})`,
    observed: formatMoney(stated),
    exchanges: [...exchanges, refused],
  })
}

/**
 * Buys all that must be left but one unit, then that unit; one more must then be refused. If repeats were charged, the first purchase
 * does not fit. `units` must be left before, `exchanges` are those that led here.
 */
async function judgeHeadroom(
  context: CheckContext,
  purse: Purse,
  { units, exchanges, beforePass }: Repeats,
): Promise<void> {
  if (!purse.fresh) {
    await judgeStatedHeadroom(context, purse, { units, exchanges, beforePass })
    return
  }
  const most = await purse.buy(units - 1)
  if (!isAccepted(most) && !isCapRefusal(most))
    untested(`what was left could not be bought: ${showAnswer(most)}`)
  if (isAccepted(most)) beforePass?.()
  context.expect('IDEM-09').that('what was left before the repeats can still be bought', {
    holds: isAccepted(most),
    expected: `${units - 1} units of ${formatMoney(purse.unit)} fit the cap, by ${purse.basis}`,
    observed: showAnswer(most),
    exchanges: [...exchanges, most],
  })
  if (!isAccepted(most)) return
  const last = await purse.buy(1)
  const beyond = await purse.overspend()
  if (!isAccepted(last) || !isCapRefusal(beyond))
    inconclusive(
      `the cap is not where it is taken to be, so a single charge cannot be excluded: the last unit got ${showAnswer(last)}, one more ${showAnswer(beyond)}`,
    )
}

export const replayIsNotCharged = check({
  id: 'idempotency.replay-not-charged',
  title: 'a replay leaves the headroom of the key as it was',
  requirements: ['IDEM-09'],
  needs: {
    ...SPENDS_A_CAP,
    purchases: PURSE_PURCHASES + 4,
    transactionLimit: '8.00',
  },
  run: async (context) => {
    using purse = await openPurse(context)
    purse.needUnits(REPLAYS + 2)
    const referenceId = context.reference()
    const exchange = needSuccess(await purse.buy(1, referenceId))
    const bought = { exchange, referenceId, orderId: orderIdOf(exchange) ?? '' }
    const replays: Exchange[] = []
    for (let count = 0; count < REPLAYS; count++)
      replays.push(await replayOfSameOrder(context, bought, {}, 'capped'))
    await judgeHeadroom(context, purse, {
      units: purse.unitsLeft,
      exchanges: [exchange, ...replays],
    })
  },
})

/** Copies of one purchase, each decided. They do not go through the purse: their one unit is still to be taken off. */
async function buyTogether(buyer: Buyer): Promise<Trial & { readonly all: readonly Exchange[] }> {
  const [burst] = await releaseTogether(buyer, 1, COPIES)
  if (!burst) throw new Error('a burst of one reference has one entry')
  const all = await decideAll(buyer, burst)
  const first = all.find(isAccepted)
  if (!first) untested(`no copy succeeded: ${showAnswer(all.at(-1) as Exchange)}`)
  const orderId = orderIdOf(first) ?? ''
  if (all.some((each) => isAccepted(each) && orderIdOf(each) !== orderId))
    untested('the copies made several orders, which IDEM-12 decides')
  const { met, text, referenceId } = burst
  await replayOfSameOrder(buyer.context, { exchange: first, orderId, referenceId }, {}, buyer.role)
  return { all, met, text }
}

export const copiesAreChargedOnce = check({
  id: 'idempotency.copies-charged-once',
  title: 'copies of one purchase that arrive together are charged once',
  requirements: ['IDEM-09'],
  needs: {
    ...SPENDS_A_CAP,
    purchases: PURSE_PURCHASES + 3 + VOLLEYS_MAX + COPIES,
    transactionLimit: '30.00',
    waits: burstWaits(VOLLEYS, 1, COPIES),
    tries: VOLLEYS_MAX / VOLLEYS,
  },
  run: async (context) => {
    using purse = await openPurse(context)
    purse.needUnits(VOLLEYS + 3)
    const buyer = new Buyer(context, 'capped')
    buyer.exchanges.push(...purse.exchanges)
    const bursts = await repeatUntilPower(() => buyTogether(buyer), {
      volleysMax: Math.min(VOLLEYS_MAX, purse.unitsLeft - 3),
    })
    await judgeHeadroom(context, purse, {
      units: purse.unitsLeft - bursts.length,
      exchanges: bursts.flatMap(({ all }) => all),
      beforePass: () => needPower(bursts, 'copies'),
    })
  },
})
