/** Which orders a request for GET /orders means, and what it may see of them. */
import type { ApiKey } from '../model/accounts.ts'
import type { Call } from '../model/call.ts'
import type { Context } from '../model/context.ts'
import type { FaultSet } from '../faults/faults.ts'
import { invalid } from '../http/answer.ts'
import { QueryFields } from '../http/query.ts'
import { type Order, statusOf } from '../model/order.ts'

export type OrderFilter = {
  readonly orderId: string | undefined
  readonly referenceId: string | undefined
  readonly unhide: boolean
}

/** Throws the 422 of an `unhide` that is neither true nor false. */
export function readFilter(query: URLSearchParams): OrderFilter {
  const fields = new QueryFields(query)
  const unhide = fields.boolean('unhide') ?? false
  if (fields.errors.length > 0) throw invalid(fields.errors)
  return {
    orderId: query.get('orderId') ?? undefined,
    referenceId: query.get('referenceId') ?? undefined,
    unhide,
  }
}

export function isFiltered({ orderId, referenceId }: OrderFilter): boolean {
  return orderId !== undefined || referenceId !== undefined
}

/** Who reads, and at which moment every state is read. */
type Reader = Pick<Call, 'context' | 'key' | 'nowMs'>

/** The orders that a filter selects, of those that the key created. */
export function selectOrders(reader: Reader, filter: OrderFilter): Order[] {
  const { context, key, nowMs } = reader
  const { faults } = context
  if (faults.has('orders-filters-match-beginnings')) return beginning(context, key, filter)
  if (faults.has('orders-filters-take-patterns')) return matching(context, key, filter)
  if (faults.has('orders-found-by-longer-ids')) return begun(context, key, filter)
  const found = candidates(context, key, filter).filter(
    (order) =>
      (isVisible(reader, order, filter) || isOfCache(reader, order)) &&
      order.foundAtMs <= nowMs &&
      !isHidden(reader, order, filter) &&
      hasOrderId(faults, order, filter) &&
      (filter.referenceId === undefined ||
        order.referenceId === filter.referenceId ||
        faults.has('orders-filter-case-ignored') ||
        faults.has('checkout-reference-selects-all-checkouts') ||
        faults.has('orders-filter-reference-ignored')),
  )
  if (faults.has('orders-vanish-after-ten')) return newestOf(context, found)
  const isReferenceAlone = filter.orderId === undefined
  if (isReferenceAlone && found.length > 1 && faults.has('checkout-reference-omits-cancelled'))
    return found.filter((order) => statusOf(order, nowMs, faults) !== 'CANCELLED')
  if (isReferenceAlone && faults.has('checkout-finds-two')) return found.slice(0, 2)
  return isReferenceAlone && faults.has('checkout-reference-finds-first')
    ? found.slice(0, 1)
    : found
}

const NEWEST = 10

/** Only a fault looks no further back than that. */
function newestOf({ orders }: Context, found: readonly Order[]): Order[] {
  return found.filter((order) =>
    orders.newest(order.key, { limit: NEWEST, offset: 0 }).includes(order),
  )
}

/** Only a fault of a busy service shows what other keys of the account read. */
function isOfCache({ context, key, nowMs }: Reader, order: Order): boolean {
  const { faults } = context
  return faults.hasWhileBusy('busy-reads-mix-keys', nowMs) && order.key.account === key.account
}

/** Only a fault compares beginnings. */
function beginning({ orders }: Context, key: ApiKey, filter: OrderFilter): Order[] {
  const { orderId = '', referenceId = '' } = filter
  return orders
    .newest(key, { limit: 50, offset: 0 })
    .filter((order) => order.id.startsWith(orderId) && order.referenceId.startsWith(referenceId))
}

