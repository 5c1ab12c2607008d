import type { CheckContext, Exchange, Needs } from '../engine/kit.ts'
import { isThrottled, needSuccess } from '../engine/kit.ts'
import {
  betweenRefusals,
  RETURN_429_UNPACED,
  type BetweenRefusals,
  type Send,
} from './rate-limits/between-refusals.ts'
import { leaveToOwnWindow } from './rate-limits/check-bucket.ts'
import { askForCheck, bucketOf, CHECKS_TOP_UPS } from './dtu-check.ts'

/** What checks need that spend the check bucket. */
export const NEEDS_BUCKET = {
  ...CHECKS_TOP_UPS,
  windows: [bucketOf('full')],
} as const satisfies Needs

/** Spends the check bucket of the role full, then sends what is to be seen while it is spent. */
export async function whileSpent(
  context: CheckContext,
  ...probes: readonly Send[]
): Promise<BetweenRefusals> {
  await needAnswered(context)
  return betweenRefusals(context, {
    bucket: 'orders.check',
    spend: async () => {
      const asked = await askForCheck(context, RETURN_429_UNPACED)
      // At once: a shorter window opens again before the probes are judged, in every attempt.
      if (isThrottled(asked)) leaveToOwnWindow(context, [asked])
      return asked
    },
    probes,
  })
}

/** Checks are answered at all, where nothing spent their bucket. */
export async function needAnswered(context: CheckContext): Promise<void> {
  needSuccess(await context.once('check of a top-up', () => askForCheck(context)))
}

/** Others may buy with the key in that moment: that a bucket refuses a purchase shows in each of several. */
const PURCHASE_TRIES = 3
const CONTENTION_MS_MAX = 500

/** A purchase, sent again where it was refused: it may have met another one of its key. */
export async function buyAnyway(
  context: CheckContext,
  buyOnce: (context: CheckContext) => Promise<Exchange>,
): Promise<Exchange> {
  const pauseMs = Math.min(CONTENTION_MS_MAX, 100 * context.limit('orders.check').windowSeconds)
  for (let tried = 1; ; tried++) {
    const bought = await buyOnce(context)
    if (!isThrottled(bought) || tried === PURCHASE_TRIES) return bought
    await context.wait('contention to pass', pauseMs)
  }
}
