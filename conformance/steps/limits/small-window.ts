/** Windows that a check spends by sending one purchase again and again. */
import type { WindowLimit } from '../../../contract/limits.ts'
import { howToTell, isSizeKnown } from '../../../harness/quota/effective-limits.ts'
import type { CheckContext } from '../../engine/kit.ts'
import { inapplicable, untested } from '../../engine/kit.ts'

/** What replays of each spend in little time: a checkout takes longer than an order. */
const SPENT_MAX = {
  createOrder: { what: 'orders', count: 150 },
  createCart: { what: 'checkouts', count: 60 },
} as const

/** The window of an endpoint that buys; untested where its size is not known, inapplicable where it is too large to be spent. */
export function needSmallWindow(
  context: CheckContext,
  operation: keyof typeof SPENT_MAX,
): WindowLimit {
  const { what, count } = SPENT_MAX[operation]
  const limit = context.limit('default', operation)
  if (!isSizeKnown(limit))
    untested(`how many ${what} a window admits is not known: ${howToTell('default', operation)}`)
  if (limit.count > count)
    inapplicable(`a window admits ${limit.count} ${what}, too many to be spent for this`)
  return limit
}
