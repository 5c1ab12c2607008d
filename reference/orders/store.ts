import type { Account, ApiKey } from '../auth/accounts.ts'
import type { Context } from '../context.ts'
import type { FaultSet } from '../faults.ts'
import type { VariantSet } from '../variants.ts'
import type { Order, Purchase } from './order.ts'

/** Orders of one key, oldest first; `head` is the index of the oldest that is still kept. */
type KeyOrders = { list: Order[]; head: number }

/** References that are told apart from those of other owners. */
type Scope = {
  readonly purchases: Map<string, Purchase>
  /** References of orders that are being created. */
  readonly claims: Set<string>
  readonly burnt: Set<string>
  /** Those of checkouts, where a variant gives them their own. */
  checkouts?: Scope
}

/** The account, but for faults. */
type ScopeOwner = Account | ApiKey | OrderStore

function newScope(): Scope {
  return { purchases: new Map(), claims: new Set(), burnt: new Set() }
}

/** Dropped places of a list that are tolerated before it is copied. */
const SLACK_MAX = 1024

/**
 * All purchases, by reference and by order. The oldest finished ones beyond `ordersMax` are forgotten together with their
 * references, so memory is bounded by that number.
 */
export class OrderStore {
  readonly #faults: FaultSet
  readonly #variants: VariantSet
  readonly #ordersMax: number
  readonly #byId = new Map<string, Order>()
  readonly #byKey = new Map<ApiKey, KeyOrders>()
  readonly #scopes = new Map<ScopeOwner, Scope>()
  #serial = 0

  constructor({ faults, variants }: Pick<Context, 'faults' | 'variants'>, ordersMax: number) {
    this.#faults = faults
    this.#variants = variants
    this.#ordersMax = ordersMax
  }

  get size(): number {
    return this.#byId.size
  }

  nextSerial(): number {
    return ++this.#serial
  }

  purchase(key: ApiKey, referenceId: string, kind: Purchase['kind']): Purchase | undefined {
    return this.#scope(key, kind).purchases.get(referenceId)
  }

  /** What a reference selects, of either kind. */
  selected(key: ApiKey, referenceId: string): readonly Order[] {
    const orders = this.purchase(key, referenceId, 'order')?.orders ?? []
    if (!this.#variants.has('carts-own-references')) return orders
    return [...orders, ...(this.purchase(key, referenceId, 'checkout')?.orders ?? [])]
  }

  isClaimed(key: ApiKey, referenceId: string): boolean {
    return this.#scope(key).claims.has(referenceId)
  }

  /** Reserves a reference for the order that is being created. False: another order holds it. */
  claim(key: ApiKey, referenceId: string): boolean {
    const { claims } = this.#scope(key)
    if (claims.has(referenceId)) return false
    claims.add(referenceId)
    return true
  }

  release(key: ApiKey, referenceId: string): void {
    this.#scope(key).claims.delete(referenceId)
  }

  /** Only a fault burns references: a refused order must leave no trace. */
  burn(key: ApiKey, referenceId: string): void {
    this.#scope(key).burnt.add(referenceId)
  }

  isBurnt(key: ApiKey, referenceId: string): boolean {
    return this.#scope(key).burnt.has(referenceId)
  }

  add(purchase: Purchase, nowMs: number): void {
    const { purchases } = this.#scope(purchase.key, purchase.kind)
    const earlier = purchases.get(purchase.referenceId)
    // Only faults buy twice under a reference; it then finds both orders.
    const whole =
      earlier === undefined
        ? purchase
        : { ...earlier, orders: [...earlier.orders, ...purchase.orders] }
    purchases.set(purchase.referenceId, whole)
    for (const order of purchase.orders) {
      this.#byId.set(order.id, order)
      this.#ordersOf(purchase.key).list.push(order)
    }
    while (this.#byId.size > this.#ordersMax && this.#forgetOldest(nowMs));
  }

  byId(orderId: string): Order | undefined {
    return this.#byId.get(orderId)
  }

  /** The newest orders of a key, `offset` of them skipped. */
  newest(key: ApiKey, page: { readonly limit: number; readonly offset: number }): Order[] {
    const { list, head } = this.#ordersOf(key)
    const end = Math.max(head, list.length - page.offset)
    return list.slice(Math.max(head, end - page.limit), end).toReversed()
  }

  /** The oldest orders of a key that are kept, `offset` of them skipped. */
  oldest(key: ApiKey, page: { readonly limit: number; readonly offset: number }): Order[] {
    const { list, head } = this.#ordersOf(key)
    const start = head + page.offset
    return list.slice(start, start + page.limit)
  }

  count(key: ApiKey): number {
    const { list, head } = this.#ordersOf(key)
    return list.length - head
  }

  /** Every order of an account, for the control side and for one fault. */
  ofAccount(account: Account): Order[] {
    return [...this.#byId.values()].filter((order) => order.key.account === account)
  }

  #ordersOf(key: ApiKey): KeyOrders {
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const fresh = { list: [], head: 0 }
    this.#byKey.set(key, fresh)
    return fresh
  }

  /** References are unique in the account, whichever of its keys sends them. */
  #scope(key: ApiKey, kind: Purchase['kind'] = 'order'): Scope {
    const owner = this.#ownerOf(key)
    let scope = this.#scopes.get(owner)
    if (scope === undefined) {
      scope = newScope()
      this.#scopes.set(owner, scope)
    }
    if (kind === 'order' || !this.#variants.has('carts-own-references')) return scope
    scope.checkouts ??= newScope()
    return scope.checkouts
  }

  #ownerOf(key: ApiKey): ScopeOwner {
    if (this.#faults.has('reference-shared-by-accounts')) return this
    return this.#faults.has('reference-per-key') ? key : key.account
  }

  #forgetOldest(nowMs: number): boolean {
    const [oldest] = this.#byId.values()
    if (oldest === undefined || nowMs < oldest.readyAtMs) return false
    this.#byId.delete(oldest.id)
    for (const kind of ['order', 'checkout'] as const)
      this.#scope(oldest.key, kind).purchases.delete(oldest.referenceId)
    const orders = this.#ordersOf(oldest.key)
    orders.head++
    if (orders.head > SLACK_MAX && orders.head * 2 > orders.list.length) {
      orders.list = orders.list.slice(orders.head)
      orders.head = 0
    }
    return true
  }
}
