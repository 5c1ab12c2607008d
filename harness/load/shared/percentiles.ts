const PARTS = { P50: 0.5, P90: 0.9, P99: 0.99, Largest: 1 } as const

/** Percentiles of measured values, to a thousandth, named `<name>P50` and so on; none without values. */
export function percentilesOf(name: string, values: Iterable<number>): Record<string, number> {
  const sorted = Float64Array.from(values).toSorted()
  if (sorted.length === 0) return {}
  return Object.fromEntries(
    Object.entries(PARTS).map(([suffix, part]) => {
      const index = Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)
      return [`${name}${suffix}`, Math.round(1000 * (sorted[index] ?? 0)) / 1000]
    }),
  )
}
