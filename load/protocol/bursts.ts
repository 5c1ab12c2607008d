/**
 * Scenarios of bursts: purchases and reads that are released at once, retried and counted. The orchestrator plans every script; k6
 * carries the steps out. API keys are never in the plan, only the names of environment variables.
 */

import type { ReadStep } from './open-model.ts'

export const BURSTS_VERSION = 6

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
  'finish',
  'beyond',
  'trace',
  'reuse-reference',
  'replay-accepted',
  'wait-retry-after',
  'watch',
  'send-non-purchase',
  'quote',
  'leave',
  'call',
] as const
export type BurstPhase = (typeof BURST_PHASES)[number]

/**
 * warm: a read of the catalog · buy: POST /orders, or a checkout · invalid, check: POST /orders, which buys nothing · quote: what a gift needs first · call: any other request · the others: GET
 * /orders, by referenceId (masked, by-reference), by orderId, or by both (masked-by-both, child: one order of a checkout); with
 * unhide=true but for the masked ones.
 */
export const REQUEST_KINDS = [
  'warm',
  'buy',
  'masked',
  'masked-by-order',
  'masked-by-both',
  'by-order',
  'by-reference',
  'child',
  'invalid',
  'check',
  'quote',
  'call',
] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

/** Reads of orders without unhide=true. */
export const isMasked = (kind: RequestKind): boolean => kind.startsWith('masked')

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
  readonly kind: Exclude<RequestKind, 'warm' | 'buy' | 'invalid' | 'check' | 'quote' | 'call'>
  /** For kind child: its place in the checkout. */
  readonly child?: number
  /** Whose reference it is, for kind by-reference: another script's, with the same key. */
  readonly script?: number
}

/**
 * What a script does, one after the other.
 *
 *   warm      opens connections, as many as the widest release that follows; once more right before it, to measure the spread
 *   meet      waits until so long after the scenario's start
 *   buy       releases purchases at once
 *   leave     sends a purchase, and goes away after a part of the time that the quickest of the script took; nothing where none was made
 *   call      sends one of the plan's calls by several keys, one after the other
 *   rest      waits for so long
 *   told      waits as long as the refused reads since the last such wait were told, and a margin; no longer than the plan allows
 *   try       sends what buys nothing, one by one, each under a reference of its own
 *   quote     asks for quotes at once, which the purchases under their references are made with
 *   look      masked reads by reference: of purchases that are contended until now, and of one that was accepted, as the control
 *   settle    sends what is not decided again, one by one after the Retry-After it was told
 *   reuse     looks for a purchase that the cap refused, and for an accepted one as the control, then buys less under its reference
 *   again     sends accepted purchases of a key once more, one by one
 *   brim      buys what is left of a key's cap but for one unit, then that unit, then one more; nothing while its purchases are open
 *   read      releases reads at once
 *   watch     releases reads at once, again and again for so long
 *   finish    masked reads until none of the orders is IN_PROGRESS
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
      readonly do: 'send-non-purchase'
      readonly kind: 'invalid' | 'check'
      readonly key: number
      readonly product: number
      /** The first. */
      readonly reference: number
      readonly count: number
      /** Default 1. */
      readonly units?: number
    }
  | { readonly do: 'call'; readonly call: number; readonly keys: readonly number[] }
  | { readonly do: 'leave'; readonly purchase: PlannedPurchase; readonly part: number }
  | {
      readonly do: 'quote'
      readonly quotes: readonly { readonly key: number; readonly reference: number }[]
    }
  | { readonly do: 'rest'; readonly ms: number }
  | { readonly do: 'wait-retry-after'; readonly marginMs: number; readonly secondsMax: number }
  | { readonly do: 'read-contended'; readonly contendedMax: number }
  | { readonly do: 'retry-until-decided'; readonly rounds: number }
  | { readonly do: 'reuse-reference'; readonly key: number; readonly units: number }
  | { readonly do: 'replay-accepted'; readonly key: number; readonly count: number }
  | { readonly do: 'cap-boundary'; readonly key: number; readonly reference: number }
  | { readonly do: 'read'; readonly phase: BurstPhase; readonly reads: readonly PlannedRead[] }
  | {
      readonly do: 'watch'
      readonly reads: readonly PlannedRead[]
      readonly everyMs: number
      readonly forMs: number
    }
  | {
      readonly do: 'finish'
      readonly reads: readonly PlannedRead[]
      readonly everyMs: number
      readonly maxSeconds: number
    }

