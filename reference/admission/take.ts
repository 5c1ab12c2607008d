/** One request that asks to be admitted, and per whom it is counted. */
import type { Bucket, WindowLimit } from '../../contract/limits.ts'
import type { Body } from '../http/body.ts'
import type { ApiKey } from '../model/accounts.ts'
import type { Context } from '../model/context.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
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
  arrival: Arrival,
  bucket: Bucket,
  partition: string,
  group: string = bucket,
): GiveBack {
  const { context, key, route, nowMs } = arrival
  const given = limitOf(key.account.limits, bucket, route.operation)
  const limit = context.faults.isEmpty ? given : grown(arrival, given, { bucket, partition })
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

/** Faults that take one more of an order: in the windows after its first, or of orders after the first of an account. */
const GROWN = {
  window: [
    ['unhide-completed-larger-later', 'orders.unhide.completed'],
    ['unhide-pending-larger-later', 'orders.unhide.pending'],
  ],
  order: [
    ['unhide-pending-larger-second', 'orders.unhide.pending'],
    ['admission-larger-second', 'orders.unhide.admission'],
  ],
} as const satisfies Record<string, readonly (readonly [FaultName, Bucket])[]>

type Kept = { readonly bucket: Bucket; readonly partition: string }

/** The limit as only faults keep it. */
function grown(arrival: Arrival, limit: WindowLimit, kept: Kept): WindowLimit {
  const isGrown = isLaterWindow(arrival, limit, kept) || isLaterOrder(arrival, kept)
  return isGrown ? { ...limit, count: limit.count + 1 } : limit
}

function isLaterWindow(
  { context: { clock, faults }, nowMs }: Arrival,
  { windowSeconds }: WindowLimit,
  { bucket, partition }: Kept,
): boolean {
  const [name] = GROWN.window.find(([each, of]) => of === bucket && faults.has(each)) ?? []
  if (name === undefined) return false
  const index = Math.floor((nowMs + clock.wallMs() - clock.nowMs()) / (windowSeconds * 1000))
  const first = faults.lastMoment(name, partition)
  if (first === undefined) faults.noteMoment(name, partition, index)
  return first !== undefined && index > first
}

function isLaterOrder({ context: { faults }, key }: Arrival, { bucket, partition }: Kept): boolean {
  const [name] = GROWN.order.find(([each, of]) => of === bucket && faults.has(each)) ?? []
  if (name === undefined || faults.hasNoted(name, `first ${partition}`)) return false
  if (faults.hasNoted(name, key.account.id)) return true
  faults.note(name, key.account.id)
  faults.note(name, `first ${partition}`)
  return false
}
