/** Names and values in turns, as they came: the first is a name, the second its value. */
export type RawHeaders = readonly string[]

export function pairsOf(headers: RawHeaders): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < headers.length; index += 2)
    pairs.push([headers[index] ?? '', headers[index + 1] ?? ''])
  return pairs
}

/** The first value of a header; undefined where it is absent. */
export function headerValue(headers: RawHeaders, name: string): string | undefined {
  const at = indexOfHeader(headers, name)
  return at < 0 ? undefined : headers[at + 1]
}

/** Where the first header of this name stands, from an index on; -1 where none does. */
export function indexOfHeader(headers: RawHeaders, name: string, from = 0): number {
  for (let index = from; index < headers.length; index += 2)
    if (isNamed(headers[index] ?? '', name)) return index
  return -1
}

function isNamed(candidate: string, name: string): boolean {
  if (candidate.length !== name.length) return false
  return candidate === name || candidate.toLowerCase() === name.toLowerCase()
}
