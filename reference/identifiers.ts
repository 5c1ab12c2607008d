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
  #traces = 0

  constructor(seed: number) {
    this.#seed = scramble(seed)
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
    return `ord-${hex8(this.#word(serial, 5))}${hex8(this.#word(serial, 6))}`
  }

  /** A code of four groups of four, for instance a voucher's pin. */
  code(serial: number, index: number): string {
    const item = scramble(serial) ^ Math.imul(index + 1, 0x632be5ab)
    return [11, 12, 13, 14].map((lane) => this.#letters(item, lane)).join('-')
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
