/** One request that asks to be admitted, and per whom it is counted. */
import type { Bucket, WindowLimit } from '../../contract/limits.ts'
import type { Body } from '../http/body.ts'
import type { ApiKey } from '../model/accounts.ts'
import type { Context } from '../model/context.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { FaultSet } from '../faults/faults.ts'
import { CROWDED } from '../faults/under-load.ts'
import type { Route } from '../model/call.ts'
import type { EffectiveLimits } from '../model/effective-limits.ts'
import type { GiveBack } from '../model/limiter.ts'

/** One request that asks to be admitted. */
export type Arrival = {
  readonly context: Context
  readonly route: Route
  readonly key: ApiKey
  readonly query: URLSearchParams
  readonly body: Body
  readonly declaresJson: boolean
  readonly callerAddress: string
  readonly userAgent: string
  readonly nowMs: number
}

/** Windows count per account: every key of it shares them. */
export function countedPer({
  context: { faults },
  key,
  userAgent,
  callerAddress,
}: Arrival): string {
  if (faults.has('window-counter-global')) return 'everyone'
  if (faults.has('window-counter-per-client')) return `${key.account.id}|${userAgent}`
  if (faults.has('window-counter-per-address')) return `${key.account.id}|${callerAddress}`
  return faults.has('window-counter-per-key') ? key.id : keptWindow(faults, key.account.id)
}

export function take(
  { context, key, route, nowMs }: Arrival,
  bucket: Bucket,
  partition: string,
  group: string = bucket,
): GiveBack {
  const limit = limitOf(key.account.limits, bucket, route.operation)
  return context.limiter.admit(limit, { bucket, group, partition }, nowMs)
}

function limitOf(limits: EffectiveLimits, bucket: Bucket, operation: OperationName): WindowLimit {
  if (bucket !== 'default' || operation === 'getOrders') return limits[bucket]
  return limits[`operations.${operation}`]
}

function keptWindow(faults: FaultSet, account: string): string {
  const fault = 'busy-window-counters-evicted'
  if (!faults.has(fault)) return account
  return `${account}|${faults.crowd.losses(fault, account, CROWDED.counters)}`
}
