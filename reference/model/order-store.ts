import type { Account, ApiKey } from './accounts.ts'
import type { Behaviour } from './behaviour.ts'
import type { FaultSet } from '../faults/faults.ts'
import type { Answer } from '../http/answer.ts'
import type { VariantSet } from '../base/variants.ts'
import type { Order, Purchase } from './order.ts'

/** References that are told apart from those of other owners. */
type Scope = {
  readonly purchases: Map<string, Purchase>
  /** References of orders that are being created, and who creates them. */
  readonly claims: Map<string, ApiKey>
  readonly burnt: Set<string>
  /** How purchases were refused, which only a variant keeps. */
  readonly refusals: Map<string, Answer>
  /** Those of checkouts, where a variant gives them their own. */
  checkouts?: Scope
}

/** The account, but for faults. */
type ScopeOwner = Account | ApiKey | OrderStore

function withMore(purchase: Purchase, orders: readonly Order[]): Purchase {
  return { ...purchase, orders: [...purchase.orders, ...orders] }
}

/**
 * All purchases, by reference and by order. The oldest finished ones beyond `ordersMax` are forgotten together with their
 * references, so memory is bounded by that number.
 */
export class OrderStore {
  readonly #faults: FaultSet
  readonly #variants: VariantSet
  readonly #ordersMax: number
  /** By their ids, oldest first. */
  readonly #orders = new Map<string, Order>()
  /** Oldest first. */
  readonly #byKey = new Map<ApiKey, Order[]>()
  readonly #scopes = new Map<ScopeOwner, Scope>()
  #serial = 0

  constructor({ faults, variants }: Behaviour, ordersMax: number) {
    this.#faults = faults
    this.#variants = variants
    this.#ordersMax = ordersMax
  }

  get size(): number {
    return this.#orders.size
  }

  /** Of the newest order. */
  get serial(): number {
    return this.#serial
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

  /** The key that is creating an order under a reference. */
  claimant(key: ApiKey, referenceId: string): ApiKey | undefined {
    return this.#scope(key).claims.get(referenceId)
  }

  /** Holds a reference for the order that is being created. */
  claim(key: ApiKey, referenceId: string): void {
    this.#scope(key).claims.set(referenceId, key)
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

  refusalOf(key: ApiKey, referenceId: string): Answer | undefined {
    return this.#scope(key).refusals.get(referenceId)
  }

  keepRefusal(key: ApiKey, referenceId: string, answer: Answer): void {
    this.#scope(key).refusals.set(referenceId, answer)
  }

  add(purchase: Purchase, nowMs: number): void {
    const { purchases } = this.#scope(purchase.key, purchase.kind)
    // Only faults buy twice under a reference; it then finds both orders.
    const earlier = purchases.get(purchase.referenceId)
    const { referenceId, orders } = purchase
    purchases.set(referenceId, earlier === undefined ? purchase : withMore(earlier, orders))
    for (const order of orders) {
      this.#orders.set(order.id, order)
      this.#ordersOf(order.key).push(order)
    }
    while (this.#orders.size > this.#ordersMax && this.#forgetOldest(nowMs));
  }

  byId(orderId: string): Order | undefined {
    return this.#orders.get(orderId)
  }

  /** The newest orders of a key, `offset` of them skipped. */
  newest(key: ApiKey, page: { readonly limit: number; readonly offset: number }): Order[] {
    const orders = this.#ordersOf(key)
    const end = Math.max(0, orders.length - page.offset)
    return orders.slice(Math.max(0, end - page.limit), end).toReversed()
  }

  /** The oldest orders of a key that are kept, `offset` of them skipped. */
  oldest(key: ApiKey, page: { readonly limit: number; readonly offset: number }): Order[] {
    return this.#ordersOf(key).slice(page.offset, page.offset + page.limit)
  }

  count(key: ApiKey): number {
    return this.#ordersOf(key).length
  }

  /** Every order of an account, for the control side and for one fault. */
  ofAccount(account: Account): Order[] {
    return [...this.#orders.values()].filter((order) => order.key.account === account)
  }

  #ordersOf(key: ApiKey): Order[] {
    const orders = this.#byKey.get(key) ?? []
    this.#byKey.set(key, orders)
    return orders
  }

  /** References are unique in the account, whichever of its keys sends them. */
  #scope(key: ApiKey, kind: Purchase['kind'] = 'order'): Scope {
    const owner = this.#ownerOf(key)
    const scope = this.#scopes.get(owner) ?? this.#emptyScope()
    this.#scopes.set(owner, scope)
    if (kind === 'order' || !this.#variants.has('carts-own-references')) return scope
    scope.checkouts ??= this.#emptyScope()
    return scope.checkouts
  }

  #emptyScope(): Scope {
    return { purchases: new Map(), claims: new Map(), burnt: new Set(), refusals: new Map() }
  }

  #ownerOf(key: ApiKey): ScopeOwner {
    if (this.#faults.has('reference-shared-by-accounts')) return this
    return this.#faults.has('reference-per-key') ? key : key.account
  }

  #forgetOldest(nowMs: number): boolean {
    const [oldest] = this.#orders.values()
    if (oldest === undefined || nowMs < oldest.readyAtMs) return false
    for (const kind of ['order', 'checkout'] as const)
      this.#scope(oldest.key, kind).purchases.delete(oldest.referenceId)
    this.#ordersOf(oldest.key).shift()
    this.#orders.delete(oldest.id)
    return true
  }
}
