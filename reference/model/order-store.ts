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

/** The orders of a key, oldest first. The first `forgotten` of them are kept no more. */
type OfKey = { readonly orders: Order[]; forgotten: number }

/** The account, but for faults. */
type ScopeOwner = Account | OrderStore

function emptyScope(): Scope {
  return { purchases: new Map(), claims: new Map(), burnt: new Set(), refusals: new Map() }
}

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
  /** Goes on where it stopped: a Map that is read from its start passes over all that was deleted. */
  readonly #byAge = this.#orders.values()
  #oldest: Order | undefined
  readonly #byKey = new Map<ApiKey, OfKey>()
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

  /** When the oldest of all orders was created; only a fault looks at it. */
  get oldestAtWallMs(): number | undefined {
    const [oldest] = this.#orders.values()
    return oldest?.createdAtWallMs
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
    const { referenceId, orders } = purchase
    const earlier = this.#faults.isEmpty ? undefined : purchases.get(referenceId)
    purchases.set(referenceId, earlier === undefined ? purchase : withMore(earlier, orders))
    for (const order of orders) {
      this.#orders.set(order.id, order)
      this.#ofKey(order.key).orders.push(order)
    }
    while (this.#orders.size > this.#ordersMax && this.#forgetOldest(nowMs));
  }

  byId(orderId: string): Order | undefined {
    return this.#orders.get(orderId)
  }

  /** The newest orders of a key, `offset` of them skipped. */
  newest(key: ApiKey, page: { readonly limit: number; readonly offset: number }): Order[] {
    const { orders, forgotten } = this.#ofKey(key)
    const end = Math.max(forgotten, orders.length - page.offset)
    return orders.slice(Math.max(forgotten, end - page.limit), end).toReversed()
  }

  /** The oldest orders of a key that are kept, `offset` of them skipped. */
  oldest(key: ApiKey, page: { readonly limit: number; readonly offset: number }): Order[] {
    const { orders, forgotten } = this.#ofKey(key)
    const start = forgotten + page.offset
    return orders.slice(start, start + page.limit)
  }

  count(key: ApiKey): number {
    const { orders, forgotten } = this.#ofKey(key)
    return orders.length - forgotten
  }

  /** Every order of an account, for the control side and for one fault. */
  ofAccount(account: Account): Order[] {
    return [...this.#orders.values()].filter((order) => order.key.account === account)
  }

  #ofKey(key: ApiKey): OfKey {
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const ofKey = { orders: [], forgotten: 0 }
    this.#byKey.set(key, ofKey)
    return ofKey
  }

  /** References are unique in the account, whichever of its keys sends them. */
  #scope(key: ApiKey, kind: Purchase['kind'] = 'order'): Scope {
    const owner = this.#ownerOf(key)
    const scope = this.#scopes.get(owner) ?? this.#newScope(owner)
    if (kind === 'order' || !this.#variants.has('carts-own-references')) return scope
    scope.checkouts ??= emptyScope()
    return scope.checkouts
  }

  #newScope(owner: ScopeOwner): Scope {
    const scope = emptyScope()
    this.#scopes.set(owner, scope)
    return scope
  }

  #ownerOf(key: ApiKey): ScopeOwner {
    return this.#faults.has('reference-shared-by-accounts') ? this : key.account
  }

  #forgetOldest(nowMs: number): boolean {
    this.#oldest ??= this.#byAge.next().value
    const oldest = this.#oldest
    if (oldest === undefined || nowMs < oldest.readyAtMs) return false
    this.#oldest = undefined
    for (const kind of ['order', 'checkout'] as const)
      this.#scope(oldest.key, kind).purchases.delete(oldest.referenceId)
    this.#orders.delete(oldest.id)
    const ofKey = this.#ofKey(oldest.key)
    ofKey.forgotten++
    // To move all others for each that goes would take longer than the purchase.
    if (ofKey.forgotten * 2 > ofKey.orders.length) {
      ofKey.orders.splice(0, ofKey.forgotten)
      ofKey.forgotten = 0
    }
    return true
  }
}
