/** Lines of evidence: what stands in each kind of line, in this order. Writers, importers, merging and the live view go by these tables. */

/** Fields of each kind of line, by its first word. The names of times of the test clock end in `Us`. */
export type LineTable = Readonly<Record<string, readonly string[]>>

/** The place of each field in its line, behind the first word. */
export function placesIn<Name extends string>(
  fields: readonly Name[],
): Readonly<Record<Name, number>> {
  return Object.fromEntries(fields.map((name, index) => [name, index + 1])) as Record<Name, number>
}

/** The places of times of the test clock, in each kind of line that has some: they move when evidence of several clocks is joined. */
export function timePlacesIn(lines: LineTable): Readonly<Record<string, readonly number[]>> {
  const places = Object.entries(lines).map(
    ([word, fields]) =>
      [word, fields.flatMap((name, index) => (name.endsWith('Us') ? [index + 1] : []))] as const,
  )
  return Object.fromEntries(places.filter(([, times]) => times.length > 0))
}

/** One line, from a value for each of its fields. */
export function lineOf<Name extends string>(
  word: string,
  fields: readonly Name[],
  values: Readonly<Record<Name, string | number>>,
): string {
  return [word, ...fields.map((name) => values[name])].join(' ')
}

const PLAIN = /^[\w.:~][\w.:~-]*$/

/** A pair of halves of a character, or a half alone, as a hostile answer may hold it: encoding one alone throws. */
const HALVES = /[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDFFF]/g

/** A text as a field holds it: no field is empty, and `-` alone is nothing. */
export function encoded(value: string): string {
  if (PLAIN.test(value)) return value
  const whole = value.replaceAll(HALVES, (each) => (each.length === 2 ? each : '\uFFFD'))
  return encodeURIComponent(whole === '' ? ' ' : whole).replaceAll('-', '%2D')
}
