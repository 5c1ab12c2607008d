/** Sorted views over one quota's history, so that every question of the oracle is a binary search. */

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

/** Added to every slack, so that a request that acts exactly on an edge is never taken for certain (milliseconds). */
export const EDGE_GUARD_MS = 0.001

/** Counts of a history by time. "Possible" requests may have been counted, "certain" ones must have been. */
export type HistoryIndex = {
  readonly requests: readonly QuotaRequest[]
  readonly possibleSent: Float64Array
  readonly possibleReceived: Float64Array
  readonly certainSent: Float64Array
  readonly certainReceived: Float64Array
  /** Sent times of the refused in order, and for each the earliest receive time of it and all later ones. */
  readonly refusedSent: Float64Array
  readonly refusedReceivedMin: Float64Array
  /** The same for the certain. */
  readonly certainReceivedMin: Float64Array
  readonly firstSentMs: number
  readonly lastReceivedMs: number
}

export function indexHistory(requests: readonly QuotaRequest[]): HistoryIndex {
  const possible = requests.filter((request) => request.outcome !== 'refused')
  const certain = requests.filter((request) => request.outcome === 'admitted')
  const certainPairs = bySentTime(certain)
  const refusedPairs = bySentTime(requests.filter((request) => request.outcome === 'refused'))
  return {
    requests,
    possibleSent: sorted(possible, (request) => request.sentMs),
    possibleReceived: sorted(possible, actedByMs),
    certainSent: certainPairs.sent,
    certainReceived: sorted(certain, actedByMs),
    certainReceivedMin: certainPairs.receivedMin,
    refusedSent: refusedPairs.sent,
    refusedReceivedMin: refusedPairs.receivedMin,
    firstSentMs: requests.reduce((least, request) => Math.min(least, request.sentMs), Infinity),
    lastReceivedMs: requests.reduce(
      (most, request) => Math.max(most, request.receivedMs),
      -Infinity,
    ),
  }
}

/** The latest moment at which the server can have acted: a request without an answer may act after the client gave up. */
export function actedByMs(request: QuotaRequest): number {
  return request.outcome === 'unknown' ? Infinity : request.receivedMs
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

function sorted(
  requests: readonly QuotaRequest[],
  timeMs: (request: QuotaRequest) => number,
): Float64Array {
  return Float64Array.from(requests, timeMs).toSorted()
}

function bySentTime(requests: readonly QuotaRequest[]): {
  sent: Float64Array
  receivedMin: Float64Array
} {
  const inOrder = requests.toSorted((a, b) => a.sentMs - b.sentMs)
  const receivedMin = new Float64Array(inOrder.length)
  let least = Infinity
  for (let index = inOrder.length - 1; index >= 0; index--) {
    least = Math.min(least, (inOrder[index] as QuotaRequest).receivedMs)
    receivedMin[index] = least
  }
  return { sent: Float64Array.from(inOrder, (request) => request.sentMs), receivedMin }
}