/** A request that buys nothing. */
export type PlannedCall = {
  readonly method: 'GET' | 'POST'
  /** Absolute, with its query. */
  readonly url: string
  readonly body?: string
}

/** One virtual user with connections of its own. */
export type PlannedScript = {
  readonly name: string
  readonly keyEnvs: readonly string[]
  /** Units that each key may buy within its cap; null for a key without one. */
  readonly headroomUnits: readonly (number | null)[]
  readonly steps: readonly PlannedStep[]
  /** Fewest requests that a complete run of the script sends. */
  readonly requestsMin: number
}

/** Where an answer holds what a script looks at: of a checkout or a list every value. */
export type BurstReads = Readonly<
  Partial<Record<'id' | 'price' | 'currency' | 'state' | 'items' | 'token', readonly ReadStep[]>>
>

export type BurstFile = {
  readonly version: typeof BURSTS_VERSION
  readonly scenario: string
  readonly scripts: readonly PlannedScript[]
  /** Names the references of this run: `<prefix>-<script>-<number>`. */
  readonly referencePrefix: string
  readonly warmUrl: string
  readonly ordersUrl: string
  /** Where the products that are checkouts are bought: their indexes. */
  readonly carts?: { readonly url: string; readonly products: readonly number[] }
  readonly readUrl: string
  /** Of an order, of a checkout, and of a read of orders. */
  readonly reads: Readonly<Record<'order' | 'cart' | 'listed', BurstReads>>
  /** What steps of calls name by its place. */
  readonly calls?: readonly PlannedCall[]
  /** How a quote is asked for, where its token stands in the answer, and what stands for it in the bodies of purchases. */
  readonly quotes?: {
    readonly url: string
    readonly body: string
    readonly token: readonly ReadStep[]
    readonly tokenMark: string
  }
  /** Bodies of purchases: for each product one for each number of units, from 1. */
  readonly bodies: readonly (readonly string[])[]
  /** What a unit of each product costs, or a whole checkout. */
  readonly unitPrices?: readonly number[]
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

/**
 * The evidence: fields separated by one space, texts percent-encoded, `-` for what is not there.
 *
 *   o <script> <key> <phase> <kind> <reference> <units> <sent us> <received us> <duration us> <status> <code> <retry-after>
 *     <error> <order> <price> <currency> <state> <items> <connection> <child> <reveals>
 *   f <script> <exchanges> <end>
 *
 * Child is the place of the order in its checkout, or of the call among the plan's. Order names one order, or all of a checkout; state that of each order of a read; both separated by commas. Reveals, of a read with
 * unhide=true and for each order: s, if it shows the same as a masked read of the same state before, p, if some of
 * its vouchers are the same and others not, m, if it shows more; x, of a refusal that tells a code.
 *
 * Requests that were released together have the same times: sent before the first of them, received after the last. Duration is
 * each one's own, from its first byte sent to the last byte of its answer, rounded down: it was under way for so long in between.
 */
export const BURST_LINES = {
  o: [
    'script',
    'key',
    'phase',
    'kind',
    'reference',
    'units',
    'sentUs',
    'receivedUs',
    'duration',
    'status',
    'code',
    'retryAfter',
    'errorCode',
    'orderId',
    'price',
    'currency',
    'state',
    'items',
    'connection',
    'child',
    'reveals',
  ],
  f: ['script', 'exchanges', 'end'],
} as const
