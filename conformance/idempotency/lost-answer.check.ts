import { type Exchange, check, needSuccess, show, showAnswer, untested } from '../engine/kit.ts'
import { orderIdOf, orderIdsOf } from '../steps/orders.ts'
import { OTHER_KINDS, VOUCHERS, type Kind, type Send } from '../steps/kinds.ts'
import { abandon, ABANDONED_MAX, COMPLETION_MS } from '../steps/races/abandoned.ts'
import { findUnder, needReferenceFilter } from '../steps/idempotency.ts'

/** The replay settles what became of a purchase whose answer was lost: one order, however late the original is. */
function lostAnswer(
  name: string,
  { kind, title, waitMs }: { kind: Kind; title: string; waitMs: number },
): ReturnType<typeof check> {
  return check({
    id: `idempotency.lost-answer-${name}`,
    title,
    requirements: ['IDEM-13'],
    needs: {
      ...kind.needs,
      roles: ['full'],
      purchases: 2 + ABANDONED_MAX,
      waits: [
        { seconds: (waitMs + COMPLETION_MS) / 1000, reason: 'what became of a lost answer' },
        { seconds: 1.5, reason: 'contention to pass' },
      ],
    },
    run: async (context) => {
      await needReplay(await kind.begin(context, 'full'))
      await needReferenceFilter(context)
      const sends = new Map<string, Send>()
      const { referenceId, exchange: left } = await abandon(context, async (reference, options) => {
        const send = await kind.begin(context, 'full', reference)
        sends.set(reference, send)
        return send(options)
      })
      const again = sends.get(referenceId) as Send
      await context.wait('the purchase whose client went away', waitMs)
      const replays = [await again(), await again()]
      await context.wait('a late second order', COMPLETION_MS)
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

/** A purchase that is sent twice gives its order twice: that it does is decided by IDEM-03. */
async function needReplay(send: Send): Promise<void> {
  const orderId = orderIdOf(needSuccess(await send()))
  const again = await send()
  if (orderId === undefined || orderIdOf(again) !== orderId)
    untested(`the second request did not give the original order: ${showAnswer(again)}`)
}

export const lostAnswerAtOnce = lostAnswer('at-once', {
  kind: VOUCHERS,
  title: 'a purchase whose client went away is not made twice by a replay that comes at once',
  waitMs: 0,
})
export const lostAnswerLater = lostAnswer('later', {
  kind: VOUCHERS,
  title: 'a purchase whose client went away is not made twice by a replay that comes later',
  waitMs: COMPLETION_MS,
})

function lostAnswerOf(kind: Kind): ReturnType<typeof check> {
  const title = `${kind.what} whose client went away is not bought twice by a replay`
  return lostAnswer(kind.name, { kind, title, waitMs: COMPLETION_MS })
}

export const lostTopUp = lostAnswerOf(OTHER_KINDS.topUp)
export const lostEsim = lostAnswerOf(OTHER_KINDS.esim)
export const lostGift = lostAnswerOf(OTHER_KINDS.gift)
