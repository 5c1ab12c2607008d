import { isTerminal } from '../../contract/wire.ts'
import { formatMoney, type Micros } from '../money.ts'
import { chargeOf, costOf, note, sumOf, type Attempt } from './attempt.ts'
import { PriceBook, type CatalogPrice } from './price-book.ts'
import {
  PurchaseRefused,
  RISE_MAX,
  type OrderMade,
  type Overcharge,
  type Purchase,
  type Purchased,
  type PurchasePermission,
  type Settlement,
} from './purchase.ts'

const NONE: ReadonlySet<Attempt> = new Set()

/**
 * Keeps purchases within the permitted number and sum, also under concurrency: every sending is reserved before it leaves, at the
 * dearest price that is known. It is given back when the server plainly refused it, or showed by the order's identifier that it made no
 * new one. That a reference is never bought twice is what the harness finds out, so nothing is built on it: an unknown outcome counts
 * as spent until an answer marked as a replay says which order it made. Where a sum is permitted, one order that is charged more than
 * was reserved ends all purchases.
 */
export class PurchaseGuard {
  readonly prices: PriceBook
  readonly #permission: PurchasePermission
  readonly #onOvercharge: (overcharge: Overcharge) => void
  readonly #attempts = new Set<Attempt>()
  /** The same by purchase, in the order of sending. */
  readonly #byPurchase = new Map<string, Set<Attempt>>()
  /** Those whose order is known, by its identifier. */
  readonly #byOrder = new Map<string, Attempt>()
  /** What those cost that are not in flight, kept as they change: it is asked for after every purchase. */
  readonly #settled = new Map<string, Micros>()
  readonly #readings = new Set<Promise<void>>()
  #closed: string | undefined
  #overcharge: Overcharge | undefined

  constructor(
    permission: PurchasePermission,
    options: {
      readonly catalog?: readonly CatalogPrice[]
      /** Hears of the first order that was charged too much. */
      readonly onOvercharge?: (overcharge: Overcharge) => void
    } = {},
  ) {
    this.#permission = permission
    this.prices = new PriceBook(options.catalog)
    this.#onOvercharge = options.onOvercharge ?? (() => {})
  }

  /** A sum is permitted, and not more: no price is believed before it was charged. */
  get isStrict(): boolean {
    return this.#permission.spendMax !== undefined
  }

  get overcharge(): Overcharge | undefined {
    return this.#overcharge
  }

