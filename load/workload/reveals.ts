/** Whether reads with unhide=true show more of an order than masked ones did. Codes are compared in memory and never written down. */
import { isMasked, type RequestKind } from '../protocol/volleys.ts'

type Seen = {
  readonly orderId?: unknown
  readonly status?: unknown
  readonly result?: { readonly vouchers?: unknown } | null
}

/** Marks of orders as they stand in the evidence. */
const MARK = { same: 's', more: 'm', unknown: '-' } as const

/** The masked reads of one lane's orders, and what others show beside them. */
export class Reveals {
  /** As each order was read masked, by its id and state. */
  readonly #masked = new Map<string, string>()

  /** One mark for each order of a read, separated by commas; none tells anything where no masked read came before. */
  marksOf(kind: RequestKind, orders: readonly unknown[]): string {
    const marks = orders.map((order) => this.#markOf(kind, (order ?? {}) as Seen))
    return marks.some((mark) => mark !== MARK.unknown) ? marks.join(',') : MARK.unknown
  }

  #markOf(kind: RequestKind, order: Seen): string {
    const vouchers = order.result?.vouchers
    if (!Array.isArray(vouchers) || vouchers.length === 0) return MARK.unknown
    const name = JSON.stringify([order.orderId, order.status])
    const shown = JSON.stringify(order)
    if (isMasked(kind)) this.#masked.set(name, shown)
    const masked = isMasked(kind) ? undefined : this.#masked.get(name)
    if (masked === undefined) return MARK.unknown
    return masked === shown ? MARK.same : MARK.more
  }
}
