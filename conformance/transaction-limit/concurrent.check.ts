import { spendEventsOf } from '../../harness/judge/rules/purchases.ts'
import { judgeSpend } from '../../harness/judge/spend.ts'
import { formatMoney, type Micros } from '../../harness/money.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, isAccepted, isCapRefusal, isLost, untested } from '../engine/kit.ts'
import { countTogether, needPower, BURSTS, BURSTS_MAX, worthOf } from '../steps/races/race.ts'
import {
  release,
  retry,
  burstSize,
  BURST_SIZE,
  type Order,
  type Burst,
} from '../steps/races/burst.ts'
import { priceOf } from '../steps/buyer.ts'
import {
  openCappedKey,
  CAPPED_KEY_PURCHASES,
  SPENDS_A_CAP,
  type CappedKey,
} from '../steps/cap/capped-key.ts'
import { unitsByPrices, unitsOfBursts } from '../steps/cap/room.ts'
import { capMovedByOthers } from '../steps/cap/watch.ts'
import { attemptedAtRest } from '../steps/rules.ts'

/** Of a lasting cap so much stays that the check of its boundary can be carried out after this one: rather more than it needs. */
const UNITS_STAY = [7, 6, 5, 4, 3, 2] as const

/** Nothing is under way at the boundary of the cap, so little can be in the way. */
const BOUNDARY_RETRIES_MAX = 1

/** Each burst takes half of the room, so fewer fit where one order holds few pieces. */
const BURSTS_OF_SMALL_ORDERS = 3

/** How often a key is used up as far as one order reaches: the size that the target takes is learned meanwhile. */
const FILLS_MAX = 3

/** A race that ended: the cap it started from and everything sent since. */
type Race = {
  readonly cappedKey: CappedKey
  headroom: Micros
  /** Units that it leaves untouched. */
  readonly unitsStay: number
  readonly bursts: Burst[]
  readonly orders: Order[]
}

async function race(cappedKey: CappedKey): Promise<Race> {
  const unitsStay = unitsThatStay(cappedKey)
  const state: Race = { cappedKey, headroom: cappedKey.left, unitsStay, bursts: [], orders: [] }
  const size = burstSize(cappedKey)
  let fills = 0
  while (state.bursts.length < BURSTS_MAX && cappedKey.unitsLeft > 0) {
    const isLacking = countTogether(state.bursts) < BURSTS
    const units = unitsByPrices(cappedKey, size, isLacking)
    if (unitsStay > 0 && (!isLacking || cappedKey.unitsLeft - units < unitsStay)) break
    const burst = await release(cappedKey, size, units)
    if (fills < FILLS_MAX && isRefusedForSize(burst, cappedKey)) {
      fills += 1
      await cappedKey.fill(leftForRace)
      state.headroom = cappedKey.left
      continue
    }
    state.bursts.push(burst)
    state.orders.push(...burst.orders)
    // A purchase without an answer may have been made: its reference tells.
    for (const order of burst.orders)
      if (!order.attempts[0] || isLost(order.attempts[0])) await retry(cappedKey, order)
  }
  return state
}

/** None of them was made, and none contended. */
function isRefusedForSize({ orders }: Burst, { context: { pieces } }: CappedKey): boolean {
  return orders.every(
    ({ units, attempts: [first] }) => first !== undefined && pieces.isTooLarge(units, first),
  )
}

/** The most from which one order of the first burst, as large as the target takes, fits and the next one does not. */
function leftForRace(most: number, each: Micros): Micros {
  return BigInt(2 * most - 1) * each
}

/**
 * A cap that is too small for both is used up here. In a message, a headroom that is the hundredth of a round cap looks like that cap.
 */
function unitsThatStay(cappedKey: CappedKey): number {
  if (cappedKey.fresh) return 0
  const isRoom = (units: number): boolean => cappedKey.unitsLeft >= unitsOfBursts(BURSTS, units)
  const isHundredth = (units: number): boolean =>
    100n * cappedKey.amountOf(units) === cappedKey.limit
  return UNITS_STAY.find((units) => isRoom(units) && !isHundredth(units)) ?? 0
}

/**
 * After quiet: all that is left in one order, then one unit, which no longer fits. Where something has to stay, one unit more than all
 * that is left.
 */
