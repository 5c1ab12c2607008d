import type { BurstExchange } from './burst-import.ts'
import { isAccepted } from '../../../contract/answers.ts'

/** Purchases or reads that one script released at once. */
export type Release = {
  readonly exchanges: readonly BurstExchange[]
  /** Pairs that were under way at the same moment for certain. */
  readonly overlappingPairs: number
  /** So many were under way at one moment for certain. */
  readonly inFlightMin: number
}

/** Groups what a script sent by the moment of its release. */
export function releasesOf(exchanges: readonly BurstExchange[]): Release[] {
  const together = Map.groupBy(exchanges, ({ script, sentMs }) => `${script} ${sentMs}`)
  return [...together.values()].map((each) => ({
    exchanges: each,
    overlappingPairs: overlappingPairs(each),
    inFlightMin: inFlightMin(each),
  }))
}

/**
 * k6 gives one time of sending and one of receiving for a whole release, and a duration for each request. Two that lie in a span
 * which is shorter than both together must overlap, wherever in it they lie; and so must some pair where all together are longer.
 */
function overlappingPairs(exchanges: readonly BurstExchange[]): number {
  const spanMs = spanOf(exchanges)
  const durations = exchanges.map(({ durationMs }) => durationMs)
  const certain = durations.reduce(
    (pairs, a, index) => pairs + durations.slice(index + 1).filter((b) => a + b > spanMs).length,
    0,
  )
  return Math.max(certain, totalOf(exchanges) > spanMs ? 1 : 0)
}

/** What lasts longer than half of the span is under way in its middle; and at some moment no fewer are than on average. */
function inFlightMin(exchanges: readonly BurstExchange[]): number {
  const spanMs = spanOf(exchanges)
  const inMiddle = exchanges.filter(({ durationMs }) => 2 * durationMs > spanMs).length
  return Math.max(inMiddle, spanMs > 0 ? Math.ceil(totalOf(exchanges) / spanMs) : 0)
}

function totalOf(exchanges: readonly BurstExchange[]): number {
  return exchanges.reduce((sum, { durationMs }) => sum + durationMs, 0)
}

/** The most by which the first bytes of a release can lie apart, milliseconds. */
export function arrivalSpreadMsMax({ exchanges }: Release): number {
  return spanOf(exchanges) - Math.min(...exchanges.map(({ durationMs }) => durationMs))
}

function spanOf([first]: readonly BurstExchange[]): number {
  return first === undefined ? 0 : first.receivedMs - first.sentMs
}

/** Accepted, and the answer names its order: without that it says nothing of an order. */
export function isNamed(exchange: BurstExchange): boolean {
  return isAccepted(exchange) && exchange.orderId !== undefined
}
