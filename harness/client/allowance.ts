/** Shorter bodies are read in any case. */
const SHORT_BYTES = 256 * 1024

/** All longer bodies of a run together: each is kept as text and as values, until the whole history has been judged. */
const LONG_BYTES_MAX = 128 * 1024 * 1024

/** How much of a body is read. When long ones have filled what a run can keep, only the beginning of the next ones is. */
export class Allowance {
  readonly #bytesMax: number
  #longLeft: number

  constructor(bytesMax: number, longBytesMax = LONG_BYTES_MAX) {
    this.#bytesMax = bytesMax
    this.#longLeft = longBytesMax
  }

  /** Longest body that would be read now. */
  get bytesMax(): number {
    return this.#longLeft > 0 ? this.#bytesMax : Math.min(this.#bytesMax, SHORT_BYTES)
  }

  /** So many bytes of a body that came after `before` others are read. */
  take(before: number, length: number): number {
    const taken = Math.min(length, Math.max(0, this.bytesMax - before))
    this.keep(before + taken > SHORT_BYTES ? taken : 0)
    return taken
  }

  /** So many bytes of long bodies are kept. */
  keep(length: number): void {
    this.#longLeft -= length
  }
}
