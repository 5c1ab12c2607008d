/** Shorter bodies are read in any case. */
const SMALL_BYTES = 16 * 1024

/** Longer bodies than that are long. */
const SHORT_BYTES = 256 * 1024

/** All longer bodies of a run together: each is kept as text and as values, until the whole history has been judged. */
const LONG_BYTES_MAX = 128 * 1024 * 1024

/** All bodies between small and long together. Text and values of more would fill the memory of the thread that keeps them. */
const MIDDLE_BYTES_MAX = 512 * 1024 * 1024

/** How much of a body is read. When long or middle ones have filled what a run can keep, only the beginning of the next ones is. */
export class Allowance {
  readonly #bytesMax: number
  #longLeft: number
  #middleLeft: number

  constructor(bytesMax: number, longBytesMax = LONG_BYTES_MAX, middleBytesMax = MIDDLE_BYTES_MAX) {
    this.#bytesMax = bytesMax
    this.#longLeft = longBytesMax
    this.#middleLeft = middleBytesMax
  }

  /** Longest body that would be read now. */
  get bytesMax(): number {
    if (this.#middleLeft <= 0) return Math.min(this.#bytesMax, SMALL_BYTES)
    return this.#longLeft > 0 ? this.#bytesMax : Math.min(this.#bytesMax, SHORT_BYTES)
  }

  /** So many bytes of a body that came after `before` others are read. */
  take(before: number, length: number): number {
    const taken = Math.min(length, Math.max(0, this.bytesMax - before))
    const read = before + taken
    if (read > SHORT_BYTES) this.#longLeft -= taken
    else if (read > SMALL_BYTES) this.#middleLeft -= taken
    return taken
  }

  /** So many bytes are kept beside those that were read. */
  keep(length: number): void {
    this.#longLeft -= length
    if (length > SMALL_BYTES && length <= SHORT_BYTES) this.#middleLeft -= length
  }
}
