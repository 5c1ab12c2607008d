import { variantSet } from './variants.ts'
import type { VariantSet } from './variants.ts'

/** Identifiers and codes, derived from a seed and a serial number, so that nothing has to be stored for them. */
const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A bijection on 32-bit words (the finishing steps of a common hash): distinct serials give distinct words. */
function scramble(word: number): number {
  let x = word | 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

/** Two hexadecimal digits of each byte: every answer has many. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex8(word: number): string {
  const [a, b] = [HEX[word >>> 24], HEX[(word >>> 16) & 255]]
  const [c, d] = [HEX[(word >>> 8) & 255], HEX[word & 255]]
  return `${a}${b}${c}${d}`
}

/** Pairs of letters of a code, by ten bits. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, bits) => CODE_ALPHABET.charAt(bits & 31) + CODE_ALPHABET.charAt(bits >>> 5),
)

export class Identifiers {
  readonly #seed: number
  readonly #variants: VariantSet
  readonly #tracePrefix: string
  #traces = 0

  constructor(seed: number, variants: VariantSet = variantSet()) {
    this.#seed = scramble(seed)
    this.#variants = variants
    this.#tracePrefix = [1, 2, 3].map((lane) => hex8(this.#word(0, lane))).join('')
  }

  #word(serial: number, lane: number): number {
    return scramble(scramble(serial ^ this.#seed) + Math.imul(lane, 0x9e3779b9))
  }

  /** 32 hexadecimal digits, another for every request. */
  traceId(): string {
    return this.#tracePrefix + hex8(++this.#traces >>> 0)
  }

  orderId(serial: number): string {
    const hex = hex8(this.#word(serial, 5)) + hex8(this.#word(serial, 6))
    if (this.#variants.has('order-ids-digits')) return String(10_000_000 + serial)
    return this.#variants.has('order-ids-uuid')
      ? `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13)}-8000-${hex8(serial)}0000`
      : `ord-${hex}`
  }

  /** A code of four groups of four, for instance a voucher's pin. */
  code(serial: number, index: number): string {
    const item = scramble(serial) ^ Math.imul(index + 1, 0x632be5ab)
    const [a, b] = [this.#letters(item, 11), this.#letters(item, 12)]
    const code = `${a}-${b}-${this.#letters(item, 13)}-${this.#letters(item, 14)}`
    if (!this.#variants.has('codes-long')) return code
    const more = [15, 16, 17].map((lane) => this.#letters(item, lane)).join('')
    return `${code.replaceAll('-', '')}${more}`.toLowerCase()
  }

  /** Decimal digits, for instance an ICCID or a serial number. */
  digits(serial: number, index: number, length: number): string {
    const item = scramble(serial) ^ Math.imul(index + 1, 0x632be5ab)
    let text = ''
    for (let lane = 21; text.length < length; lane++)
      text += String(1e9 + (this.#word(item, lane) % 1e9)).slice(1)
    return text.slice(0, length)
  }

  #letters(serial: number, lane: number): string {
    const word = this.#word(serial, lane)
    return `${PAIRS[word & 1023]}${PAIRS[(word >>> 10) & 1023]}`
  }
}
