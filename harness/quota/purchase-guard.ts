import { formatMoney, type Micros } from '../money.ts'

/** What the caller permitted. Undefined limits mean: no limit (loopback or a declared sandbox). */
export type PurchasePermission = {
  readonly ordersMax?: number
  readonly spendMax?: { readonly currency: string; readonly micros: Micros }
}

/** One purchase about to be sent. */
export type Purchase = {
  /** Account and reference: what makes it the same purchase when it is sent again. */
  readonly id: string
  readonly currency: string
  /** Undefined: the price is not known before. */
  readonly micros?: Micros
}

/** Thrown before anything is sent; the check becomes untested with this reason. */
export class PurchaseRefused extends Error {
  override readonly name = 'PurchaseRefused'
}

/** One sending of a purchase that made an order, or may have. */
type Attempt = { purchase: Purchase; inFlight: boolean; orderId?: string }

/** How a sending ended. */
export type Settlement = {
  /** `refused`: the server plainly made no order. */
  readonly outcome: 'refused' | 'maybe made'
  /** The order that it answered with. */
  readonly orderId?: string | undefined
  /** The answer says that an earlier sending of the same reference made that order (IDEMPOTENCY_REPLAY). */
  readonly replayed?: boolean
  /** What the answer says that it costs. */
  readonly micros?: Micros | undefined
}

/**
 * Keeps purchases within the permitted number and sum, also under concurrency: every sending is reserved before it leaves. It is
 * given back when the server plainly refused it, or showed by the order's identifier that it made no new one. That a reference is
 * never bought twice is what the harness finds out, so nothing is built on it: an unknown outcome counts as spent until an answer
 * marked as a replay says which order it made.
 */
export class PurchaseGuard {
  readonly #permission: PurchasePermission
  readonly #attempts = new Set<Attempt>()
  /** Those that are in flight, by purchase, in the order of sending. */
  readonly #inFlight = new Map<string, Attempt[]>()
  /** Identifiers of the orders that are counted. */
  readonly #orderIds = new Set<string>()

  constructor(permission: PurchasePermission) {
    this.#permission = permission
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
  }

  /** Reserves what is about to be sent; throws where the permission does not cover it. */
  reserve(purchase: Purchase): void {
    const { ordersMax, spendMax } = this.#permission
    if (ordersMax !== undefined && this.#attempts.size >= ordersMax)
      throw new PurchaseRefused(`the permitted ${ordersMax} orders are used up (--max-orders)`)
    if (spendMax) this.#checkSpend(purchase, spendMax)
    const attempt: Attempt = { purchase, inFlight: true }
    this.#attempts.add(attempt)
    const others = this.#inFlight.get(purchase.id)
    if (others) others.push(attempt)
    else this.#inFlight.set(purchase.id, [attempt])
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
  settle(purchase: Purchase, { outcome, orderId, micros, replayed = false }: Settlement): void {
    const attempt = this.#landed(purchase)
    if (!attempt) return
    attempt.inFlight = false
    // It may cost more than the target file states: a markup, or a price that has risen.
    if (micros !== undefined && micros > (attempt.purchase.micros ?? 0n))
      attempt.purchase = { ...attempt.purchase, micros }
    const isCounted = orderId !== undefined && this.#orderIds.has(orderId)
    if (outcome === 'refused' || isCounted) this.#attempts.delete(attempt)
    else if (orderId !== undefined) this.#count(attempt, orderId)
    if (replayed && orderId !== undefined) this.#resolve(purchase, orderId)
  }

  /** The first sending of the purchase that is in flight, which is so no more. */
  #landed({ id }: Purchase): Attempt | undefined {
    const inFlight = this.#inFlight.get(id) ?? []
    const attempt = inFlight.shift()
    if (inFlight.length === 0) this.#inFlight.delete(id)
    return attempt
  }

  #count(attempt: Attempt, orderId: string): void {
    attempt.orderId = orderId
    this.#orderIds.add(orderId)
  }

  /** A marked replay tells what the sendings whose answers were lost made: this one order, at the price of one of them. */
  #resolve({ id }: Purchase, orderId: string): void {
    const counted = this.#attempts.values().find((each) => each.orderId === orderId)
    const unknown = [...this.#attempts].filter(
      (each) => !each.inFlight && each.purchase.id === id && each.orderId === undefined,
    )
    if (!counted) return
    for (const each of unknown) {
      this.#attempts.delete(each)
      if ((each.purchase.micros ?? 0n) > (counted.purchase.micros ?? 0n))
        counted.purchase = each.purchase
    }
  }

  /** Orders that were made or may have been. */
  get orders(): number {
    return this.#attempts.size
  }

  /** What those orders cost or may have, by currency; of an order whose price was not known before, nothing. */
  get money(): ReadonlyMap<string, Micros> {
    const money = new Map<string, Micros>()
    for (const { purchase } of this.#attempts) {
      const { currency, micros = 0n } = purchase
      if (micros > 0n) money.set(currency, (money.get(currency) ?? 0n) + micros)
    }
    return money
  }

  #checkSpend(purchase: Purchase, spendMax: NonNullable<PurchasePermission['spendMax']>): void {
    if (purchase.currency !== spendMax.currency || purchase.micros === undefined)
      throw new PurchaseRefused(
        `the price in ${spendMax.currency} is not known before (state unitPrice and currency of the product in the target file)`,
      )
    const spent = [...this.#attempts].reduce((sum, each) => sum + (each.purchase.micros ?? 0n), 0n)
    if (spent + purchase.micros > spendMax.micros)
      throw new PurchaseRefused(
        `the permitted ${spendMax.currency} ${formatMoney(spendMax.micros)} would be exceeded: ${formatMoney(spent)} reserved, ${formatMoney(purchase.micros)} more wanted (--max-spend)`,
      )
  }
}
