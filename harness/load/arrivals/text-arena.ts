/** Texts that columns point into, as bytes: a soak has a text of its own for each order, and a service that is wrong one for each answer. */
import { Column } from '../windows/columns.ts'

/** The first texts come again and again: they are kept as they are. */
const KEPT_MAX = 1000
/** Those of one session come soon after one another; what has not come for so long is stored anew. */
const RECENT_MAX = 2000
const FIRST_BYTES = 1 << 16

/** Index 0 is no text. The same text may have several indexes. */
export class TextArena {
  readonly #kept: (string | undefined)[] = [undefined]
  readonly #keptIndexes = new Map<string, number>()
  readonly #recent = new Map<string, number>()
  /** Where each text that is not kept ends. */
  readonly #ends = new Column('float64')
  #bytes = Buffer.from(new ArrayBuffer(FIRST_BYTES))
  #used = 0

  indexOf(text: string | undefined): number {
    if (text === undefined) return 0
    const known = this.#keptIndexes.get(text) ?? this.#recent.get(text)
    if (known !== undefined) return known
    if (this.#kept.length <= KEPT_MAX) {
      const index = this.#kept.push(text) - 1
      this.#keptIndexes.set(text, index)
      return index
    }
    if (this.#recent.size >= RECENT_MAX) this.#recent.clear()
    const index = this.#store(text)
    this.#recent.set(text, index)
    return index
  }

  at(index: number): string | undefined {
    if (index <= KEPT_MAX) return this.#kept[index]
    const ends = this.#ends.values()
    const stored = index - KEPT_MAX - 1
    return this.#bytes.toString('utf8', ends[stored - 1] ?? 0, ends[stored])
  }

  #store(text: string): number {
    const size = Buffer.byteLength(text)
    if (this.#used + size > this.#bytes.length) this.#grow(size)
    this.#used += this.#bytes.write(text, this.#used)
    this.#ends.push(this.#used)
    return KEPT_MAX + this.#ends.length
  }

  /** Hands the memory over, so that no old copy waits for the garbage collector. */
  #grow(size: number): void {
    const bytes = Math.max(2 * this.#bytes.length, this.#used + size)
    this.#bytes = Buffer.from(this.#bytes.buffer.transfer(bytes))
  }
}
