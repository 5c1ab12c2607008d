/** Edit distance with transpositions of neighbours, over short names. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity
      row.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    before = last
    last = row
  }
  return last[b.length] ?? Infinity
}

/** Lower case, without what people write differently: `base_url`, `base-url` and `baseURL` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

const LENGTH_MAX = 64
const CANDIDATES_MAX = 50

/** The candidate that a misspelt name most likely meant: at most a third of its letters apart, or its beginning. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(name)
  if (wanted === '' || name.length > LENGTH_MAX) return undefined
  const ranked = candidates
    .slice(0, CANDIDATES_MAX)
    .map((candidate) => ({ candidate, apart: distance(wanted, plain(candidate)) }))
    .filter(({ candidate, apart }) => apart <= Math.max(1, Math.floor(plain(candidate).length / 3)))
    .toSorted((a, b) => a.apart - b.apart)
  return (
    ranked[0]?.candidate ??
    candidates.find((candidate) => wanted.length >= 3 && plain(candidate).startsWith(wanted))
  )
}

/** `Did you mean "x"?`, or the alternative sentence where nothing is near. */
export function didYouMean(name: string, candidates: readonly string[], otherwise: string): string {
  const meant = nearest(name, candidates)
  return meant === undefined ? otherwise : `Did you mean "${meant}"?`
}
