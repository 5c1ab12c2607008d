import {
  type CheckDefinition,
  asText,
  check,
  needSuccess,
  show,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { orderIdsOf } from '../steps/orders.ts'
import { OTHER_KINDS, VOUCHERS, type Kind, type Send } from '../steps/kinds.ts'
import { abandon, ABANDONED_MAX, COMPLETION_MS } from '../steps/races/abandoned.ts'
import { findUnder, needReferenceFilter } from '../steps/idempotency.ts'

type Lost = {
  readonly formerIds?: readonly string[]
  readonly requirement?: 'IDEM-13' | 'CART-04'
}

/** The replay settles what became of a purchase whose answer was lost: it is made once, however late the original is. */
function lostAnswer(
  kind: Kind,
  { formerIds = [], requirement = 'IDEM-13' }: Lost = {},
): CheckDefinition {
  return check({
    id: `idempotency.lost-answer-${kind.name}`,
    formerIds,
    title: `${kind.what} whose client went away is not bought twice by replays, at once and later`,
    requirements: [requirement],
    needs: {
      ...kind.needs,
      roles: ['full'],
      purchases: kind.orders * (2 + ABANDONED_MAX),
      waits: [
        { seconds: (2 * COMPLETION_MS) / 1000, reason: 'what became of a lost answer' },
        { seconds: 1.5, reason: 'contention to pass' },
      ],
    },
    run: async (context) => {
      await needReplay(kind, await kind.begin(context, 'full'))
      await needReferenceFilter(context)
      const sends = new Map<string, Send>()
      const { referenceId, exchange: left } = await abandon(context, async (reference, options) => {
        const send = await kind.begin(context, 'full', reference)
        sends.set(reference, send)
        return send(options)
      })
      const again = sends.get(referenceId) as Send
      const atOnce = await again()
      await context.wait('the purchase whose client went away', COMPLETION_MS)
      const replays = [atOnce, await again()]
      await context.wait('a late second purchase', COMPLETION_MS)
      const found = await findUnder(context, referenceId)
      // What a 5xx of contention means is for BUSY-01; here the replays that were answered count.
      const answered = replays.filter(({ response }) => (response?.status ?? 500) < 500)
      if (answered.length === 0) untested('no replay was answered but by an error of the server')
      const named = [...new Set(answered.map(kind.idOf))]
      const ids = orderIdsOf(context, found.exchange)
      context.expect(requirement).that('replays settle a purchase whose answer was lost', {
        holds:
          named.length === 1 &&
          named[0] !== undefined &&
          found.count === kind.orders &&
          (ids === undefined || ids.map(asText).toSorted().join() === named[0]),
        expected: 'the replays name one purchase, and the referenceId finds that one',
        observed: `the replays name ${show(named)}; found ${found.count} (${show(ids)}); first replay ${showAnswer(atOnce)}`,
        exchanges: [left, ...replays, found.exchange],
      })
    },
  })
}

/** A purchase that is sent twice is made once: that it is, IDEM-03 and CART-04 decide. */
async function needReplay({ idOf }: Kind, send: Send): Promise<void> {
  const bought = idOf(needSuccess(await send()))
  const again = await send()
  if (bought === undefined || idOf(again) !== bought)
    untested(`the second request did not give the original purchase: ${showAnswer(again)}`)
}

export const lostVoucher = lostAnswer(VOUCHERS, {
  formerIds: ['at-once', 'later'].map((when) => `idempotency.lost-answer-${when}`),
})
export const lostTopUp = lostAnswer(OTHER_KINDS.topUp)
export const lostEsim = lostAnswer(OTHER_KINDS.esim)
export const lostGift = lostAnswer(OTHER_KINDS.gift)
export const lostCheckout = lostAnswer(OTHER_KINDS.checkout, {
  formerIds: ['cart.lost-answer'],
  requirement: 'CART-04',
})
