import type { Account, ApiKey } from '../auth/accounts.ts'
import type { Context } from '../context.ts'
import type { FaultSet } from '../faults.ts'
import type { Answer } from '../http/answer.ts'
import type { Identifiers } from '../identifiers.ts'
import type { VariantSet } from '../variants.ts'
import type { Order, Purchase } from './order.ts'
import { Queue } from './queue.ts'
import { References } from './references.ts'
import { OrderRows } from './rows.ts'

/** References that are told apart from those of other owners. */
type Scope = {
  readonly purchases: References
  /** References of orders that are being created. */
  readonly claims: Set<string>
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
  readonly #identifiers: Identifiers
  readonly #ordersMax: number
  readonly #rows: OrderRows
  /** Serial numbers, oldest first. */
  readonly #byKey = new Map<ApiKey, Queue<number>>()
  readonly #scopes = new Map<ScopeOwner, Scope>()
  /** The one that was asked for last: each order asks several times. */
  #last: { readonly owner: ScopeOwner; readonly scope: Scope } | undefined
  #serial = 0

  constructor(
    { faults, variants, identifiers }: Pick<Context, 'faults' | 'variants' | 'identifiers'>,
    ordersMax: number,
  ) {
    this.#faults = faults
    this.#variants = variants
    this.#identifiers = identifiers
    this.#ordersMax = ordersMax
    this.#rows = new OrderRows(identifiers)
  }

  get size(): number {
    return this.#rows.size
  }

  nextSerial(): number {
    return ++this.#serial
  }

  purchase(key: ApiKey, referenceId: string, kind: Purchase['kind']): Purchase | undefined {
    return this.#scope(key, kind).purchases.find(referenceId)
  }

  /** What a reference selects, of either kind. */
  selected(key: ApiKey, referenceId: string): readonly Order[] {
    const orders = this.purchase(key, referenceId, 'order')?.orders ?? []
    if (!this.#variants.has('carts-own-references')) return orders
    return [...orders, ...(this.purchase(key, referenceId, 'checkout')?.orders ?? [])]
  }

  isClaimed(key: ApiKey, referenceId: string): boolean {
    const { claims } = this.#scope(key)
    return claims.size > 0 && claims.has(referenceId)
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
    const { burnt } = this.#scope(key)
    return burnt.size > 0 && burnt.has(referenceId)
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
    const earlier = this.#faults.isEmpty ? undefined : purchases.find(purchase.referenceId)
    purchases.set(earlier === undefined ? purchase : withMore(earlier, purchase.orders))
    for (const order of purchase.orders) {
      this.#rows.push(order)
      this.#serialsOf(order.key).push(order.serial)
    }
    while (this.#rows.size > this.#ordersMax && this.#forgetOldest(nowMs));
  }

  byId(orderId: string): Order | undefined {
    const order = this.#rows.at(this.#identifiers.serialOf(orderId))
    return order?.id === orderId ? order : undefined
  }

  /** The newest orders of a key, `offset` of them skipped. */
  newest(key: ApiKey, page: { readonly limit: number; readonly offset: number }): Order[] {
    const serials = this.#serialsOf(key)
    const end = Math.max(0, serials.length - page.offset)
    return this.#ordersOf(serials.slice(Math.max(0, end - page.limit), end)).toReversed()
  }

  /** The oldest orders of a key that are kept, `offset` of them skipped. */
  oldest(key: ApiKey, page: { readonly limit: number; readonly offset: number }): Order[] {
    return this.#ordersOf(this.#serialsOf(key).slice(page.offset, page.offset + page.limit))
  }

  count(key: ApiKey): number {
    return this.#serialsOf(key).length
  }

  /** Every order of an account, for the control side and for one fault. */
  ofAccount(account: Account): Order[] {
    return [...this.#rows].filter((order) => order.key.account === account)
  }

  #ordersOf(serials: readonly number[]): Order[] {
    return serials.map((serial) => this.#rows.at(serial)).filter((order) => order !== undefined)
  }

  #serialsOf(key: ApiKey): Queue<number> {
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const fresh = new Queue<number>()
    this.#byKey.set(key, fresh)
    return fresh
  }

  /** References are unique in the account, whichever of its keys sends them. */
  #scope(key: ApiKey, kind: Purchase['kind'] = 'order'): Scope {
    const owner = this.#ownerOf(key)
    const scope = this.#last?.owner === owner ? this.#last.scope : this.#scopeOf(owner)
    if (kind === 'order' || !this.#variants.has('carts-own-references')) return scope
    scope.checkouts ??= this.#emptyScope()
    return scope.checkouts
  }

  #scopeOf(owner: ScopeOwner): Scope {
    const scope = this.#scopes.get(owner) ?? this.#emptyScope()
    this.#scopes.set(owner, scope)
    this.#last = { owner, scope }
    return scope
  }

  #emptyScope(): Scope {
    return {
      purchases: new References(this.#rows),
      claims: new Set(),
      burnt: new Set(),
      refusals: new Map(),
    }
  }

  #ownerOf(key: ApiKey): ScopeOwner {
    if (this.#faults.has('reference-shared-by-accounts')) return this
    return this.#faults.has('reference-per-key') ? key : key.account
  }

  #forgetOldest(nowMs: number): boolean {
    const oldest = this.#rows.oldest()
    if (oldest === undefined || nowMs < oldest.readyAtMs) return false
    for (const kind of ['order', 'checkout'] as const)
      this.#scope(oldest.key, kind).purchases.forget(oldest.referenceId)
    this.#serialsOf(oldest.key).shift()
    this.#rows.shift()
    return true
  }
}
