export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** The values of a header, in the order of arrival. Names do not distinguish case. */
export function headerValues(headers: HeaderPairs, name: string): string[] {
  const wanted = name.toLowerCase()
  const values: string[] = []
  for (const [candidate, value] of headers)
    if (candidate.length === wanted.length && candidate.toLowerCase() === wanted) values.push(value)
  return values
}
