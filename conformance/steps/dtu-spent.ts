import type { CheckContext, Exchange, Needs } from '../engine/kit.ts'
import { isThrottled, needSuccess } from '../engine/kit.ts'
import {
  betweenRefusals,
  freshWindows,
  RETURN_429_UNPACED,
  type BetweenRefusals,
} from './rate-limits/between-refusals.ts'
import { askForCheck, bucketOf, CHECKS_TOP_UPS } from './dtu-check.ts'

/** What checks need that spend the check bucket. */
export const NEEDS_BUCKET = {
  ...CHECKS_TOP_UPS,
  windows: [bucketOf('full')],
  // The control of a bucket that others spent.
  waits: [freshWindows('orders.check')],
} as const satisfies Needs

/** Spends the check bucket of the role full, then sends what is to be seen while it is spent. */
export async function whileSpent(
  context: CheckContext,
  ...probes: Parameters<typeof betweenRefusals>[3]
): Promise<BetweenRefusals> {
  needSuccess(await askForCheck(context))
  return betweenRefusals(
    context,
    'orders.check',
    () => askForCheck(context, RETURN_429_UNPACED),
    probes,
  )
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
