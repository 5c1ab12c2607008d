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

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex8(word: number): string {
  return `${HEX[word >>> 24]}${HEX[(word >>> 16) & 255]}${HEX[(word >>> 8) & 255]}${HEX[word & 255]}`
}

/** Two letters, by ten bits. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, bits) => `${CODE_ALPHABET[bits & 31]}${CODE_ALPHABET[bits >>> 5]}`,
)

/** Four letters, by twenty bits of a word. */
function group(word: number): string {
  return `${PAIRS[word & 1023]}${PAIRS[(word >>> 10) & 1023]}`
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
    this.#tracePrefix = [1, 2, 3].map((part) => hex8(this.#word(0, part))).join('')
  }

  #word(serial: number, part: number): number {
    return scramble(scramble(serial ^ this.#seed) + Math.imul(part, STEP))
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
    const groups: string[] = []
    for (let at = 0; at < (isLong ? 7 : 4); at++) groups.push(group(this.#word(item, 11 + at)))
    return isLong ? groups.join('').toLowerCase() : groups.join('-')
  }

  /** Decimal digits, for instance an ICCID or a serial number. */
  digits(serial: number, index: number, length: number): string {
    const item = scramble(serial) ^ Math.imul(index + 1, 0x632be5ab)
    let text = ''
    for (let part = 21; text.length < length; part++)
      text += String(1e9 + (this.#word(item, part) % 1e9)).slice(1)
    return text.slice(0, length)
  }
}