/** Only a fault minds no more of an orderId than the identifier that it begins with. */
function begun({ orders }: Context, key: ApiKey, { orderId, referenceId }: OrderFilter): Order[] {
  return orders
    .newest(key, { limit: 50, offset: 0 })
    .filter(
      (order) =>
        (orderId === undefined || orderId.startsWith(order.id)) &&
        (referenceId === undefined || order.referenceId === referenceId),
    )
}

function matches(text: string, pattern = text): boolean {
  if (text.length !== pattern.length) return false
  return Array.from(text, (letter, at) => ['_', letter].includes(pattern[at] ?? '')).every(Boolean)
}

/** Only a fault takes a filter for a pattern. */
function matching({ orders }: Context, key: ApiKey, filter: OrderFilter): Order[] {
  const { orderId, referenceId } = filter
  return orders
    .newest(key, { limit: 50, offset: 0 })
    .filter((order) => matches(order.id, orderId) && matches(order.referenceId, referenceId))
}

function hasOrderId(
  faults: FaultSet,
  order: Order,
  { orderId, referenceId }: OrderFilter,
): boolean {
  if (orderId === undefined || order.id === orderId) return true
  return referenceId === undefined
    ? faults.has('orders-filter-order-id-ignored')
    : faults.has('checkout-child-ignored')
}

/** Only faults keep an order from the key that created it. */
function isHidden({ context, nowMs }: Reader, order: Order, { orderId }: OrderFilter): boolean {
  const { faults } = context
  if (orderId !== undefined && faults.has('own-order-not-found')) return true
  if (faults.isEmpty) return false
  if (orderId !== undefined && isForgotten(faults, order, nowMs)) return true
  const { ordersType } = order.line
  if (orderId !== undefined && ordersType === 'dtu' && faults.has('top-up-hidden-by-order-id'))
    return true
  if (orderId !== undefined && ordersType === 'esim' && faults.has('esim-hidden-by-order-id'))
    return true
  const status = statusOf(order, nowMs, faults)
  if (status === 'CANCELLED') return faults.has('cancelled-not-found')
  const name = orderId === undefined ? 'pending-hidden-by-reference' : 'pending-hidden-by-order-id'
  return faults.has(name) && status === 'IN_PROGRESS'
}

/** Only a fault forgets what was ready so long ago. */
function isForgotten(faults: FaultSet, { readyAtMs }: Order, nowMs: number): boolean {
  return nowMs - readyAtMs > FORGOTTEN_MS && faults.has('orders-vanish-after-a-minute')
}

const FORGOTTEN_MS = 50_000

function candidates(
  { accounts, faults, orders }: Context,
  key: ApiKey,
  { orderId, referenceId }: OrderFilter,
): readonly Order[] {
  const isIgnored =
    orderId === undefined
      ? faults.has('orders-filter-reference-ignored')
      : referenceId === undefined && faults.has('orders-filter-order-id-ignored')
  if (isIgnored) return orders.newest(key, { limit: 50, offset: 0 })
  if (orderId === undefined && faults.has('checkouts-visible-to-everyone'))
    return ofEveryone(orders, accounts, referenceId)
  if (orderId === undefined && faults.has('orders-filter-case-ignored'))
    return inAnyCase(orders.newest(key, { limit: 50, offset: 0 }), referenceId)
  const purchased = orders.selected(key, referenceId ?? '')
  if (orderId === undefined) return withOtherCheckouts({ faults, orders }, key, purchased)
  if (referenceId !== undefined && faults.has('checkout-child-ignored')) return purchased
  const order = orders.byId(orderId)
  if (order === undefined || (referenceId === undefined && isLost({ faults, orders }, order)))
    return []
  return [order]
}

/** Only a fault looks for a reference in every account. */
function ofEveryone(
  orders: Context['orders'],
  accounts: Context['accounts'],
  referenceId: string | undefined,
): readonly Order[] {
  return [...accounts.all()]
    .flatMap((account) => orders.ofAccount(account))
    .filter((order) => order.referenceId === referenceId)
}

