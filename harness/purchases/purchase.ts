/** A purchase, how a sending of it ended, and what a run bought. */
import type { Micros } from '../money.ts'
import type { PricedPurchase } from './price-book.ts'

/**
 * By so many times its price an order may rise while others are under way, without the permitted sum being passed: what is sent cannot be
 * called back, so that much is set aside for each.
 */
export const RISE_MAX = 2n

/** What the caller permitted. Undefined limits mean: no limit (loopback or a declared sandbox). */
export type PurchasePermission = {
  readonly ordersMax?: number
  readonly spendMax?: { readonly currency: string; readonly micros: Micros }
}

/** One purchase about to be sent. */
export type Purchase = PricedPurchase & {
  /** Account and reference: what makes it the same purchase when it is sent again. */
  readonly id: string
  readonly reference?: string
}

/** Thrown before anything is sent; the check becomes untested with this reason. */
export class PurchaseRefused extends Error {
  override readonly name = 'PurchaseRefused'
  /** More would have been sent with a higher number or sum. */
  readonly isForBound: boolean

  constructor(message: string, options: { readonly isForBound?: boolean } = {}) {
    super(message)
    this.isForBound = options.isForBound ?? false
  }
}

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
  readonly status?: string | undefined
}

/** One order as the record names it. */
export type OrderMade = {
  readonly reference?: string
  readonly orderId?: string
  readonly product?: string
  readonly currency: string
  /** What it was reckoned at, and what it was charged; undefined where that is not known. */
  readonly reserved?: Micros
  readonly charged?: Micros
  /** As last seen; undefined: no answer said whether it was made. */
  readonly status?: string
}

/** An order that was charged more than was reckoned. */
export type Overcharge = {
  readonly reference: string
  readonly product: string
  readonly currency: string
  readonly reserved: Micros
  readonly charged: Micros
}

/** What a run bought. */
export type Purchased = {
  /** Made, or may have been. */
  readonly orders: number
  /** Each of them, as far as it was reported. */
  readonly made: readonly OrderMade[]
  /** What counts against a permitted sum, by currency: what was charged or may yet be. */
  readonly money: ReadonlyMap<string, Micros>
  /** What answers said; of orders without such an answer what was reserved. */
  readonly charged: ReadonlyMap<string, Micros>
  readonly overcharge?: Overcharge | undefined
}
