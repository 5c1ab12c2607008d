/** Percentiles of measured times. All functions take them in ascending order. */
import type { Latencies } from '../../../schemas/generated/run-record.ts'
import { rounded } from '../../text.ts'

/** The smallest value that this share of all values does not exceed; 0 of none. With too few values for it: the largest. */
export function quantile(ascending: Float64Array, share: number): number {
  const rank = Math.ceil(share * ascending.length - 1e-9)
  return ascending[Math.max(0, Math.min(ascending.length, rank) - 1)] ?? 0
}

export function latenciesOf(ascending: Float64Array): Latencies {
  const at = (share: number): number => roundedMs(quantile(ascending, share))
  return {
    count: ascending.length,
    msP50: at(0.5),
    msP90: at(0.9),
    msP95: at(0.95),
    msP99: at(0.99),
    msP999: at(0.999),
    msMax: at(1),
  }
}

/** Evidence tells microseconds. */
export const roundedMs = rounded

const SHARES = { P50: 0.5, P90: 0.9, P99: 0.99, Largest: 1 } as const
export const FEW_SHARES = { P50: 0.5, P99: 0.99, Max: 1 } as const

/** Percentiles of measured values, to a thousandth, named `<name>P50` and so on; none without values. */
export function percentilesOf(
  name: string,
  values: Iterable<number>,
  shares: Readonly<Record<string, number>> = SHARES,
): Record<string, number> {
  const ascending = Float64Array.from(values).toSorted()
  if (ascending.length === 0) return {}
  return Object.fromEntries(
    Object.entries(shares).map(([suffix, share]) => [
      `${name}${suffix}`,
      rounded(quantile(ascending, share)),
    ]),
  )
}

const CURVE_SHARES = [
  0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9998, 0.9999,
] as const

/** The shares at which so many values tell a percentile from their maximum, and the maximum. */
export function curveShares(count: number): number[] {
  return [...CURVE_SHARES.filter((share) => count * (1 - share) >= 1 - 1e-9), 1]
}

export type Interval = { readonly low?: number; readonly high?: number }

/** Probability that the percentile lies beyond one end of its interval. */
const BEYOND_EACH_END = 0.025

/**
 * Where a percentile of the service lies with 95 % confidence: between two of the values, whose ranks the binomial distribution gives
 * exactly. Nothing is assumed of how the values are spread. An end that the values do not reach is left out.
 */
export function quantileInterval(ascending: Float64Array, share: number): Interval {
  const count = ascending.length
  // How many values lie above the percentile is binomial with this probability.
  const above = ranksOf(count, 1 - share)
  const high = above.least < 0 ? undefined : ascending[count - above.least - 1]
  const low = above.most > count ? undefined : ascending[count - above.most]
  return {
    ...(low !== undefined && { low: roundedMs(low) }),
    ...(high !== undefined && { high: roundedMs(high) }),
  }
}

/**
 * The largest number that a binomial variable is at most, and the smallest that it is at least, with no more than that probability;
 * -1 and count + 1 where there is none.
 */
function ranksOf(count: number, probability: number): { least: number; most: number } {
  const logOdds = Math.log(probability) - Math.log1p(-probability)
  let logOfTerm = count * Math.log1p(-probability)
  let [below, least] = [0, -1]
  for (let successes = 0; successes <= count; successes++) {
    const upTo = below + Math.exp(logOfTerm)
    if (upTo <= BEYOND_EACH_END) least = successes
    if (1 - upTo <= BEYOND_EACH_END) return { least, most: successes + 1 }
    below = upTo
    logOfTerm += Math.log(count - successes) - Math.log(successes + 1) + logOdds
  }
  return { least, most: count + 1 }
}

/** Fewer values on the far side of a percentile than this do not show it. */
const BEYOND_MIN = 10

/** The fewest values by which a percentile can be called met: 1,000 for p99, 10,000 for p99.9. */
export function samplesNeeded(share: number): number {
  return share === 1 ? 1 : Math.ceil(BEYOND_MIN / (1 - share) - 1e-6)
}
