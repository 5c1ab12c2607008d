/**
 * Scenarios of bursts: purchases and reads that are released at once, retried and counted. The orchestrator plans every script; k6
 * carries the steps out. API keys are never in the plan, only the names of environment variables.
 */

import type { References } from '../../contract/reference-id.ts'
import type { ReadStep } from './open-model.ts'

export const BURSTS_VERSION = 10

/** What a request was sent for. Its index stands in the line of evidence. */
export const BURST_PHASES = [
  'warm',
  'burst',
  'read-contended',
  'retry-until-decided',
  'cap-fill',
  'cap-last-unit',
  'cap-overrun',
  'spare',
  'storm',
  'count',
  'attempt',
  'quote',
] as const
export type BurstPhase = (typeof BURST_PHASES)[number]

/**
 * warm: a read of the catalog · buy: POST /orders, or a checkout · quote: what a gift needs first · the others: GET /orders, by
 * referenceId (masked, by-reference), by orderId, or by both; with unhide=true but for the masked ones.
 */
export const REQUEST_KINDS = [
  'warm',
  'buy',
  'masked',
  'by-order',
  'by-both',
  'by-reference',
  'quote',
] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

/** Reads of orders without unhide=true. */
export const isMasked = (kind: RequestKind): boolean => kind === 'masked'

/** One purchase of a burst. Purchases of one reference are copies of one another. */
export type PlannedPurchase = {
  /** Index in the script's keys. */
  readonly key: number
  readonly reference: number
  /** Index in the plan's products. */
  readonly product: number
  readonly units: number
}

export type PlannedRead = {
  readonly key: number
  readonly reference: number
  readonly kind: Exclude<RequestKind, 'warm' | 'buy' | 'quote'>
}

/**
 * What a script does, one after the other.
 *
 *   warm                  opens connections, as many as the widest release that follows; once more right before it, to measure the spread
 *   meet                  waits until so long after the scenario's start
 *   buy                   releases purchases at once
 *   rest                  waits for so long
 *   quote                 asks for quotes at once, which the purchases under their references are made with
 *   read-contended        masked reads by reference: of purchases that are contended until now, and of one that was accepted, as the control
 *   retry-until-decided   sends what is not decided again, one by one after the Retry-After it was told
 *   cap-boundary          buys what is left of a key's cap but for one unit, then that unit, then one more; nothing while its purchases are open
 *   read                  releases reads at once
 */
export type PlannedStep =
  | { readonly do: 'warm'; readonly count: number }
  | { readonly do: 'meet'; readonly atMs: number }
  | {
      readonly do: 'buy'
      readonly phase: BurstPhase
      readonly purchases: readonly PlannedPurchase[]
    }
  | {
      readonly do: 'quote'
      readonly quotes: readonly { readonly key: number; readonly reference: number }[]
    }
  | { readonly do: 'rest'; readonly ms: number }
  | { readonly do: 'read-contended'; readonly contendedMax: number }
  | { readonly do: 'retry-until-decided'; readonly rounds: number }
  | { readonly do: 'cap-boundary'; readonly key: number; readonly reference: number }
  | { readonly do: 'read'; readonly phase: BurstPhase; readonly reads: readonly PlannedRead[] }

/** One virtual user with connections of its own. */
export type PlannedScript = {
  readonly name: string
  readonly keyEnvs: readonly string[]
  /** Units that each key may buy within its cap; null for a key without one. */
  readonly headroomUnits: readonly (number | null)[]
  /** Where real money is spent: once a key has bought more than its cap has room for, it buys nothing more. */
  readonly stopsOverCap?: true
  readonly steps: readonly PlannedStep[]
  /** Fewest requests that a complete run of the script sends. */
  readonly requestsMin: number
}

/** Where an answer holds what a script looks at: of a checkout or a list every value. */
export type BurstReads = Readonly<
  Partial<Record<'id' | 'price' | 'currency' | 'state' | 'items' | 'token', readonly ReadStep[]>>
>

/** How a product is bought: by the unit, or a whole checkout. */
export type BurstProduct = {
  readonly url: string
  /** One for each number of units, from 1. */
  readonly bodies: readonly string[]
  /** What a unit costs. */
  readonly unitPrice: number
  /** Of the answer to its purchase. */
  readonly reads: BurstReads
}

export type BurstFile = {
  readonly version: typeof BURSTS_VERSION
  readonly scenario: string
  readonly scripts: readonly PlannedScript[]
  /** Those of this run; a script is a group. */
  readonly references: References
  readonly warmUrl: string
  readonly products: readonly BurstProduct[]
  readonly readUrl: string
  /** Of a read of orders. */
  readonly listed: BurstReads
  /** How a quote is asked for, where its token stands in the answer, and what stands for it in the bodies of purchases. */
  readonly quotes?: {
    readonly url: string
    readonly body: string
    readonly token: readonly ReadStep[]
    readonly tokenMark: string
  }
  /** Stands in the bodies for the reference. */
  readonly referenceMark: string
  /** Most requests that are released at once. */
  readonly widest: number
  readonly requestTimeoutSeconds: number
  readonly maxSeconds: number
}

/** `done`: every step was carried out; `lost`: the target gave no answer any more. */
export const SCRIPT_ENDS = ['done', 'lost'] as const
export type ScriptEnd = (typeof SCRIPT_ENDS)[number]
