import type { Micros } from '../../harness/money.ts'
import type { Exchange } from '../../harness/client/exchange.ts'

/** How many pieces one order of vouchers takes, and what they cost in it, as far as the checks of a run met with it. */
export class Pieces {
  #taken = 0
  #refused = Number.POSITIVE_INFINITY
  #cheapest: Micros | undefined
  #dearest: Micros | undefined
  #learned: Promise<void> | undefined
  readonly #left = new Map<string, Micros>()
  readonly #opened = new Map<string, Exchange>()

  /** Pieces of the largest order that is known to be taken; 0 where no order was ever refused for its size. */
  get taken(): number {
    return this.#taken
  }

  /** Pieces of the smallest order that was refused for its size; Infinity where none was. */
  get refused(): number {
    return this.#refused
  }

  /** Pieces of the first order, where so many are to be bought. */
  within(units: number): number {
    return units < this.#refused || this.#taken === 0 ? units : this.#taken
  }

  /** Whether an order was refused for its size, as far as that can be told. */
  isTooLarge(units: number, { response }: Exchange): boolean {
    if (response?.status !== 422 || units <= Math.max(this.#taken, 1)) return false
    this.#refused = Math.min(this.#refused, units)
    return true
  }

  noteTaken(units: number): void {
    // What was refused was not refused for its size then.
    if (units >= this.#refused) this.#refused = Number.POSITIVE_INFINITY
    this.#taken = Math.max(this.#taken, units)
  }

  /** The least that a piece of a voucher cost in an order so far. */
  get cheapest(): Micros | undefined {
    return this.#cheapest
  }

  /** The most, to the next millionth. Many cost more than as many single ones where the price of one was rounded down. */
  get dearest(): Micros | undefined {
    return this.#dearest
  }

  notePrice(price: Micros, units: number): void {
    if (price <= 0n || units < 1) return
    const count = BigInt(units)
    // A service may sell millions of pieces for the price of one: what is bought is divided by this.
    const least = price < count ? 1n : price / count
    const most = (price + count - 1n) / count
    if (this.#cheapest === undefined || least < this.#cheapest) this.#cheapest = least
    if (this.#dearest === undefined || most > this.#dearest) this.#dearest = most
  }

  /** Once a run: the others wait for whoever comes first. */
  learnBulk(learn: () => Promise<void>): Promise<void> {
    this.#learned ??= learn().catch((cause: unknown) => {
      this.#learned = undefined
      throw cause
    })
    return this.#learned
  }

  /** What is left at most of the cap of a key: a run only buys, so it never grows. */
  leftOf(secret: string, otherwise: Micros): Micros {
    const left = this.#left.get(secret) ?? otherwise
    return left < otherwise ? left : otherwise
  }

  noteLeft(secret: string, left: Micros): void {
    this.#left.set(secret, left)
  }

  /** The single piece that a key with a cap was opened by in this run. */
  openingOf(secret: string): Exchange | undefined {
    return this.#opened.get(secret)
  }

  noteOpening(secret: string, bought: Exchange): void {
    this.#opened.set(secret, bought)
  }
}
