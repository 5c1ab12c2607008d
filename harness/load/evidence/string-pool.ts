/** Texts of a column as bytes: a soak has a text of its own for each order, and a service that is wrong one for each answer. */
import { hashOf } from './text-hash.ts'

/** The first texts come again and again: they are kept as they are. */
const KEPT_MAX = 1000
/**
 * Those of one session come soon after one another; what has not come for so long is stored anew. Places that are
 * taken again, and no map that is emptied: its old tables would keep each other, and all their texts, in memory.
 */
const RECENT_PLACES = 1024
const FIRST_BYTES = 1 << 12
/** Lengths up to this take one byte before the text, others five. */
const SHORT_MAX = 0xfe
/** Indexes fit in a column of 32 bits. */
const BYTES_MAX = 0xffffffff - KEPT_MAX

/** Index 0 is no text. The same text may have several indexes. */
export class StringPool {
  readonly #kept: (string | undefined)[] = [undefined]
  readonly #keptIndexes = new Map<string, number>()
  /** By their hashes. */
  readonly #recent: (string | undefined)[] = Array.from({ length: RECENT_PLACES }, () => undefined)
  readonly #recentIndexes = new Uint32Array(RECENT_PLACES)
  /** Each text after its length. Its index tells where it begins. */
  #bytes = Buffer.from(new ArrayBuffer(FIRST_BYTES))
  #used = 0

  indexOf(text: string | undefined): number {
    if (text === undefined) return 0
    const known = this.#keptIndexes.get(text)
    if (known !== undefined) return known
    if (this.#kept.length <= KEPT_MAX) {
      const index = this.#kept.push(text) - 1
      this.#keptIndexes.set(text, index)
      return index
    }
    const place = hashOf(text) % RECENT_PLACES
    if (this.#recent[place] !== text) {
      this.#recent[place] = text
      this.#recentIndexes[place] = this.#store(text)
    }
    return this.#recentIndexes[place] as number
  }

  at(index: number): string | undefined {
    if (index <= KEPT_MAX) return this.#kept[index]
    const start = index - KEPT_MAX - 1
    const short = this.#bytes[start] as number
    if (short <= SHORT_MAX) return this.#textFrom(start + 1, short)
    return this.#textFrom(start + 5, this.#bytes.readUInt32LE(start + 1))
  }

  /** Gives spare room back. */
  trim(): void {
    if (this.#used < this.#bytes.length) this.#resize(this.#used)
  }

  #textFrom(start: number, size: number): string {
    return this.#bytes.toString('utf8', start, start + size)
  }

  /** Returns its index. Throws where all texts together are more than indexes can tell. */
  #store(text: string): number {
    const size = Buffer.byteLength(text)
    const start = this.#used
    const textStart = start + (size <= SHORT_MAX ? 1 : 5)
    if (textStart + size > BYTES_MAX)
      throw new RangeError(`Texts of more than ${BYTES_MAX} bytes do not fit in one column.`)
    if (textStart + size > this.#bytes.length)
      this.#resize(Math.max(2 * this.#bytes.length, textStart + size))
    this.#bytes[start] = Math.min(size, SHORT_MAX + 1)
    if (size > SHORT_MAX) this.#bytes.writeUInt32LE(size, start + 1)
    this.#used = textStart + this.#bytes.write(text, textStart)
    return start + KEPT_MAX + 1
  }

  /** Hands the memory over, so that no old copy waits for the garbage collector. */
  #resize(size: number): void {
    this.#bytes = Buffer.from(this.#bytes.buffer.transfer(size))
  }
}
