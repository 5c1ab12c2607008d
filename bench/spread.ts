export type Spread = {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly samples: number
}

/** Throws RangeError for no samples. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const [min] = sorted
  const max = sorted.at(-1)
  if (min === undefined || max === undefined) throw new RangeError('Got no samples.')
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? max
  const lower = sorted.length % 2 === 0 ? (sorted[middle - 1] ?? min) : upper
  return { median: (lower + upper) / 2, min, max, samples: sorted.length }
}

/** The median, with the least and the most. */
export function showSpread({ median, min, max }: Spread, digits: number): string {
  const [middle, low, high] = [median, min, max].map((value) => value.toFixed(digits))
  return `${middle} (${low} to ${high})`
}
