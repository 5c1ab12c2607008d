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

/** Same purchase, sent any number of times. */
type Reservation = { readonly purchase: Purchase; inFlight: number; maybeMade: boolean }

/**
 * Keeps purchases within the permitted number and sum, also under concurrency: reserved before sending, given back only when the
 * server plainly refused every attempt. An unknown outcome counts as spent.
 */
export class PurchaseGuard {
  readonly #permission: PurchasePermission
  readonly #reservations = new Map<string, Reservation>()

  constructor(permission: PurchasePermission) {
    this.#permission = permission
  }

  /** Reserves what is about to be sent; throws where the permission does not cover it. */
  reserve(purchase: Purchase): void {
    const known = this.#reservations.get(purchase.id)
    if (known) {
      known.inFlight += 1
      return
    }
    const { ordersMax, spendMax } = this.#permission
    if (ordersMax !== undefined && this.#reservations.size >= ordersMax)
      throw new PurchaseRefused(`the permitted ${ordersMax} orders are used up (--max-orders)`)
    if (spendMax) this.#checkSpend(purchase, spendMax)
    this.#reservations.set(purchase.id, { purchase, inFlight: 1, maybeMade: false })
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
      for (const purchase of reserved) this.settle(purchase, 'refused')
      throw cause
    }
  }

  /** Tells how an attempt ended. `refused`: the server plainly made no order. */
  settle(purchase: Purchase, outcome: 'refused' | 'maybe made'): void {
    const reservation = this.#reservations.get(purchase.id)
    if (!reservation) return
    reservation.inFlight -= 1
    reservation.maybeMade ||= outcome === 'maybe made'
    if (reservation.inFlight === 0 && !reservation.maybeMade) this.#reservations.delete(purchase.id)
  }

  /** Orders that were made or may have been. */
  get orders(): number {
    return this.#reservations.size
  }

  #checkSpend(purchase: Purchase, spendMax: NonNullable<PurchasePermission['spendMax']>): void {
    if (purchase.currency !== spendMax.currency || purchase.micros === undefined)
      throw new PurchaseRefused(
        `the price in ${spendMax.currency} is not known before (state unitPrice and currency of the product in the target file)`,
      )
    const spent = [...this.#reservations.values()].reduce(
      (sum, each) => sum + (each.purchase.micros ?? 0n),
      0n,
    )
    if (spent + purchase.micros > spendMax.micros)
      throw new PurchaseRefused(
        `the permitted ${spendMax.currency} ${formatMoney(spendMax.micros)} would be exceeded: ${formatMoney(spent)} reserved, ${formatMoney(purchase.micros)} more wanted (--max-spend)`,
      )
  }
}