async function probeBoundary({ cappedKey, unitsStay, orders }: Race): Promise<readonly Exchange[]> {
  const probes: Exchange[] = []
  const probe = async (units: number): Promise<void> => {
    if (units < 1 || cappedKey.left < 0n) return
    const order = { referenceId: cappedKey.context.reference(), units, attempts: [] }
    orders.push(order)
    probes.push(await retry(cappedKey, order, BOUNDARY_RETRIES_MAX))
  }
  if (unitsStay > 0) {
    await probe(cappedKey.unitsBeyond)
    return probes
  }
  await probe(cappedKey.unitsLeft)
  // Where the last unit is withheld, which is another requirement's matter, the boundary of the cap lies one unit lower.
  await probe(cappedKey.unitsLeft - 1)
  await probe(1)
  // Many that cost less leave a rest that fits single ones.
  const last = probes.at(-1)
  if (last && isAccepted(last)) await probe(cappedKey.unitsBeyond)
  return probes
}

export const concurrent = check({
  id: 'transaction-limit.concurrent',
  title: 'purchases made at the same time never exceed the cap, and what fits is not refused by it',
  requirements: ['CAP-01', 'CAP-13'],
  needs: {
    ...SPENDS_A_CAP,
    transactionLimit: '600.00',
    drainsCap: 'nearly',
    purchases: CAPPED_KEY_PURCHASES + BURSTS_MAX * BURST_SIZE + 3,
    waits: [{ requests: 2 + BURSTS_MAX * BURST_SIZE + 3 }],
    // A burst that the ledger spreads over windows would spend half of the room and tell nothing.
    windows: [
      { bucket: 'default', role: 'capped', operation: 'createOrder', units: BURSTS * BURST_SIZE },
    ],
  },
  movedByOthers: capMovedByOthers('CAP-01'),
  run: async (context) => {
    using cappedKey = await openCappedKey(context)
    cappedKey.needUnits(unitsOfBursts(BURSTS))
    const state = await race(cappedKey)
    const probes = await probeBoundary(state)
    judgeRace(context, state, probes)
  },
})

function judgeRace(
  context: CheckContext,
  { cappedKey, headroom, bursts, orders }: Race,
  probes: readonly Exchange[],
): void {
  const { expect } = context
  const events = orders.flatMap(({ attempts, units }) =>
    spendEventsOf(attemptedAtRest(attempts), ({ exchange }) =>
      isAccepted(exchange) ? priceOf(context, exchange) : cappedKey.mostOf(units),
    ),
  )
  const { okSum, overspent } = judgeSpend(headroom, events)
  // Less one millionth: whether the very last unit is to be had is the matter of another requirement.
  const { falseRefusals } = judgeSpend(headroom - 1n, events)
  const { pieces } = context
  const asked = pieces.refused === Number.POSITIVE_INFINITY ? BURSTS : BURSTS_OF_SMALL_ORDERS
  if (overspent === 0n && falseRefusals.length === 0) needPower(bursts, 'purchases', { asked })
  const accepted = orders.flatMap(({ attempts }) => attempts.filter(isAccepted).slice(0, 1))
  const within = expect('CAP-13').that('what was bought at the same time stays within the cap', {
    holds: overspent === 0n,
    expected: `at most ${formatMoney(headroom)} (${cappedKey.basis})`,
    observed: `${formatMoney(okSum)} by ${accepted.length} accepted purchases; ${worthOf(bursts)}`,
    exchanges: accepted.slice(-8),
  })
  expect('CAP-01').that(
    'each refusal by the cap is explained by purchases sent before its answer',
    {
      holds: falseRefusals.length === 0,
      expected: `only what does not leave a rest of ${formatMoney(headroom)} is refused`,
      observed: `${falseRefusals.length} of ${orders.length} purchases were refused although they fitted`,
      exchanges: falseRefusals.flatMap((index) => events[index]?.attempt.exchange ?? []),
    },
  )
  // Without a refusal at the boundary of the cap the counter may have lost what the bursts bought, and nobody would know.
  const answer = probes.at(-1)
  if (within && !(answer && isCapRefusal(answer)))
    untested(
      `the cap was not seen to bind at its boundary, with ${formatMoney(cappedKey.left)} left`,
    )
}
