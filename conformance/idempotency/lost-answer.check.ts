import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, show, showAnswer, untested } from '../engine/kit.ts'
import { buy, BUYS_VOUCHERS, orderIdOf, orderIdsOf } from '../steps/orders.ts'
import { BREATH_MS, LEAVES_MAX, SETTLE_MS } from '../steps/races/leaving.ts'
import { findUnder, needReferenceFilter, replay, replayOfSameOrder } from '../steps/idempotency.ts'

type Left = { readonly referenceId: string; readonly exchange: Exchange }

/** Sends a purchase and goes away after its last byte. */
async function buyAndLeave(context: CheckContext): Promise<Left> {
  for (let number = 1; ; number++) {
    const referenceId = context.reference()
    const exchange = await context.api
      .as('full')
      .createOrder({ product: 'voucher', referenceId }, { abandon: true })
    if (exchange.error?.code === 'ABANDONED') return { referenceId, exchange }
    if (number === LEAVES_MAX)
      untested(
        `none of ${LEAVES_MAX} purchases could be left before its answer: ${showAnswer(exchange)}`,
      )
    await context.wait('a quieter moment', number * BREATH_MS)
  }
}

/** The replay settles what became of a purchase whose answer was lost: one order, however late the original is. */
function lostAnswer(
  name: 'at-once' | 'later',
  title: string,
  settleMs: number,
): ReturnType<typeof check> {
  return check({
    id: `idempotency.lost-answer-${name}`,
    title,
    requirements: ['IDEM-13'],
    needs: {
      ...BUYS_VOUCHERS,
      roles: ['full'],
      purchases: 2 + LEAVES_MAX,
      waits: [
        { seconds: (settleMs + SETTLE_MS) / 1000, reason: 'what became of a lost answer' },
        { seconds: 1.5, reason: 'contention to pass' },
      ],
    },
    run: async (context) => {
      const bought = await buy(context)
      await needReferenceFilter(context)
      await replayOfSameOrder(context, bought)
      const { referenceId, exchange: left } = await buyAndLeave(context)
      await context.wait('the purchase whose client went away', settleMs)
      const replays = [
        await replay(context, { referenceId }),
        await replay(context, { referenceId }),
      ]
      await context.wait('a late second order', SETTLE_MS)
      const found = await findUnder(context, referenceId)
      // What a 5xx of contention means is for BUSY-01; here the replays that were answered count.
      const answered = replays.filter(({ response }) => (response?.status ?? 500) < 500)
      if (answered.length === 0) untested('no replay was answered but by an error of the server')
      const named = [...new Set(answered.map(orderIdOf))]
      const ids = orderIdsOf(context, found.exchange)
      context.expect('IDEM-13').that('replays settle a purchase whose answer was lost', {
        holds:
          named.length === 1 &&
          named[0] !== undefined &&
          found.count === 1 &&
          (ids === undefined || ids[0] === named[0]),
        expected: 'the replays name one order, and the referenceId finds that one',
        observed: `the replays name ${show(named)}; found ${found.count} (${show(ids)}); first replay ${showAnswer(replays[0] as Exchange)}`,
        exchanges: [left, ...replays, found.exchange],
      })
    },
  })
}

export const lostAnswerAtOnce = lostAnswer(
  'at-once',
  'a purchase whose client went away is not made twice by a replay that comes at once',
  0,
)
export const lostAnswerLater = lostAnswer(
  'later',
  'a purchase whose client went away is not made twice by a replay that comes later',
  SETTLE_MS,
)
