const CHARACTERS_MAX = 80
const NAMES_MAX = 5

function shorten(text: string): string {
  return text.length <= CHARACTERS_MAX ? text : `${text.slice(0, CHARACTERS_MAX)}…`
}

function describeObject(value: object): string {
  const names: string[] = []
  // Breaks off early: an object may have a million members.
  for (const name in value) if (names.push(name) > NAMES_MAX) break
  if (names.length === 0) return 'an empty object'
  const shown = names.slice(0, NAMES_MAX).map((name) => shorten(name))
  return `an object with ${shown.join(', ')}${names.length > NAMES_MAX ? ', …' : ''}`
}

/** Says in a bounded number of characters what a value is. Looks one level deep only, so that no value is too deep or too long for it. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(shorten(value))
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${value.length}`
  if (typeof value === 'object') return describeObject(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `a ${typeof value}`
}
