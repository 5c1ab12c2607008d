import { type VariantSet, variantSet } from './variants.ts'

/** Identifiers and codes, derived from a seed and a serial number, so that nothing has to be stored for them. */
const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A bijection on 32-bit words (the finishing steps of a common hash): distinct serials give distinct words. */
function scramble(word: number): number {
  let x = word | 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

function hex8(word: number): string {
  return word.toString(16).padStart(8, '0')
}

/** Four letters, by twenty bits of a word. */
function group(word: number): string {
  let text = ''
  for (let shift = 0; shift < 20; shift += 5) text += CODE_ALPHABET[(word >>> shift) & 31]
  return text
}

function uuidOf(hex: string, serial: number): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13)}-8000-${hex8(serial)}0000`
}

/** How the ids of a variant begin: each of its letters must be encoded in a URL. */
const STRANGE = 'ör/d +%2F&?#='

/** The first of the ids of a variant. */
const DIGITS_FIRST = 10_000_000
const STEP = 0x9e3779b9

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
    return scramble(scramble(serial ^ this.#seed) + Math.imul(lane, STEP))
  }

  /** 32 hexadecimal digits, another for every request. */
  traceId(): string {
    return this.#tracePrefix + String(++this.#traces % 1e8).padStart(8, '0')
  }

  orderId(serial: number): string {
    const hex = hex8(this.#word(serial, 5)) + hex8(this.#word(serial, 6))
    if (this.#variants.has('order-ids-digits')) return String(DIGITS_FIRST + serial)
    if (this.#variants.has('order-ids-strange')) return STRANGE + hex
    return this.#variants.has('order-ids-uuid') ? uuidOf(hex, serial) : `ord-${hex}`
  }

  /** A code of four groups of four, for instance a voucher's pin. */
  code(serial: number, index: number): string {
    const item = scramble(serial) ^ Math.imul(index + 1, 0x632be5ab)
    const isLong = this.#variants.has('codes-long')
    const groups = Array.from({ length: isLong ? 7 : 4 }, (_, at) =>
      group(this.#word(item, 11 + at)),
    )
    return isLong ? groups.join('').toLowerCase() : groups.join('-')
  }

  /** Decimal digits, for instance an ICCID or a serial number. */
  digits(serial: number, index: number, length: number): string {
    const item = scramble(serial) ^ Math.imul(index + 1, 0x632be5ab)
    let text = ''
    for (let lane = 21; text.length < length; lane++)
      text += String(this.#word(item, lane) % 1e9).padStart(9, '0')
    return text.slice(0, length)
  }
}
