import type { Account, ApiKey } from '../auth/accounts.ts'
import type { Context } from '../context.ts'
import type { FaultSet } from '../faults.ts'
import type { Identifiers } from '../identifiers.ts'
import type { VariantSet } from '../variants.ts'
import type { Order, Purchase } from './order.ts'
import { Queue } from './queue.ts'

/** References that are told apart from those of other owners. */
type Scope = {
  /** What was bought under each; a single order stands for its purchase, which has nothing more to say. */
  readonly purchases: Map<string, Purchase | Order>
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

function purchaseOf(stored: Purchase | Order): Purchase {
  if ('orders' in stored) return stored
  const { referenceId, key } = stored
  const nothingMore = { canonicalPayload: undefined, requestText: undefined }
  return { kind: 'order', referenceId, key, orders: [stored], ...nothingMore }
}

function withMore(purchase: Purchase, orders: readonly Order[]): Purchase {
  return { ...purchase, orders: [...purchase.orders, ...orders] }
}

/** The inverse of `purchaseOf`. */
function storedFor(purchase: Purchase): Purchase | Order {
  const { kind, referenceId, orders, canonicalPayload, requestText } = purchase
  const [only] = orders
  const saysMore = kind !== 'order' || canonicalPayload !== undefined || requestText !== undefined
  if (saysMore || only === undefined || orders.length > 1) return purchase
  return only.referenceId === referenceId ? only : purchase
}

/**
 * All purchases, by reference and by order. The oldest finished ones beyond `ordersMax` are forgotten together with their
 * references, so memory is bounded by that number.
 */
export class OrderStore {
  readonly #faults: FaultSet
  readonly #variants: VariantSet
  readonly #identifiers: Identifiers
  readonly #ordersMax: number
  /** All that are kept, by serial number; undefined: never stored. */
  readonly #bySerial = new Queue<Order | undefined>()
  #firstSerial = 1
  #size = 0
  /** Oldest first. */
  readonly #byKey = new Map<ApiKey, Queue<Order>>()
  readonly #scopes = new Map<ScopeOwner, Scope>()
  #serial = 0

  constructor(
    { faults, variants, identifiers }: Pick<Context, 'faults' | 'variants' | 'identifiers'>,
    ordersMax: number,
  ) {
    this.#faults = faults
    this.#variants = variants
    this.#identifiers = identifiers
    this.#ordersMax = ordersMax
  }

  get size(): number {
    return this.#size
  }

  nextSerial(): number {
    return ++this.#serial
  }

  purchase(key: ApiKey, referenceId: string, kind: Purchase['kind']): Purchase | undefined {
    const stored = this.#scope(key, kind).purchases.get(referenceId)
    return stored && purchaseOf(stored)
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

  /** Holds a reference for the order that is being created. */
  claim(key: ApiKey, referenceId: string): void {
    this.#scope(key).claims.add(referenceId)
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
    // Only faults buy twice under a reference; it then finds both orders.
    const earlier = this.#faults.isEmpty ? undefined : purchases.get(purchase.referenceId)
    const whole = earlier === undefined ? purchase : withMore(purchaseOf(earlier), purchase.orders)
    purchases.set(purchase.referenceId, storedFor(whole))
    for (const order of purchase.orders) this.#keep(order)
    while (this.#size > this.#ordersMax && this.#forgetOldest(nowMs));
  }

  /** Serial numbers only grow; those of orders that were not stored are passed over. */
  #keep(order: Order): void {
    while (this.#firstSerial + this.#bySerial.length < order.serial) this.#bySerial.push(undefined)
    this.#bySerial.push(order)
    this.#size++
    this.#ordersOf(order.key).push(order)
  }

  byId(orderId: string): Order | undefined {
    const order = this.#bySerial.at(this.#identifiers.serialOf(orderId) - this.#firstSerial)
    return order?.id === orderId ? order : undefined
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
    const all = this.#bySerial.slice(0).filter((order) => order !== undefined)
    return all.filter((order) => order.key.account === account)
  }

  #ordersOf(key: ApiKey): Queue<Order> {
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const fresh = new Queue<Order>()
    this.#byKey.set(key, fresh)
    return fresh
  }

  /** References are unique in the account, whichever of its keys sends them. */
  #scope(key: ApiKey, kind: Purchase['kind'] = 'order'): Scope {
    const owner = this.#ownerOf(key)
    const scope = this.#scopes.get(owner) ?? this.#newScope(owner)
    if (kind === 'order' || !this.#variants.has('carts-own-references')) return scope
    scope.checkouts ??= newScope()
    return scope.checkouts
  }

  #newScope(owner: ScopeOwner): Scope {
    const scope = newScope()
    this.#scopes.set(owner, scope)
    return scope
  }

  #ownerOf(key: ApiKey): ScopeOwner {
    if (this.#faults.has('reference-shared-by-accounts')) return this
    return this.#faults.has('reference-per-key') ? key : key.account
  }

  #forgetOldest(nowMs: number): boolean {
    const oldest = this.#bySerial.at(0)
    if (oldest !== undefined && nowMs < oldest.readyAtMs) return false
    this.#bySerial.shift()
    this.#firstSerial++
    if (oldest === undefined) return true
    this.#size--
    this.#ordersOf(oldest.key).shift()
    for (const kind of ['order', 'checkout'] as const)
      this.#scope(oldest.key, kind).purchases.delete(oldest.referenceId)
    return true
  }
}
