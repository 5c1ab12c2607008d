import {
  type CheckContext,
  type Exchange,
  check,
  inapplicableUnlessBusy,
  inconclusive,
  show,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { buy, dataOf, type Bought, patienceSeconds, pollToEnd } from '../steps/orders.ts'
import { replay } from '../steps/idempotency.ts'
import { POLLS_IN_TIME } from '../steps/rate-limits/counters.ts'
import {
  BUYS_LATER,
  envelopeStatusOf,
  isFinished,
  isKnownStatus,
  isShownPending,
  look,
  pollEach,
  type Reading,
} from '../steps/states.ts'

const PRODUCT = 'voucher-async'
const PENDING = 'IN_PROGRESS'

export const acceptedPurchase = check({
  id: 'states.accepted-purchase',
  title: 'an asynchronous purchase is accepted with 202 and IN_PROGRESS',
  requirements: ['ASYNC-01', 'ASYNC-02'],
  needs: { ...BUYS_LATER, purchases: 1 },
  run: async (context) => {
    const { exchange, orderId } = await buy(context, { product: PRODUCT })
    const { item, exchange: reading } = await look(context, { orderId }, orderId)
    const states = [envelopeStatusOf(exchange), dataOf(exchange)['status']]
    const shown = states.filter(isKnownStatus)
    const goesOn =
      exchange.response?.status === 202 || [...shown, item?.['status']].includes(PENDING)
    if (!goesOn) untested(`the purchase finished at once: ${showAnswer(exchange)}`)
    context.expect('ASYNC-01').that('the purchase goes on asynchronously and is answered by 202', {
      holds: exchange.response?.status === 202,
      expected: 'HTTP 202',
      observed: showAnswer(exchange),
      exchanges: [exchange, reading],
    })
    context.expect('ASYNC-02').that('the answer shows the order as IN_PROGRESS', {
      holds: isShownPending(exchange, states[1]),
      expected: 'status IN_PROGRESS',
      observed: `status ${show(states[0])} in the envelope, ${show(states[1])} in data`,
      exchanges: [exchange],
    })
    context.observe('OPEN-89', `the envelope of a pending order says ${show(states[0])}`, [
      exchange,
    ])
  },
})

export const polling = check({
  id: 'states.polling',
  title: 'an asynchronous order can be polled by orderId and by referenceId until it has finished',
  requirements: ['ASYNC-03', 'ASYNC-04', 'STATE-02'],
  needs: {
    ...BUYS_LATER,
    purchases: 2,
    windows: [POLLS_IN_TIME],
    waits: [{ orders: 2, product: PRODUCT }],
  },
  run: async (context) => {
    const bought = await buy(context, { product: PRODUCT })
    const { orderId, referenceId } = bought
    const second = await buy(context, { product: PRODUCT })
    const rounds = await pollEach(context, PRODUCT, orderId, [{ orderId }, { referenceId }])
    const [byId, byReference] = [0, 1].map((index) =>
      rounds.flatMap((round) => round.slice(index, index + 1)),
    ) as [Reading[], Reading[]]
    context
      .expect('ASYNC-03')
      .that('every poll by orderId finds the order', pollClaim(bought, byId))
    context
      .expect('ASYNC-04')
      .that('every poll by referenceId finds the order', pollClaim(bought, byReference))
    const stated = context.target.products[PRODUCT]?.completesWithinSeconds
    if (![...byId, ...byReference].some(({ item }) => isKnownStatus(item?.['status'])))
      untested(`no poll showed a known state: ${statusesOf(byId)}`)
    const ends = rounds.some((round) => round.some(isFinished))
    if (!ends && stated === undefined)
      inconclusive(
        `the order did not finish within ${patienceSeconds(context, PRODUCT)} seconds, and the target file states no completesWithinSeconds for ${PRODUCT}`,
      )
    context.expect('STATE-02').that('the order leaves IN_PROGRESS', {
      holds: ends,
      expected: `a terminal status; the target file states ${stated ?? 'no number of'} seconds`,
      observed: `${statusesOf(byId)} after ${patienceSeconds(context, PRODUCT)} seconds at most`,
      exchanges: [bought.exchange, ...lastOf(byId), ...lastOf(byReference)],
    })
    if (ends && stated !== undefined) await judgeSecond(context, second)
  },
})

/** Both are ready at about the same time: one that is left out then is never delivered. */
async function judgeSecond(context: CheckContext, { exchange, orderId }: Bought): Promise<void> {
  const last = (await pollToEnd(context, PRODUCT, { orderId })).slice(-1)
  context.expect('STATE-02').that('an order that was bought right after another leaves it too', {
    holds: last.some(({ item }) => item['status'] !== PENDING),
    expected: 'a terminal status, as the order before it',
    observed: last.map((reading) => showAnswer(reading.exchange)).join('; '),
    exchanges: [exchange, ...last.map((reading) => reading.exchange)],
  })
}

function pollClaim(
  { exchange }: Bought,
  readings: readonly Reading[],
): { holds: boolean; expected: string; observed: string; exchanges: Exchange[] } {
  const missed = readings.find(({ item }) => item === undefined)
  return {
    holds: missed === undefined,
    expected: `the order in each of ${readings.length} readings`,
    observed: missed ? showAnswer(missed.exchange) : statusesOf(readings),
    exchanges: [exchange, ...(missed ? [missed.exchange] : lastOf(readings))],
  }
}

function statusesOf(readings: readonly Reading[]): string {
  return show([...new Set(readings.map(({ item }) => item?.['status'] ?? 'not found'))])
}

function lastOf(readings: readonly Reading[]): Exchange[] {
  return readings.slice(-1).map(({ exchange }) => exchange)
}

/** Orders that finish before the first reading tell nothing; so many are tried. */
const ORDERS_MAX = 3

export const listedState = check({
  id: 'states.listed-state',
  title: 'the list shows the state of the order, not that of the request',
  requirements: ['ENV-10'],
  needs: {
    ...BUYS_LATER,
    purchases: ORDERS_MAX * 2,
    // An order that a 202 announced may have to be looked for: two looks more, and the reading itself again.
    windows: [POLLS_IN_TIME],
  },
  run: async (context) => {
    const { expect } = context
    for (let attempt = 1; attempt <= ORDERS_MAX; attempt++) {
      const bought = await buy(context, { product: PRODUCT })
      const { orderId } = bought
      const first = await look(context, { orderId }, orderId)
      if (!first.item) untested(`the order was not found: ${showAnswer(first.exchange)}`)
      const status = first.item['status']
      if (!isKnownStatus(status)) untested(`the list shows no known state: ${show(status)}`)
      const proof = status === PENDING ? undefined : await proveItWasPending(context, bought)
      if (status !== PENDING && !proof) continue
      expect('ENV-10').that('a pending order reads IN_PROGRESS in the list', {
        holds: status === PENDING,
        expected: `items[].status IN_PROGRESS, whatever the envelope says`,
        observed: `items[].status ${show(status)}, envelope ${show(envelopeStatusOf(first.exchange))}`,
        exchanges: [bought.exchange, first.exchange, ...(proof ?? [])],
      })
      return
    }
    inapplicableUnlessBusy(`${ORDERS_MAX} asynchronous orders had finished at the first reading`)
  },
})

/**
 * The list does not show the order as pending. That it was pending all the same is proven by replays alone: one sent after the
 * reading says IN_PROGRESS, and a later one, which says otherwise, shows that replays give the state of the moment.
 */
async function proveItWasPending(
  context: Parameters<typeof buy>[0],
  bought: Bought,
): Promise<Exchange[] | undefined> {
  const after = await replay(context, bought, { product: PRODUCT })
  if (dataOf(after)['status'] !== PENDING) return undefined
  await context.wait('an order to finish', patienceSeconds(context, PRODUCT) * 1000)
  const later = await replay(context, bought, { product: PRODUCT })
  return dataOf(later)['status'] === PENDING ? undefined : [after, later]
}
