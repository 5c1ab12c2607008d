import { CHECK_BUCKET_NAMED } from '../../../contract/limits.ts'
import { howToTell, isSizeKnown } from '../../../harness/quota/effective-limits.ts'
import { keyOfEndpoint, type QuotaKey } from '../../../harness/quota/quota-key.ts'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { inapplicable, inconclusive, isThrottled, messageOf, untested } from '../../engine/kit.ts'

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
  if (
    named.length === 0 &&
    refused.some((each) => context.mayHaveSpent(each, { counter: windowOfOrders(each) }))
  )
    inconclusive(
      `other requests of this run may have spent the window of POST /orders (${own.count} in ${own.windowSeconds} s), which may have refused the checks`,
    )
  if (named.length > 0)
    untested('only some refusals name the check bucket, so another window refused the other checks')
}

function windowOfOrders({ account }: Exchange): QuotaKey {
  return keyOfEndpoint(`account ${account}`, 'createOrder')
}

/** Whether the window of POST /orders may be spent by checks that their bucket admits. */
export function mayRefuseFirst({ limit }: Pick<CheckContext, 'limit'>): boolean {
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
