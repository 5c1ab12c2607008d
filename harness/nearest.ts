import leven from 'leven'

/** Lower case, without what people write differently: `base_url`, `base-url` and `baseURL` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

const LENGTH_MAX = 64

/** Two neighbours changed round are two edits, which short names must be granted too. */
const APART_MIN = 2

/** The candidate that a misspelt name most likely meant: at most two edits or a third of its letters apart, or its beginning. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(name)
  if (wanted === '' || name.length > LENGTH_MAX) return undefined
  const ranked = candidates
    .map((candidate) => ({ candidate, apart: leven(wanted, plain(candidate)) }))
    .filter(({ candidate, apart }) => apart <= apartMax(plain(candidate)))
    .toSorted((a, b) => a.apart - b.apart)
  return (
    ranked[0]?.candidate ??
    candidates.find((candidate) => wanted.length >= 3 && plain(candidate).startsWith(wanted))
  )
}

/** Half of a name at most: a name of two letters would be near to every other. */
function apartMax({ length }: string): number {
  return Math.min(Math.max(APART_MIN, Math.floor(length / 3)), Math.floor(length / 2))
}

/** `Did you mean "x"?`, or the alternative sentence where nothing is near. */
export function didYouMean(name: string, candidates: readonly string[], otherwise: string): string {
  const meant = nearest(name, candidates)
  return meant === undefined ? otherwise : `Did you mean "${meant}"?`
}
