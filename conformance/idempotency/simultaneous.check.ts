import { judgeDuplicates } from '../../harness/judge/duplicates.ts'
import type { CallOptions, CheckContext, Exchange } from '../engine/kit.ts'
import { check, needSuccess, show, showAnswer, untested } from '../engine/kit.ts'
import {
  conclude,
  isBroken,
  countTogether,
  repeatUntilPower,
  BURSTS,
  BURSTS_MAX,
  type JudgedTrial,
} from '../steps/races/race.ts'
import { buy, BUYS_VOUCHERS, itemsOf, orderIdOf } from '../steps/orders.ts'
import { Buyer } from '../steps/buyer.ts'
import {
  burstWaits,
  COPIES,
  decideAll,
  releaseTogether,
  type Burst,
} from '../steps/races/replay-bursts.ts'
import { OTHER_KINDS, VOUCHERS, type Kind, type Send } from '../steps/kinds.ts'
import { findUnder, needReferenceFilter, replayOfSameOrder } from '../steps/idempotency.ts'

const REFERENCES = 10
const COPIES_OF_EACH = 3

/** Each reference of such a burst is a race of its own, so one burst of n references is worth n bursts of one. */
const BURSTS_OF_MANY_MAX = 3

/** Whether the copies of a burst made one order. What holds is recorded only when all bursts are enough for a pass. */
type Judged = Burst & JudgedTrial

async function judgeBurst(buyer: Buyer, burst: Burst): Promise<Judged> {
  const { context } = buyer
  const { referenceId, copies } = burst
  const all = await decideAll(buyer, burst)
  const { holds, observed } = judgeDuplicates(
    all.map((exchange) => ({ status: exchange.response?.status, orderId: orderIdOf(exchange) })),
  )
  const last = await buyer.send(1, referenceId)
  const { exchange, count } = await findUnder(context, referenceId)
  const named = new Set(all.map(orderIdOf).filter((id) => id !== undefined))
  const isOne = count === 1 && [...named].every((id) => id === orderIdOf(last))
  const record = (): void => {
    context.expect('IDEM-12').that(`${copies.length} copies of one purchase sent together`, {
      holds,
      expected: 'every success names one order; the others get 429 with Retry-After',
      observed: `${observed}; ${burst.text}`,
      exchanges: all,
    })
    context
      .expect('IDEM-12')
      .that('afterwards a replay gives that order, and the referenceId finds one', {
        holds: isOne,
        expected: `order ${show([...named])}, found once`,
        observed: `found ${count}; replay ${showAnswer(last)}`,
        exchanges: [last, exchange],
      })
  }
  return { ...burst, holds: holds && isOne, record }
}

/** Copies one after the other make one order, or copies at once prove nothing more. */
async function openBuyer(context: CheckContext): Promise<Buyer> {
  const buyer = new Buyer(context, 'full')
  const bought = await buy(context)
  await needReferenceFilter(context)
  buyer.exchanges.push(bought.exchange, await replayOfSameOrder(context, bought))
  return buyer
}

async function releaseCopies(buyer: Buyer): Promise<Judged> {
  const [burst] = await releaseTogether(buyer, 1, COPIES)
  if (!burst) throw new Error('a burst of one reference has one entry')
  return judgeBurst(buyer, burst)
}

/** Buys one kind: the same under a reference each time, or the copies are none. */
class KindBuyer extends Buyer {
  readonly #kind: Kind
  readonly #sends = new Map<string, Promise<Send>>()

  constructor(context: CheckContext, kind: Kind) {
    super(context, 'full')
    this.#kind = kind
  }

  override async send(
    _: number,
    referenceId: string,
    options: CallOptions = {},
  ): Promise<Exchange> {
    const begun = this.#sends.get(referenceId)
    const sending = begun ?? this.#kind.begin(this.context, this.role, referenceId)
    this.#sends.set(referenceId, sending)
    const exchange = await (await sending)(options)
    this.exchanges.push(exchange)
    return exchange
  }
}

/** Copies of one purchase of a kind of its own. */
function copiesOf(kind: Kind, title: string): ReturnType<typeof check> {
  return check({
    id: `idempotency.copies-of-${kind.name}`,
    title: `${COPIES} copies of one ${title}`,
    requirements: ['IDEM-12'],
    needs: {
      ...kind.needs,
      roles: ['full'],
      purchases: BURSTS_MAX + COPIES,
      waits: burstWaits(BURSTS, 1, COPIES),
      tries: BURSTS_MAX / BURSTS,
    },
    run: async (context) => {
      const buyer = new KindBuyer(context, kind)
      const referenceId = context.reference()
      const bought = needSuccess(await buyer.send(1, referenceId))
      await needReferenceFilter(context)
      const again = await buyer.send(1, referenceId)
      if (orderIdOf(bought) === undefined || orderIdOf(again) !== orderIdOf(bought))
        untested(`the second request did not give the original order: ${showAnswer(again)}`)
      conclude(await repeatUntilPower(() => releaseCopies(buyer), { isOver: isBroken }), 'copies')
    },
  })
}

export const copiesOfOne = copiesOf(
  { ...VOUCHERS, name: 'one' },
  'purchase that arrive together create one order',
)

export const copiesOfTopUp = copiesOf(OTHER_KINDS.topUp, 'top-up that arrive together top up once')

export const copiesOfEsim = copiesOf(
  OTHER_KINDS.esim,
  'eSIM purchase that arrive together buy one eSIM',
)

export const copiesOfGift = copiesOf(
  OTHER_KINDS.gift,
  'gift purchase that arrive together buy one gift',
)

export const copiesOfLater = copiesOf(
  OTHER_KINDS.later,
  'order of vouchers that come later, which arrive together, create one order',
)

export const copiesOfLongOrder = copiesOf(
  OTHER_KINDS.long,
  'long order that arrive together create one order',
)

export const copiesOfUnits = copiesOf(
  OTHER_KINDS.units,
  'top-up by units that arrive together top up once',
)

/** The order that was bought before all others can still be read. */
async function expectKept(context: CheckContext, first: Exchange | undefined): Promise<void> {
  const orderId = first && orderIdOf(first)
  if (first === undefined || orderId === undefined) return
  const read = await context.api.as('full').getOrders({ orderId })
  context.expect('GET-07').that(`an order after ${REFERENCES} others of its key`, {
    holds: (itemsOf(read)?.length ?? 0) > 0,
    expected: `order ${orderId}`,
    observed: showAnswer(read),
    exchanges: [first, read],
  })
}

export const copiesOfMany = check({
  id: 'idempotency.copies-of-many',
  title: `${REFERENCES} purchases in ${COPIES_OF_EACH} copies each, sent together, create one order each`,
  requirements: ['GET-07', 'IDEM-12'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full'],
    purchases: 1 + REFERENCES * COPIES_OF_EACH * BURSTS_OF_MANY_MAX,
    waits: burstWaits(1, REFERENCES, COPIES_OF_EACH),
    tries: BURSTS_OF_MANY_MAX,
  },
  run: async (context) => {
    const buyer = await openBuyer(context)
    const judged: Judged[] = []
    for (let burst = 0; burst < BURSTS_OF_MANY_MAX && !isBroken(judged); burst++) {
      if (countTogether(judged) >= BURSTS) break
      const released = await releaseTogether(buyer, REFERENCES, COPIES_OF_EACH)
      for (const each of released) judged.push(await judgeBurst(buyer, each))
    }
    await expectKept(context, buyer.exchanges[0])
    conclude(judged, 'copies')
  },
})
