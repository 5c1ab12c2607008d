/** The seams of the reference service: what goes in, what comes out, and what it depends on. */
import type { Bucket, OwnLimit, WindowLimit } from '../../contract/limits.ts'
import type { FaultName } from '../faults/faults.ts'
import type { RawHeaders } from './headers.ts'
import type { VariantName } from './variants.ts'

/** One request as any adapter (socket, test, in-process transport) hands it over. */
export type ServiceRequest = {
  readonly method: string
  /** Path and query, as on the request line. */
  readonly url: string
  /** Names and values in turns. */
  readonly headers: RawHeaders
  readonly body: string | Uint8Array
  /** Address of the peer, as the socket reports it. */
  readonly remoteAddress: string
  /** Whether the client has gone away meanwhile, where the adapter can tell. */
  readonly isGone?: () => boolean
}

export type ServiceResponse = {
  readonly status: number
  /** Names and values in turns. */
  readonly headers: RawHeaders
  readonly body: string
}

/** Time as a dependency: with a virtual clock nothing waits for real. */
export interface ServiceClock {
  /** Monotonic milliseconds. */
  nowMs(): number
  /** Milliseconds since the epoch. */
  wallMs(): number
  sleep(ms: number): Promise<void>
}

/** Admission has no setting of its own: it is derived from pending and completed (Limits, rule 2). */
export type ConfigurableBucket = Exclude<Bucket, 'orders.unhide.admission'>

/** Rules by bucket, and by endpoint. `null` takes a seeded rule away, so that the global default holds. */
export type LimitRules = Partial<Record<ConfigurableBucket | OwnLimit, WindowLimit | null>>

/** Where fixed windows start. */
export const WINDOW_PHASES = ['epoch', 'start', 'first-request', 'counter'] as const
export type WindowPhase = (typeof WINDOW_PHASES)[number]

export type ServiceOptions = {
  readonly clock?: ServiceClock
  readonly limits?: LimitRules
  readonly faults?: readonly FaultName[]
  /** Legal differences (variants.ts). */
  readonly variants?: readonly VariantName[]
  /** How long the quote before a purchase takes. Default 5; 0 answers without waiting. */
  readonly quoteLatencyMs?: number
  /** A voucher costs a cent more each time. Default: never. */
  readonly pricesRiseEveryMs?: number
  /** Time from acceptance to the terminal state of an asynchronous order. Default 1500. */
  readonly asyncCompletionMs?: number
  /** How long the provider is given to answer a top-up check before the read times out. Default 20. */
  readonly providerTimeoutMs?: number
  readonly windowPhase?: WindowPhase
  /** Seeds identifiers and codes; the same seed gives the same ones. Default: random. */
  readonly seed?: number
  /** Creates the fixed demo accounts (reference/seed.ts). Default true. */
  readonly demoAccounts?: boolean
  /** Oldest finished orders beyond this number are forgotten, so that memory stays bounded. Default 250000. */
  readonly ordersMax?: number
  /** Platform gifts are feature-gated and off by default. */
  readonly platformGift?: 'enabled' | 'disabled'
  /** False: the upstream gift service lacks its quote route, so quotes fail closed. Default true. */
  readonly giftQuoteRoute?: boolean
  /** Told of every error that became an HTTP 500. Default: counted in the statistics only. */
  readonly onInternalError?: (error: unknown) => void
}
