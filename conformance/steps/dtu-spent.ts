import { CHECK_BUCKET_NAMED } from '../../contract/limits.ts'
import { howToTell, isSizeKnown } from '../../harness/quota/effective-limits.ts'
import type { CheckContext, Exchange, Needs } from '../engine/kit.ts'
import { inapplicable, isThrottled, messageOf, needSuccess, untested } from '../engine/kit.ts'
import {
  betweenRefusals,
  RETURN_429_UNPACED,
  type BetweenRefusals,
  type Send,
} from './rate-limits/between-refusals.ts'
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

/**
 * A check may count in the window of POST /orders too (OPEN-44). If that is no larger than the check bucket, it refuses first, and need
 * not name the bucket. Even a larger one may refuse in between: its window is shorter, or purchases with the same key spend it.
 * `isExplained`: the bucket alone explains every answer, so refusals that do not name it leave nothing open.
 */
export function leaveToOwnWindow(
  context: CheckContext,
  refused: readonly Exchange[],
  isExplained = false,
): void {
  const named = refused.filter((refusal) => CHECK_BUCKET_NAMED.test(messageOf(refusal)))
  if (named.length === refused.length || (named.length > 0 && isExplained)) return
  const own = context.limit('default', 'createOrder')
  if (mayRefuseFirst(context)) {
    const reason = `the window of POST /orders admits ${own.count} requests in ${own.windowSeconds} s, so it may refuse checks before their bucket does`
    if (isSizeKnown(own)) inapplicable(reason)
    untested(`${reason}: ${howToTell('default', 'createOrder')}`)
  }
  if (named.length > 0)
    untested('only some refusals name the check bucket, so another window refused the other checks')
}

/** Whether the window of POST /orders may be spent by checks that their bucket admits. */
function mayRefuseFirst({ limit }: Pick<CheckContext, 'limit'>): boolean {
  const own = limit('default', 'createOrder')
  const bucket = limit('orders.check')
  const bucketsMax = Math.ceil(own.windowSeconds / bucket.windowSeconds) + 1
  return own.count <= bucket.count * bucketsMax
}

/** Refusals that the bucket gives name it. Those of a larger window of POST /orders, which counts refused checks too, need not. */
export function isOfLargerWindow(context: Pick<CheckContext, 'limit'>, refused: Exchange): boolean {
  return (
    isThrottled(refused) && !CHECK_BUCKET_NAMED.test(messageOf(refused)) && !mayRefuseFirst(context)
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
