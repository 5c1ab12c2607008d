/**
 * The interval of a shift between two small samples: Hodges and Lehmann's estimate with the exact interval of Mann and Whitney's rank
 * test. Nothing is assumed of how the values are spread; ties only widen it.
 */

export type Shift = {
  /** Median of all differences of a value of `now` and one of `before`. */
  readonly estimate: number
  /** The shift is below `low` or above `high` with a probability of at most `alpha` each. */
  readonly low: number
  readonly high: number
}

/** Undefined where there are too few values for any interval at this alpha. */
export function shiftOf(
  before: readonly number[],
  now: readonly number[],
  alpha: number,
): Shift | undefined {
  const differences = Float64Array.from(before.flatMap((a) => now.map((b) => b - a))).toSorted()
  const left = leftOut(before.length, now.length, alpha)
  const { length } = differences
  if (left === 0) return undefined
  const at = (index: number): number => differences[index] as number
  return {
    estimate: (at((length - 1) >> 1) + at(length >> 1)) / 2,
    low: at(left - 1),
    high: at(length - left),
  }
}

/** The fewest values on each side that can show a shift at this alpha. */
export function repeatsNeeded(alpha: number): number {
  let repeats = 1
  while (leftOut(repeats, repeats, alpha) === 0) repeats++
  return repeats
}

/** The most differences k at one end with P(U < k) at most alpha, where both samples are of one kind. */
function leftOut(before: number, now: number, alpha: number): number {
  const counts = rankCounts(before, now)
  const total = counts.reduce((sum, count) => sum + count, 0)
  let below = 0
  let left = 0
  while (left < counts.length && (below + (counts[left] as number)) / total <= alpha)
    below += counts[left++] as number
  return left
}

/** In how many orders of m + n values Mann and Whitney's U is 0, 1, … m x n. */
function rankCounts(m: number, n: number): number[] {
  let counts = [1]
  // The Gaussian binomial coefficient, factor by factor: times (1 - q^(n + i)), divided by (1 - q^i).
  for (let factor = 1; factor <= m; factor++) {
    const next = Array.from({ length: factor * n + 1 }, () => 0)
    for (let u = 0; u < next.length; u++)
      next[u] =
        (counts[u] ?? 0) -
        (counts[u - n - factor] ?? 0) +
        (u >= factor ? (next[u - factor] ?? 0) : 0)
    counts = next
  }
  return counts
}
