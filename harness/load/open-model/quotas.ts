import { limitOf, type EffectiveLimits } from '../../quota/effective-limits.ts'
import type { Bucket, WindowLimit } from '../../../contract/limits.ts'
import type { OperationName } from '../../../contract/operations.ts'
import type { SessionOperation } from '../../../load/protocol/open-model.ts'

/** What an account's requests of one kind are counted by. */
export type SessionQuota = {
  readonly bucket: Bucket
  readonly endpoint: OperationName
}

const LISTING = { bucket: 'default', endpoint: 'listServices' } as const
const LOOKUP = { bucket: 'default', endpoint: 'lookupItems' } as const
const ITEM = { bucket: 'default', endpoint: 'getItem' } as const
const ORDER = { bucket: 'default', endpoint: 'createOrder' } as const
const CART = { bucket: 'default', endpoint: 'createCart' } as const
const FILTERED = { bucket: 'orders.filtered', endpoint: 'getOrders' } as const

/** Undefined: the budgets of reads with unhide are each order's own, not the account's. */
export const QUOTA_OF: Readonly<Record<SessionOperation, SessionQuota | undefined>> = {
  services: LISTING,
  lookup: LOOKUP,
  item: ITEM,
  order: ORDER,
  replay: ORDER,
  cart: CART,
  'cart-replay': CART,
  masked: FILTERED,
  'by-reference': FILTERED,
  child: FILTERED,
  unhide: undefined,
}

/** Requests of one session against one of its account's quotas, without repeats after a 429. */
export type Spend = {
  readonly quota: SessionQuota
  readonly requests: number
}

/** Sessions per second that an account's windows admit, where each session spends so much on average. */
export function sessionsPerSecondMax(spends: readonly Spend[], limits: EffectiveLimits): number {
  return fewestOf(spends, limits, ({ count, windowSeconds }) => count / windowSeconds)
}

/** Sessions that an account's windows admit at once. */
export function sessionsAtOnceMax(spends: readonly Spend[], limits: EffectiveLimits): number {
  return fewestOf(spends, limits, ({ count }) => count)
}

/** What the tightest window admits of requests, in sessions. */
function fewestOf(
  spends: readonly Spend[],
  limits: EffectiveLimits,
  requestsOf: (limit: WindowLimit) => number,
): number {
  const perQuota = Map.groupBy(spends, ({ quota }) => quota)
  return Math.min(
    ...[...perQuota].map(([{ bucket, endpoint }, all]) => {
      const each = all.reduce((sum, { requests }) => sum + requests, 0)
      return requestsOf(limitOf(limits, bucket, endpoint)) / each
    }),
  )
}