  /**
   * Throws where no purchase is permitted at all. Holds for everything that is sent to where purchases are made: a service that is
   * wrong may buy for a validation, or for a body that is broken.
   */
  requireSome(): void {
    if (this.#permission.ordersMax === 0)
      throw new PurchaseRefused(
        'purchases are not permitted (--allow-purchases --max-orders N --max-spend CUR:AMOUNT)',
      )
    if (this.#closed !== undefined) throw new PurchaseRefused(this.#closed)
  }

  /** Throws where it may not leave any more: what was learned since it was reserved forbids it. */
  requireSendable(purchases: readonly Purchase[]): void {
    this.requireSome()
    if (!this.isStrict) return
    for (const { product } of purchases) {
      const why = this.prices.whyUnknown(product)
      if (why !== undefined) throw new PurchaseRefused(why)
    }
  }

  /** Reserves what is about to be sent; throws where the permission does not cover it. */
  reserve(purchase: Purchase): void {
    const { ordersMax, spendMax } = this.#permission
    if (ordersMax !== undefined && this.#attempts.size >= ordersMax)
      throw new PurchaseRefused(`the permitted ${ordersMax} orders are used up (--max-orders)`, {
        isForBound: true,
      })
    const reserved = this.prices.priceOf(purchase)
    if (spendMax) this.#checkSpend(purchase, reserved, spendMax)
    const attempt: Attempt = { purchase, reserved, inFlight: true }
    this.#attempts.add(attempt)
    const others = this.#byPurchase.get(purchase.id)
    if (others) others.add(attempt)
    else this.#byPurchase.set(purchase.id, new Set([attempt]))
  }

  /** Reserves all or none. */
  reserveAll(purchases: readonly Purchase[]): void {
    const reserved: Purchase[] = []
    try {
      for (const purchase of purchases) {
        this.reserve(purchase)
        reserved.push(purchase)
      }
    } catch (cause) {
      for (const purchase of reserved) this.settle(purchase, { outcome: 'refused' })
      throw cause
    }
  }

  /** Tells how an attempt ended. */
  settle(purchase: Purchase, settlement: Settlement): void {
    const { outcome, orderId, micros, status, replayed = false } = settlement
    const attempt = this.#landed(purchase)
    if (!attempt) return
    note(attempt, status)
    const isCounted = orderId !== undefined && this.#byOrder.has(orderId)
    if (outcome === 'refused' || isCounted) this.#forget(attempt)
    else if (orderId !== undefined) {
      attempt.orderId = orderId
      this.#byOrder.set(orderId, attempt)
    }
    this.#change(attempt, () => {
      attempt.inFlight = false
    })
    if (replayed && orderId !== undefined) this.#resolve(purchase, orderId)
    if (outcome === 'refused') return
    const order = isCounted ? this.#orderOf(orderId) : attempt
    if (order && order !== attempt) note(order, status)
    this.#charge(order, micros)
  }

  /** Whether it is known only that it was sent. */
  isLost({ id }: Purchase): boolean {
    const attempts = this.#attemptsOf(id)
    return attempts.size > 0 && attempts.values().every(({ orderId }) => orderId === undefined)
  }

  /** Whether it was made, as far as is known, and nobody knows yet what its product costs. */
  isUnpriced({ id, product }: Purchase): boolean {
    if (product === undefined || this.prices.isConfirmed(product)) return false
    return this.#attemptsOf(id).size > 0
  }

  isFinished({ id }: Purchase): boolean {
    return this.#attemptsOf(id)
      .values()
      .some(({ status }) => isTerminal(status))
  }

  /** Keeps a reading under way, for whoever waits for all of them. */
  track(reading: Promise<void>): Promise<void> {
    this.#readings.add(reading)
    return reading.finally(() => this.#readings.delete(reading))
  }

  /** Resolves when no price is being read any more. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#readings)
  }

  /** Notes what a reading of an order shows. */
  saw(orderId: string, { micros, status }: Pick<Settlement, 'micros' | 'status'>): void {
    const attempt = this.#orderOf(orderId)
    if (!attempt) return
    note(attempt, status)
    this.#charge(attempt, micros)
  }

  /** An order that nobody reserved: a service may buy for what should buy nothing. */
  found(order: Omit<OrderMade, 'reserved'>): void {
    const { orderId, currency, charged, reference = '', status } = order
    if (orderId === undefined || this.#byOrder.has(orderId)) return
    const attempt: Attempt = {
      purchase: { id: `unasked ${orderId}`, reference, currency, micros: 0n },
      reserved: 0n,
      inFlight: false,
      orderId,
      ...(status === undefined ? {} : { status }),
    }
    this.#attempts.add(attempt)
    this.#byOrder.set(orderId, attempt)
    this.#charge(attempt, charged)
  }

  /** The first sending of the purchase that is in flight, which is so no more. */
  #landed({ id }: Purchase): Attempt | undefined {
    return this.#attemptsOf(id)
      .values()
      .find(({ inFlight }) => inFlight)
  }

  #attemptsOf(purchase: string): ReadonlySet<Attempt> {
    return this.#byPurchase.get(purchase) ?? NONE
  }

  #forget(attempt: Attempt): void {
    const { id } = attempt.purchase
    this.#attempts.delete(attempt)
    const others = this.#byPurchase.get(id)
    others?.delete(attempt)
    if (others?.size === 0) this.#byPurchase.delete(id)
  }