/** Only a fault compares references without case. */
function inAnyCase(orders: readonly Order[], referenceId = ''): readonly Order[] {
  return orders.filter((order) => order.referenceId.toLowerCase() === referenceId.toLowerCase())
}

/** Only faults do not find an order of a checkout by itself. */
function isLost({ faults, orders }: Pick<Context, 'faults' | 'orders'>, order: Order): boolean {
  if (faults.isEmpty) return false
  const purchase = orders.purchase(order.key, order.referenceId, 'checkout')
  if (purchase?.kind !== 'checkout') return false
  const isThird = purchase.orders[2] === order && faults.has('checkout-third-lost')
  return isThird || faults.has('checkout-child-lost')
}

/** Only a fault takes the orders of other checkouts for those of one. */
function withOtherCheckouts(
  { faults, orders }: Pick<Context, 'faults' | 'orders'>,
  key: ApiKey,
  purchased: readonly Order[],
): readonly Order[] {
  const isCheckout = (order: Order): boolean =>
    orders.purchase(key, order.referenceId, 'checkout')?.kind === 'checkout'
  const widens = faults.has('checkout-reference-selects-all-checkouts')
  if (!widens || !purchased.some(isCheckout)) return purchased
  return orders.newest(key, { limit: 50, offset: 0 }).filter(isCheckout)
}

/** Faults that show orders of one kind to every key of the account. */
const SHOWN = {
  esim: 'esims-visible-to-account',
  dtu: 'top-ups-visible-to-account',
  'platform-gift': 'gift-orders-visible-to-account',
  shop: undefined,
} as const

function isShownKind({ line }: Order, faults: FaultSet): boolean {
  if (faults.isEmpty) return false
  const { asynchronous, outcome, rawPayload } = line.delivery
  if (outcome === 'CANCELLED' && faults.has('cancelled-visible-to-account')) return true
  if (rawPayload === true && faults.has('raw-esims-visible-to-account')) return true
  if (line.isLong === true && faults.has('long-orders-visible-to-account')) return true
  const isLater = line.ordersType === 'shop' && asynchronous && line.isLong !== true
  if (isLater && outcome === 'SUCCESS' && faults.has('later-visible-to-account')) return true
  const name = SHOWN[line.ordersType]
  return name !== undefined && faults.has(name)
}

function isByBoth({ orderId, referenceId }: OrderFilter): boolean {
  return orderId !== undefined && referenceId !== undefined
}

function isVisible({ context, key }: Reader, order: Order, filter: OrderFilter): boolean {
  const { faults, orders } = context
  if (order.key === key || faults.has('orders-visible-to-everyone')) return true
  if (faults.hasNoted('replayed-orders-visible', `${key.id}|${order.id}`)) return true
  const { referenceId } = order
  const isOfCheckout = orders.purchase(order.key, referenceId, 'checkout')?.kind === 'checkout'
  const name = isByBoth(filter)
    ? 'both-filters-visible-to-everyone'
    : 'checkouts-visible-to-everyone'
  const { ordersType } = order.line
  if (order.key.account !== key.account && ordersType === 'esim')
    return filter.referenceId === undefined && faults.has('esims-visible-to-everyone')
  if (order.key.account !== key.account)
    return (isOfCheckout || isByBoth(filter)) && faults.has(name)
  const isShown =
    (isOfCheckout && faults.has('checkout-orders-visible-to-account')) ||
    isShownKind(order, faults) ||
    (isOfCheckout && isByBoth(filter) && faults.has('checkout-child-visible-to-account')) ||
    faults.has('orders-visible-to-account') ||
    (filter.unhide && ordersType === 'dtu' && faults.has('top-ups-revealed-to-account')) ||
    (filter.unhide && faults.has('unhide-shows-other-keys')) ||
    (filter.orderId === undefined && faults.has('orders-visible-to-account-by-reference'))
  return isShown
}
