/**
 * Columns for evidence of millions of exchanges: typed arrays that grow, instead of an object for each exchange. They grow by handing
 * their memory over (ArrayBuffer.transfer), so that no old copy waits for the garbage collector.
 */

const KINDS = {
  float64: Float64Array,
  int32: Int32Array,
  uint32: Uint32Array,
  uint16: Uint16Array,
  uint8: Uint8Array,
} as const

export type ColumnKind = keyof typeof KINDS
export type ColumnValues<K extends ColumnKind> = InstanceType<(typeof KINDS)[K]>

/** One growing column. What does not fit in its kind is the caller's to refuse: typed arrays wrap without a word. */
export class Column<K extends ColumnKind> {
  readonly #kind: K
  #values: ColumnValues<K>
  #length = 0

  constructor(kind: K, capacity = 1024) {
    this.#kind = kind
    this.#values = new KINDS[kind](capacity) as ColumnValues<K>
  }

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#resize(Math.max(1, 2 * this.#length))
    this.#values[this.#length++] = value
  }

  /** Changes a value that was pushed. */
  set(at: number, value: number): void {
    this.#values[at] = value
  }

  at(at: number): number | undefined {
    return at < this.#length ? this.#values[at] : undefined
  }

  /** The values, without spare room, which is given back. The column goes on from there, and then takes them with it. */
  values(): ColumnValues<K> {
    if (this.#length < this.#values.length) this.#resize(this.#length)
    return this.#values
  }

  #resize(capacity: number): void {
    const constructor = KINDS[this.#kind]
    const { buffer } = this.#values
    const bytes = capacity * constructor.BYTES_PER_ELEMENT
    this.#values = new constructor(buffer.transfer(bytes)) as ColumnValues<K>
  }
}