  #orderOf(orderId: string | undefined): Attempt | undefined {
    return orderId === undefined ? undefined : this.#byOrder.get(orderId)
  }

  /** It may cost more than was reckoned: a markup, a price that has risen, or a target file that is wrong. */
  #charge(attempt: Attempt | undefined, micros: Micros | undefined): void {
    if (!attempt) return
    if (micros !== undefined && micros > (attempt.charged ?? -1n))
      this.#change(attempt, () => {
        attempt.charged = micros
      })
    const { purchase, reserved, charged } = attempt
    if (charged === undefined) return
    // A price of nothing at first is not the last word.
    if (isTerminal(attempt.status) && (charged > 0n || reserved === 0n))
      this.prices.charged(purchase, charged)
    if (reserved === undefined || charged <= reserved || this.#overcharge) return
    const { reference = '', product = 'unknown', currency } = purchase
    this.#overcharge = { reference, product, currency, reserved, charged }
    if (this.isStrict)
      this.#closed = `purchases were stopped: an order of the product ${product} was charged ${currency} ${formatMoney(charged)}, reserved were ${formatMoney(reserved)}`
    this.#onOvercharge(this.#overcharge)
  }

  /** A marked replay tells what the sendings whose answers were lost made: this one order, at the price of one of them. */
  #resolve({ id }: Purchase, orderId: string): void {
    const counted = this.#orderOf(orderId)
    if (!counted) return
    for (const each of this.#attemptsOf(id)) {
      if (each.inFlight || each.orderId !== undefined) continue
      this.#change(each, () => this.#forget(each))
      if (costOf(each) > costOf(counted))
        this.#change(counted, () => {
          counted.reserved = costOf(each)
        })
    }
  }

  /** Changes what an attempt counts for in the sums of what is settled. */
  #change(attempt: Attempt, act: () => void): void {
    const before = this.#countedOf(attempt)
    act()
    const micros = this.#countedOf(attempt) - before
    if (micros === 0n) return
    const { currency } = attempt.purchase
    this.#settled.set(currency, (this.#settled.get(currency) ?? 0n) + micros)
  }

  #countedOf(attempt: Attempt): Micros {
    const isCertain = attempt.orderId !== undefined || attempt.charged !== undefined
    if (attempt.inFlight || !isCertain || !this.#attempts.has(attempt)) return 0n
    return chargeOf(attempt)
  }

  /** Orders that were made or may have been. */
  get orders(): number {
    return this.#attempts.size
  }

  /** Each of them. */
  get made(): readonly OrderMade[] {
    return [...this.#attempts].map(({ purchase, reserved, charged, orderId, status }) => ({
      currency: purchase.currency,
      ...(purchase.reference === undefined ? {} : { reference: purchase.reference }),
      ...(purchase.product === undefined ? {} : { product: purchase.product }),
      ...(orderId === undefined ? {} : { orderId }),
      ...(reserved === undefined ? {} : { reserved }),
      ...(charged === undefined ? {} : { charged }),
      ...(status === undefined ? {} : { status }),
    }))
  }

  /** What was bought so far. Without a bound orders are named only where it is asked for: there may be thousands. */
  purchased({ isNamed }: { readonly isNamed: boolean }): Purchased {
    return {
      orders: this.orders,
      made: isNamed || this.isStrict ? this.made : [],
      money: this.money,
      charged: sumOf(this.#attempts, chargeOf),
      ...(this.#overcharge ? { overcharge: this.#overcharge } : {}),
    }
  }

  /** What those orders cost or may have, by currency; of an order whose price was not known before, nothing. */
  get money(): ReadonlyMap<string, Micros> {
    return sumOf(this.#attempts)
  }

  /** What was spent for certain, by currency: without orders that are under way or lost. A price that was charged counts, not what was reserved. */
  get moneySettled(): ReadonlyMap<string, Micros> {
    return this.#settled
  }

  #checkSpend(
    { currency }: Purchase,
    reserved: Micros | undefined,
    spendMax: NonNullable<PurchasePermission['spendMax']>,
  ): void {
    if (currency !== spendMax.currency || reserved === undefined)
      throw new PurchaseRefused(
        `the price in ${spendMax.currency} is not known before the purchase (state unitPrice and currency of the product in the target file)`,
      )
    const attempts = [...this.#attempts]
    const spent = attempts.reduce((sum, each) => sum + costOf(each), 0n)
    const others = attempts.filter(({ inFlight }) => inFlight)
    const together = others.reduce((sum, each) => sum + costOf(each), reserved)
    const aside = others.length > 0 ? (RISE_MAX - 1n) * together : 0n
    if (spent + reserved + aside > spendMax.micros)
      throw new PurchaseRefused(
        `the permitted ${spendMax.currency} ${formatMoney(spendMax.micros)} would be exceeded: ${formatMoney(spent)} reserved, ${formatMoney(reserved)} more wanted${aside > 0n ? `, ${formatMoney(aside)} set aside while orders are under way together, since their prices may rise` : ''} (--max-spend)`,
        { isForBound: true },
      )
  }
}
