/** Lines of evidence: how the fields of evidence-table.ts are written. Importers, columns, merging and the live view go by the same table. */

/**
 * What stands in a field, separated from the next by one space.
 *
 *   count      a whole number from 0
 *   maybe      a whole number, or `-` for none
 *   sent       a moment in whole microseconds since k6 started its test, rounded down; in rows milliseconds
 *   received   the same, rounded up: the service acted in between for certain
 *   index      one of several words, by its index
 *   word       one of several words, as it is
 *   text       percent-encoded, or `-` for none
 *   list       several texts separated by commas, or `-` for none
 */
export type Field =
  | { readonly is: 'count'; readonly max: number }
  | { readonly is: 'maybe'; readonly min: number; readonly max: number }
  | { readonly is: 'index' | 'word'; readonly of: readonly string[] }
  | { readonly is: 'sent' | 'received' | 'text' | 'list' }

/** The fields of one kind of line, in their order. */
export type LineFields = Readonly<Record<string, Field>>

/** What a line is made of: moments in milliseconds, texts and lists as the line has them. */
export type Written<T extends LineFields> = {
  readonly [Name in keyof T]: T[Name] extends { of: readonly (infer Word)[] }
    ? Word
    : T[Name] extends { is: 'count' | 'sent' | 'received' }
      ? number
      : string | number
}

/** The place of each field in its line, behind the first word. */
export function placesIn<T extends LineFields>(fields: T): Readonly<Record<keyof T, number>> {
  return Object.fromEntries(Object.keys(fields).map((name, index) => [name, index + 1])) as Record<
    keyof T,
    number
  >
}

/** The places of moments, in each kind of line that has some: they move when evidence of several clocks is joined. */
export function timePlacesIn(
  lines: Readonly<Record<string, LineFields>>,
): Readonly<Record<string, readonly number[]>> {
  const places = Object.entries(lines).map(
    ([word, fields]) =>
      [
        word,
        Object.values(fields).flatMap(({ is }, index) => (isMoment(is) ? [index + 1] : [])),
      ] as const,
  )
  return Object.fromEntries(places.filter(([, times]) => times.length > 0))
}

function isMoment(is: Field['is']): boolean {
  return is === 'sent' || is === 'received'
}

/**
 * Makes lines of one kind. The fields are put into one template, for k6 runs scripts by an interpreter: to go through the table for each
 * line would take half as much time again as all else that k6 does for a request.
 */
export function lineWriter<const T extends LineFields>(
  word: string,
  fields: T,
): (values: Written<T>) => string {
  const parts = Object.entries(fields).map(([name, field]) => `\${${sourceOf(name, field)}}`)
  const template = `return (values) => \`${[word, ...parts].join(' ')}\``
  // oxlint-disable-next-line typescript/no-implied-eval -- the table is ours, and nothing of a plan or an answer is in the text
  const make = new Function('fields', template) as (table: T) => (values: Written<T>) => string
  return make(fields)
}

/** The text that is put in the place of a value. */
function sourceOf(name: string, { is }: Field): string {
  if (is === 'sent') return `Math.floor(values.${name} * 1000)`
  if (is === 'received') return `Math.ceil(values.${name} * 1000)`
  if (is === 'index') return `fields.${name}.of.indexOf(values.${name})`
  return `values.${name}`
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
