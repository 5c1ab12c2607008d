import type { Bucket } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Call } from '../client/client.ts'

/** One counter as the interface describes it: a bucket, and per whom it counts. */
export type QuotaKey = {
  readonly bucket: Bucket
  readonly partition: string
  /** Which endpoint's, for the bucket `default`. */
  readonly operation?: OperationName
}

/**
 * The counters that a call spends, by the interface's Limits section. A replay or a refusal may not count; counting it is the safe
 * side. A caller without a key that exists has no account, and is refused before any window is looked at (Authentication, 2).
 */
export function quotaKeysOf(call: Call): readonly QuotaKey[] {
  if (call.role === 'none' || call.role === 'invented') return []
  const account = `account ${call.account}`
  // A read of orders may count in a default window of its own too (OPEN-44).
  if (call.operation === 'getOrders')
    return [...getOrdersKeys(call, account), keyOfEndpoint(account, 'getOrders')]
  const keys: QuotaKey[] = [keyOfEndpoint(account, call.operation)]
  if (call.checkOnly) keys.push({ bucket: 'orders.check', partition: account })
  return keys
}

/** The window of one endpoint without a bucket of its own. */
export function keyOfEndpoint(account: string, operation: Call['operation']): QuotaKey {
  const partition = `${account} ${operation}`
  return { bucket: 'default', partition, ...(operation === 'raw' ? {} : { operation }) }
}

/** Keys that look for what another key created, and are to find nothing. */
const OTHERS: readonly Call['role'][] = ['sibling', 'stranger']

function getOrdersKeys(call: Call, account: string): readonly QuotaKey[] {
  if (call.unhide) {
    const partition = `${account} order ${call.order ?? 'unknown'}`
    const admission: QuotaKey = { bucket: 'orders.unhide.admission', partition }
    // An unhide read that finds nothing may count as a masked one (OPEN-45): there is no order whose budget it could take.
    const isMasked =
      call.filtered && (call.awaitedUntilMs !== undefined || OTHERS.includes(call.role))
    return isMasked ? [admission, { bucket: 'orders.filtered', partition: account }] : [admission]
  }
  return [{ bucket: call.filtered ? 'orders.filtered' : 'orders.list', partition: account }]
}

export function quotaKeyText(key: QuotaKey): string {
  return `${key.bucket} · ${key.partition}`
}
