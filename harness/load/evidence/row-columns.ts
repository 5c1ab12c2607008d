/** Rows of evidence as columns: typed arrays in the place of an object for each exchange, so that a million of them need little memory. */
import type { Field, LineFields } from '../../../load/protocol/lines.ts'
import { Column, type ColumnKind } from './column.ts'
import type { RowOf, Value } from './line-reader.ts'
import { StringPool } from './string-pool.ts'
import { WidthColumn } from './width-column.ts'

type Values = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array

/** A column whose values stand for something else. A class for each code: V8 then puts `at` in the place of its calls. */
export abstract class Coded<V> {
  readonly values: Values
  /** What gives the values their meaning. */
  readonly source: unknown

  constructor(values: Values, source?: unknown) {
    this.values = values
    this.source = source
  }

  abstract at(row: number): V

  /** Rows that mean this. */
  count(wanted: V): number {
    let count = 0
    for (let row = 0; row < this.values.length; row++) if (this.at(row) === wanted) count++
    return count
  }
}

class Words extends Coded<string | undefined> {
  readonly #of: readonly string[]

  constructor(values: Values, of: readonly string[]) {
    super(values, of)
    this.#of = of
  }

  at(row: number): string | undefined {
    return this.#of[this.values[row] as number]
  }
}

/** Stands for none; no field has so small a number. */
const NONE = -0x80000000

class Signed extends Coded<number | undefined> {
  at(row: number): number | undefined {
    const value = this.values[row]
    return value === NONE ? undefined : value
  }
}

/** Each one more than it is, 0 for none: most are few and small, and take a byte. */
class Counts extends Coded<number | undefined> {
  at(row: number): number | undefined {
    const value = this.values[row]
    return value === undefined || value === 0 ? undefined : value - 1
  }
}

class Texts extends Coded<string | undefined> {
  readonly #pool: StringPool

  constructor(values: Values, pool: StringPool) {
    super(values, pool)
    this.#pool = pool
  }

  at(row: number): string | undefined {
    return this.#pool.at(this.values[row] as number)
  }
}

type ColumnOf<F extends Field> = F extends { readonly of: readonly (infer Word)[] }
  ? Coded<Word>
  : F extends { readonly is: 'maybe' }
    ? Coded<number | undefined>
    : F extends { readonly is: 'text' | 'list' }
      ? Coded<string | undefined>
      : F extends { readonly is: 'sent' | 'received' }
        ? Float64Array
        : F extends { readonly max: 999 | 0xffff }
          ? Uint16Array
          : F extends { readonly max: 0xffffffff }
            ? Uint32Array
            : Float64Array

/** A column for each field of a line. */
export type ColumnsOf<T extends LineFields> = { readonly length: number } & {
  readonly [Name in keyof T]: ColumnOf<T[Name]>
}

type Store = {
  push(value: never): void
  rows(): Values | Coded<unknown>
}

/** Collects rows. Those whose texts are to be compared share a pool. */
export class RowColumns<const T extends LineFields> {
  length = 0
  readonly #fields: T
  readonly #stores: readonly Store[]

  constructor(fields: T, pool?: StringPool) {
    this.#fields = fields
    this.#stores = Object.values(fields).map((field) => storeOf(field, pool))
  }

  /** Returns the place of the row. */
  push(row: RowOf<T>): number {
    const values = Object.entries<Field>(this.#fields).map(([name, field]) =>
      'of' in field ? field.of.indexOf(row[name] as string) : row[name],
    )
    return this.pushValues(values)
  }

  /** The same of values as LineReader gives them. */
  pushValues(values: readonly Value[]): number {
    const stores = this.#stores
    for (let place = 0; place < stores.length; place++) stores[place]?.push(values[place] as never)
    return this.length++
  }

  columns(): ColumnsOf<T> {
    const names = Object.keys(this.#fields)
    const columns = this.#stores.map((store, place) => [names[place], store.rows()] as const)
    return { length: this.length, ...Object.fromEntries(columns) } as ColumnsOf<T>
  }
}

function storeOf(field: Field, pool?: StringPool): Store {
  switch (field.is) {
    case 'sent':
    case 'received':
      return numbers('float64')
    case 'count':
      return numbers(kindOf(field.max))
    case 'index':
    case 'word':
      return words(field.of)
    case 'maybe':
      return field.min < 0 ? signed() : counts()
    case 'text':
    case 'list':
      return texts(pool)
  }
}

function kindOf(max: number): ColumnKind {
  if (max > 0xffffffff) return 'float64'
  return max > 0xffff ? 'uint32' : 'uint16'
}

function numbers(kind: ColumnKind): Store {
  const column = new Column(kind)
  return { push: (value: number) => column.push(value), rows: () => column.values() }
}

function words(of: readonly string[]): Store {
  const column = new Column('uint8')
  return {
    push: (index: number) => column.push(index),
    rows: () => new Words(column.values(), of),
  }
}

function signed(): Store {
  const column = new Column('int32')
  return {
    push: (value: number | undefined) => column.push(value ?? NONE),
    rows: () => new Signed(column.values()),
  }
}

function counts(): Store {
  const column = new WidthColumn()
  return {
    push: (value: number | undefined) => column.push((value ?? -1) + 1),
    rows: () => new Counts(column.values()),
  }
}

function texts(pool = new StringPool()): Store {
  const column = new WidthColumn()
  return {
    push: (value: string | undefined) => column.push(pool.indexOf(value)),
    rows: () => {
      pool.trim()
      return new Texts(column.values(), pool)
    },
  }
}

type Table = { readonly length: number }

/** Some of the rows, in the order given. */
export function pickRows<C extends Table>(columns: C, rows: Uint32Array): C {
  return mapped([columns], rows.length, ([values], picked) => {
    for (let to = 0; to < rows.length; to++) picked[to] = values?.[rows[to] as number] as number
  })
}

/** The rows of all parts, one after the other. Throws RangeError where their texts are in several pools. */
export function joinRows<C extends Table>(parts: readonly [C, ...C[]]): C {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return mapped(parts, length, (all, joined) => {
    let at = 0
    for (const values of all) {
      joined.set(values, at)
      at += values.length
    }
  })
}

function mapped<C extends Table>(
  parts: readonly [C, ...C[]],
  length: number,
  fill: (from: readonly Values[], to: Values) => void,
): C {
  const [first] = parts
  const columns = Object.entries(first as Readonly<Record<string, unknown>>).map(
    ([name, column]) => {
      if (name === 'length') return [name, length]
      const own = parts.map((part) => part[name as keyof C])
      const from = own.map(valuesOf)
      if (
        column instanceof Coded &&
        own.some((each) => (each as Coded<unknown>).source !== column.source)
      )
        throw new RangeError('Rows of two files have no common texts.')
      const widest = from.reduce((a, b) => (b.BYTES_PER_ELEMENT > a.BYTES_PER_ELEMENT ? b : a))
      const to = new (widest.constructor as new (length: number) => Values)(length)
      fill(from, to)
      return [name, column instanceof Coded ? recoded(column, to) : to]
    },
  )
  return Object.fromEntries(columns) as C
}

/** Other values with the same meaning. */
function recoded(column: Coded<unknown>, values: Values): Coded<unknown> {
  const code = column.constructor as new (values: Values, source: unknown) => Coded<unknown>
  return new code(values, column.source)
}

function valuesOf(column: unknown): Values {
  return column instanceof Coded ? column.values : (column as Values)
}
