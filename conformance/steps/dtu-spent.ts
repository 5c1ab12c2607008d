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

/** Others may buy with the key in that moment, or the shop service have a limit of its own: that a bucket refuses shows in each of several. */
const TRIES = 3
const PAUSE_MS_MAX = 500

/** A purchase or a check, sent again where it was refused: not for a bucket, maybe. */
export async function sendAnyway(
  context: CheckContext,
  sendOnce: (context: CheckContext) => Promise<Exchange>,
): Promise<Exchange> {
  const pauseMs = Math.min(PAUSE_MS_MAX, 100 * context.limit('orders.check').windowSeconds)
  for (let tried = 1; ; tried++) {
    const sent = await sendOnce(context)
    if (!isThrottled(sent) || tried === TRIES) return sent
    await context.wait('contention to pass', pauseMs)
  }
}
