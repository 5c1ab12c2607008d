import type { Field, LineFields } from '../../../load/protocol/lines.ts'
import type { Fields } from './lines.ts'

/** A field as it is read: moments are milliseconds, a list is still the word of its line. */
type Read<F extends Field> = F extends { readonly of: readonly (infer Word)[] }
  ? Word
  : F extends { readonly is: 'maybe' }
    ? number | undefined
    : F extends { readonly is: 'text' | 'list' }
      ? string | undefined
      : number

export type RowOf<T extends LineFields> = { -readonly [Name in keyof T]: Read<T[Name]> }

export type Value = number | string | undefined

/** Reads lines of one kind, one after the other, into the same values. */
export class LineReader<const T extends LineFields> {
  /** By the place of the field: objects with so many names cost far more time. Words are their indexes. */
  readonly values: Value[]
  /** Where the value of each field is. */
  readonly at: Readonly<Record<keyof T, number>>
  readonly #line: T
  readonly #readers: readonly ((fields: Fields) => Value)[]

  /** Moments of lines are counted from `zeroUs`, microseconds of the test clock. */
  constructor(line: T, clock = { zeroUs: 0 }) {
    this.#line = line
    const names = Object.keys(line)
    this.values = names.map(() => undefined)
    this.at = Object.fromEntries(names.map((name, place) => [name, place])) as Record<
      keyof T,
      number
    >
    this.#readers = Object.values(line).map((field) => readerOf(field, clock))
  }

  /** The last line as an object. */
  get row(): RowOf<T> {
    const row = Object.entries<Field>(this.#line).map(([name, field], place) => {
      const value = this.values[place]
      return [name, 'of' in field ? field.of[value as number] : value]
    })
    return Object.fromEntries(row) as RowOf<T>
  }

  /** False if what is left of the line is not what the table says. */
  read(fields: Fields): boolean {
    const readers = this.#readers
    for (let place = 0; place < readers.length; place++)
      this.values[place] = readers[place]?.(fields)
    return fields.ended
  }
}

function readerOf(field: Field, clock: { readonly zeroUs: number }): (fields: Fields) => Value {
  switch (field.is) {
    case 'count':
      return (fields) => fields.count(field.max)
    case 'maybe':
      return (fields) => fields.number(field.min, field.max)
    case 'sent':
    case 'received':
      return (fields) => (fields.count() - clock.zeroUs) / 1000
    case 'index':
      return (fields) => fields.count(field.of.length - 1)
    case 'word':
      return (fields) => fields.indexOf(field.of)
    case 'text':
      return (fields) => fields.text()
    case 'list':
      return (fields) => fields.list()
  }
}
