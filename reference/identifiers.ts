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

/** The inverse of `scramble`: the same steps backwards, with the inverse factors. */
function unscramble(word: number): number {
  let x = word ^ (word >>> 16)
  x = Math.imul(x, 0x7ed1b41d)
  x = Math.imul(x ^ (x >>> 13) ^ (x >>> 26), 0xa5cb9243)
  return (x ^ (x >>> 16)) >>> 0
}

const charCodesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

const HEX_DIGITS = charCodesOf('0123456789abcdef')
const CODE_LETTERS = charCodesOf(CODE_ALPHABET)
const DASH = '-'.charCodeAt(0)
const ORD = 'ord-'

function digit(word: number, shift: number): number {
  return HEX_DIGITS[(word >>> shift) & 15] ?? 0
}

function letter(word: number, shift: number): number {
  return CODE_LETTERS[(word >>> shift) & 31] ?? 0
}

/**
 * One call for the whole text: every answer has several of these, and each step between would be a text too. Where texts are joined,
 * `+` does it: a template would ask each of its parts first whether it is a text.
 */
function hex8(word: number): string {
  // oxfmt-ignore
  return String.fromCharCode(
    digit(word, 28), digit(word, 24), digit(word, 20), digit(word, 16),
    digit(word, 12), digit(word, 8), digit(word, 4), digit(word, 0),
  )
}

/** `ord-` and sixteen digits. */
function ordHex16(a: number, b: number): string {
  // oxfmt-ignore
  return String.fromCharCode(
    111, 114, 100, DASH,
    digit(a, 28), digit(a, 24), digit(a, 20), digit(a, 16),
    digit(a, 12), digit(a, 8), digit(a, 4), digit(a, 0),
    digit(b, 28), digit(b, 24), digit(b, 20), digit(b, 16),
    digit(b, 12), digit(b, 8), digit(b, 4), digit(b, 0),
  )
}

/** Four groups of four letters, by twenty bits of each word. */
function groups(a: number, b: number, c: number, d: number): string {
  // oxfmt-ignore
  return String.fromCharCode(
    letter(a, 0), letter(a, 5), letter(a, 10), letter(a, 15), DASH,
    letter(b, 0), letter(b, 5), letter(b, 10), letter(b, 15), DASH,
    letter(c, 0), letter(c, 5), letter(c, 10), letter(c, 15), DASH,
    letter(d, 0), letter(d, 5), letter(d, 10), letter(d, 15),
  )
}

/** Three decimal digits of each number below a thousand. */
const THREE = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'))

/** The first digits, nine at most, of a number below 10^9. */
function leadingDigits(number: number, count: number): string {
  if (count === 1) return String(Math.floor(number / 1e8))
  if (count < 9) return String(number).padStart(9, '0').slice(0, count)
  const millions = THREE[Math.floor(number / 1e6)] ?? ''
  const thousands = THREE[Math.floor(number / 1e3) % 1e3] ?? ''
  return millions + thousands + (THREE[number % 1e3] ?? '')
}

function uuidOf(hex: string, serial: number): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13)}-8000-${hex8(serial)}0000`
}

/** How the ids of a variant begin: all of it has to be encoded in a URL. */
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

  /** The inverse of `#word`. */
  #serialOfWord(word: number, lane: number): number {
    return (unscramble(unscramble(word) - Math.imul(lane, STEP)) ^ this.#seed) >>> 0
  }

  /** 32 hexadecimal digits, another for every request. */
  traceId(): string {
    return this.#tracePrefix + hex8(++this.#traces >>> 0)
  }

  orderId(serial: number): string {
    const id = ordHex16(this.#word(serial, 5), this.#word(serial, 6))
    if (this.#variants.has('order-ids-digits')) return String(DIGITS_FIRST + serial)
    if (this.#variants.has('order-ids-strange')) return STRANGE + id.slice(ORD.length)
    return this.#variants.has('order-ids-uuid') ? uuidOf(id.slice(ORD.length), serial) : id
  }

  /** The serial number that an order id was made of, where it is one; otherwise any number. */
  serialOf(orderId: string): number {
    if (this.#variants.has('order-ids-digits')) return Number(orderId) - DIGITS_FIRST
    const start = this.#prefixLength()
    return this.#serialOfWord(Number.parseInt(orderId.slice(start, start + 8), 16), 5)
  }

  #prefixLength(): number {
    if (this.#variants.has('order-ids-strange')) return STRANGE.length
    return this.#variants.has('order-ids-uuid') ? 0 : ORD.length
  }

  /** A code of four groups of four, for instance a voucher's pin. */
  code(serial: number, index: number): string {
    const item = scramble(serial) ^ Math.imul(index + 1, 0x632be5ab)
    const [a, b] = [this.#word(item, 11), this.#word(item, 12)]
    const code = groups(a, b, this.#word(item, 13), this.#word(item, 14))
    if (!this.#variants.has('codes-long')) return code
    const more = groups(this.#word(item, 15), this.#word(item, 16), this.#word(item, 17), 0)
    return `${code}${more.slice(0, -4)}`.replaceAll('-', '').toLowerCase()
  }

  /** Decimal digits, for instance an ICCID or a serial number. */
  digits(serial: number, index: number, length: number): string {
    const item = scramble(serial) ^ Math.imul(index + 1, 0x632be5ab)
    let text = ''
    for (let lane = 21; text.length < length; lane++)
      text += leadingDigits(this.#word(item, lane) % 1e9, Math.min(9, length - text.length))
    return text
  }
}
