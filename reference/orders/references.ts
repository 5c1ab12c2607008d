import type { Order, Purchase } from './order.ts'
import type { OrderRows } from './rows.ts'

/** Not for secrets: where two references share a hash, the later one is kept by its text. */
function hashOf(text: string): number {
  let hash = 0
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}

function purchaseOf(order: Order): Purchase {
  const { referenceId, key } = order
  const nothingMore = { canonicalPayload: undefined, requestText: undefined }
  return { kind: 'order', referenceId, key, orders: [order], ...nothingMore }
}

/** The inverse of `purchaseOf`: undefined where a purchase says more than its order. */
function onlyOrderOf(purchase: Purchase): Order | undefined {
  const { kind, referenceId, orders, canonicalPayload, requestText } = purchase
  const [only] = orders
  const saysMore = kind !== 'order' || canonicalPayload !== undefined || requestText !== undefined
  if (saysMore || orders.length > 1) return undefined
  return only?.referenceId === referenceId ? only : undefined
}

/** What was bought under each reference. Nearly always that is one order, and its serial number is all that is kept here. */
export class References {
  readonly #rows: OrderRows
  readonly #hashOf: (text: string) => number
  /** Serial numbers of orders that stand for their purchase, by the hash of its reference. */
  readonly #serials = new Map<number, number>()
  /** All other purchases. */
  readonly #others = new Map<string, Purchase>()

  constructor(rows: OrderRows, hash = hashOf) {
    this.#rows = rows
    this.#hashOf = hash
  }

  find(referenceId: string): Purchase | undefined {
    const serial = this.#serials.get(this.#hashOf(referenceId))
    const isIt = serial !== undefined && this.#rows.hasReference(serial, referenceId)
    const order = isIt ? this.#rows.at(serial) : undefined
    if (order !== undefined) return purchaseOf(order)
    return this.#others.size === 0 ? undefined : this.#others.get(referenceId)
  }

  /** In place of what was bought under the same reference before. */
  set(purchase: Purchase): void {
    const { referenceId } = purchase
    const hash = this.#hashOf(referenceId)
    const held = this.#serials.get(hash)
    const isOfOther = held !== undefined && !this.#rows.hasReference(held, referenceId)
    const only = isOfOther ? undefined : onlyOrderOf(purchase)
    if (only === undefined) {
      this.forget(referenceId)
      this.#others.set(referenceId, purchase)
    } else {
      this.#serials.set(hash, only.serial)
      if (this.#others.size > 0) this.#others.delete(referenceId)
    }
  }

  /** Must be called while the orders are kept still. */
  forget(referenceId: string): void {
    if (this.#others.size > 0) this.#others.delete(referenceId)
    const hash = this.#hashOf(referenceId)
    const serial = this.#serials.get(hash)
    if (serial !== undefined && this.#rows.hasReference(serial, referenceId))
      this.#serials.delete(hash)
  }
}
