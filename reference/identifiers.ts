import { variantSet } from './variants.ts'
import type { VariantSet } from './variants.ts'

/** Identifiers and codes, derived from a seed and a serial number, so that nothing has to be stored for them. */
const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_LETTERS_PER_WORD = 4

/** A bijection on 32-bit words (the finishing steps of a common hash): distinct serials give distinct words. */
function scramble(word: number): number {
  let x = word | 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

const hex8 = (word: number): string => word.toString(16).padStart(8, '0')

export class Identifiers {
  readonly #seed: number
  readonly #variants: VariantSet
  #traces = 0

  constructor(seed: number, variants: VariantSet = variantSet()) {
    this.#seed = scramble(seed)
    this.#variants = variants
  }

  #word(serial: number, lane: number): number {
    return scramble(scramble(serial ^ this.#seed) + Math.imul(lane, 0x9e3779b9))
  }

  /** 32 hexadecimal digits, another for every request. */
  traceId(): string {
    const serial = ++this.#traces
    return (
      hex8(this.#word(serial, 1)) +
      hex8(this.#word(serial, 2)) +
      hex8(this.#word(serial, 3)) +
      hex8(serial >>> 0)
    )
  }

  orderId(serial: number): string {
    const hex = [5, 6].map((lane) => hex8(this.#word(serial, lane))).join('')
    if (this.#variants.has('order-ids-digits')) return String(10_000_000 + serial)
    return this.#variants.has('order-ids-uuid')
      ? `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13)}-8000-${hex8(serial)}0000`
      : `ord-${hex}`
  }

  /** A code of four groups of four, for instance a voucher's pin. */
  code(serial: number, index: number): string {
    const item = scramble(serial) ^ Math.imul(index + 1, 0x632be5ab)
    const code = [11, 12, 13, 14].map((lane) => this.#letters(item, lane)).join('-')
    if (!this.#variants.has('codes-long')) return code
    const more = [15, 16, 17].map((lane) => this.#letters(item, lane)).join('')
    return `${code.replaceAll('-', '')}${more}`.toLowerCase()
  }

  /** Decimal digits, for instance an ICCID or a serial number. */
  digits(serial: number, index: number, length: number): string {
    const item = scramble(serial) ^ Math.imul(index + 1, 0x632be5ab)
    let text = ''
    for (let lane = 21; text.length < length; lane++)
      text += String(this.#word(item, lane)).padStart(10, '0').slice(-9)
    return text.slice(0, length)
  }

  #letters(serial: number, lane: number): string {
    let word = this.#word(serial, lane)
    let text = ''
    for (let letter = 0; letter < CODE_LETTERS_PER_WORD; letter++, word >>>= 5)
      text += CODE_ALPHABET.charAt(word & 31)
    return text
  }
}
