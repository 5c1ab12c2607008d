import type {
  SessionOperation,
  OpenModelFile,
  PlannedOperation,
} from '../../../load/protocol/open-model.ts'
import type { Micros } from '../../money.ts'
import { QUOTA_OF, type Spend } from './quotas.ts'

/** What sessions of one kind send on a target, and what one of them costs. */
export type ClientPlan = {
  readonly operations: Readonly<Partial<Record<SessionOperation, PlannedOperation>>>
  /** Without repeats after a 429. */
  readonly requestsMin: number
  readonly requestsMax: number
  /** An estimate, to make sessions of a rate of requests. */
  readonly requestsUsual: number
  readonly spends: readonly Spend[]
  readonly ordersMax: number
  /** Of all its orders. */
  readonly money?: { readonly currency: string; readonly micros: Micros }
  readonly pricesMax?: OpenModelFile['pricesMax']
  /** How long one keeps its virtual user busy where nothing is refused; an estimate, to plan how many there are. */
  readonly busySeconds: number
  /** Waits of its own, besides those after a 429, last no longer. */
  readonly waitSecondsMax: number
}

/** Stand in urls and bodies for what a session fills in. */
export const MARKS = {
  reference: 'harness-load-reference',
  orderId: 'harness-load-order-id',
  offset: 'harness-load-offset',
} as const

/** A client's answers rarely take longer; an estimate. */
export const ANSWER_SECONDS = 0.1

/** Between two reads of an order that is not final, where no Retry-After says otherwise. */
export const POLL_SECONDS = 2

/** Most reads until an order is final that takes so long; the first is sent at once where nothing is pending. */
export function pollsIn(seconds: number): number {
  return Math.ceil(seconds / POLL_SECONDS) + 1
}

/** Requests against the account's quota of an operation; none where it has none. */
export function spend(operation: SessionOperation, requests: number): Spend[] {
  const quota = QUOTA_OF[operation]
  return quota === undefined ? [] : [{ quota, requests }]
}
