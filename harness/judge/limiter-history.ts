/** Sorted views over one quota's history, so that every question of the oracle is a binary search. */
import { inOrder, orderBy, rowsWhere, valuesAt } from '../rows.ts'
import { parseRetryAfterSeconds } from '../retry-after.ts'

/** What the server answered, as far as a quota is concerned. `other` may or may not have been counted; so may `unknown`, and later. */
export const QUOTA_OUTCOMES = ['admitted', 'refused', 'other', 'unknown'] as const
export type QuotaOutcome = (typeof QUOTA_OUTCOMES)[number]

/** One request against the quota. The server acted at some moment in [sentMs, receivedMs]. */
export type QuotaRequest = {
  readonly sentMs: number
  readonly receivedMs: number
  readonly outcome: QuotaOutcome
  /** The Retry-After header of a 429 as it came; undefined where there was none. */
  readonly retryAfter?: string | undefined
}

/** The same of many requests, as columns: a million of them need no million objects. */
export type QuotaColumns = {
  readonly sentMs: Float64Array
  readonly receivedMs: Float64Array
  /** Indexes of QUOTA_OUTCOMES. */
  readonly outcomes: Uint8Array
  /** What a Retry-After of whole seconds promised; NaN where there was none. */
  readonly promisedSeconds: Float64Array
}

/** Indexes of QUOTA_OUTCOMES. */
export const OUTCOME = { admitted: 0, refused: 1, other: 2, unknown: 3 } as const satisfies Record<
  QuotaOutcome,
  number
>

export function columnsOf(requests: readonly QuotaRequest[]): QuotaColumns {
  return {
    sentMs: Float64Array.from(requests, ({ sentMs }) => sentMs),
    receivedMs: Float64Array.from(requests, ({ receivedMs }) => receivedMs),
    outcomes: Uint8Array.from(requests, ({ outcome }) => OUTCOME[outcome]),
    promisedSeconds: Float64Array.from(
      requests,
      ({ retryAfter }) => parseRetryAfterSeconds(retryAfter) ?? Number.NaN,
    ),
  }
}

/** Added to every slack, so that a request that acts exactly on an edge is never taken for certain (milliseconds). */
export const EDGE_GUARD_MS = 0.001

/** Counts of a history by time. "Possible" requests may have been counted, "certain" ones must have been. */
export type HistoryIndex = {
  readonly columns: QuotaColumns
  readonly possibleSent: Float64Array
  readonly possibleReceived: Float64Array
  readonly certainSent: Float64Array
  readonly certainReceived: Float64Array
  /** Sent times of the refused in order, and for each the earliest receive time from there on. */
  readonly refusedSent: Float64Array
  readonly refusedReceivedMin: Float64Array
  /** The same for the certain. */
  readonly certainReceivedMin: Float64Array
  readonly firstSentMs: number
  readonly lastReceivedMs: number
}

export function indexHistory(columns: QuotaColumns): HistoryIndex {
  const { sentMs, receivedMs, outcomes } = columns
  const { length } = outcomes
  const possible = rowsWhere(length, (row) => outcomes[row] !== OUTCOME.refused)
  const certain = rowsWhere(length, (row) => outcomes[row] === OUTCOME.admitted)
  const refused = rowsWhere(length, (row) => outcomes[row] === OUTCOME.refused)
  const certainPairs = bySentTime(columns, certain)
  const certainReceived = inOrder(valuesAt(receivedMs, certain))
  const refusedPairs = bySentTime(columns, refused)
  // Mostly all that may have been counted were: one view then serves for both.
  const areSame = possible.length === certain.length
  return {
    columns,
    possibleSent: areSame ? certainPairs.sent : inOrder(valuesAt(sentMs, possible)),
    possibleReceived: areSame ? certainReceived : inOrder(actedByMs(columns, possible)),
    certainSent: certainPairs.sent,
    certainReceived,
    certainReceivedMin: certainPairs.receivedMin,
    refusedSent: refusedPairs.sent,
    refusedReceivedMin: refusedPairs.receivedMin,
    firstSentMs: sentMs.reduce((least, time) => Math.min(least, time), Infinity),
    lastReceivedMs: receivedMs.reduce((most, time) => Math.max(most, time), -Infinity),
  }
}

/** The latest moment at which the server can have acted: a request without an answer may act after the client gave up. */
function actedByMs({ receivedMs, outcomes }: QuotaColumns, rows: Uint32Array): Float64Array {
  const actedBy = valuesAt(receivedMs, rows)
  for (let at = 0; at < rows.length; at++)
    if (outcomes[rows[at] as number] === OUTCOME.unknown) actedBy[at] = Infinity
  return actedBy
}

/** How many of the sorted values are less than `limit`. */
export function countBelow(values: Float64Array, limit: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] as number) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** How many of the sorted values are at most `limit`. */
export function countUpTo(values: Float64Array, limit: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/** Earliest receive time among the requests sent at `sentFromMs` or later; infinite if there is none. */
export function earliestReceived(
  sent: Float64Array,
  receivedMin: Float64Array,
  sentFromMs: number,
): number {
  return receivedMin[countBelow(sent, sentFromMs)] ?? Infinity
}

function bySentTime(
  { sentMs, receivedMs }: QuotaColumns,
  rows: Uint32Array,
): { sent: Float64Array; receivedMin: Float64Array } {
  const sentAsCame = valuesAt(sentMs, rows)
  const order = orderBy(sentAsCame)
  const ordered = order === undefined ? rows : order.map((at) => rows[at] as number)
  const receivedMin = valuesAt(receivedMs, ordered)
  for (let at = receivedMin.length - 2; at >= 0; at--)
    receivedMin[at] = Math.min(receivedMin[at] as number, receivedMin[at + 1] as number)
  return { sent: order === undefined ? sentAsCame : valuesAt(sentMs, ordered), receivedMin }
}
