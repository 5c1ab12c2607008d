/** GET /api/v1/orders */
import { invalid, notFound, refusal, success } from '../http/answer.ts'
import type { Answer } from '../http/answer.ts'
import type { ApiKey } from '../model/accounts.ts'
import type { Call } from '../model/call.ts'
import type { Context } from '../model/context.ts'
import { QueryFields } from '../http/query.ts'
import { CODES } from '../http/status-codes.ts'
import type { FaultSet } from '../faults/faults.ts'
import { retryAfter, withOtherCodes } from './answer.ts'
import type { Order } from '../model/order.ts'
import { refuseMalformed } from './filter-forms.ts'
import { type PresentedOrder, presentOrder, type View } from './present.ts'
import { type OrderFilter, isFiltered, readFilter, selectOrders } from './select.ts'

const PAGE_SIZE_DEFAULT = 50
const PAGE_SIZE_SMALL = 2
const PAGE_SIZE_MAX = 100
const OFFSET_MAX = 10_000_000
/** How late one variant lists what was made. */
const LATE_MS = 900

export function getOrders(call: Call): Answer {
  const { context, query, nowMs } = call
  const filter = readFilter(query)
  if (!isFiltered(filter)) return listOrders(call)
  refuseMalformed(filter, context.variants)
  refusePair(call, filter)
  const selected = withoutRevealed(call, filter, selectOrders(call, filter))
  for (const { id, readyAtMs } of selected) {
    if (nowMs < readyAtMs) continue
    context.faults.note('esim-replay-until-read', id)
    if (filter.unhide) context.faults.note('reference-forgotten-once-revealed', id)
  }
  if (selected.length === 0) forbidForeign(call, filter)
  if (selected.length === 0 && answers404(call, filter))
    throw notFound('No order of this key is selected.')
  const reveal = isCached(call, filter, selected) || reveals(call, filter.unhide)
  const page = {
    items: present(staleFor(call, filter, selected), selected, () => reveal),
    total: selected.length,
  }
  const pending = selected.filter((order) => nowMs < order.readyAtMs)
  const headers = pending.length > 0 ? retryAfter(context, pending, nowMs) : []
  const listed = success({ page: shownPage(call, page) })
  return { ...listed, headers }
}

/** Only a variant refuses both selectors where the reference is of one order. */
function refusePair({ context, key }: Call, { orderId, referenceId }: OrderFilter): void {
  if (!context.variants.has('orders-selected-by-one')) return
  if (orderId === undefined || referenceId === undefined) return
  if (context.orders.purchase(key, referenceId, 'checkout')?.kind !== 'checkout')
    throw invalid([{ code: 'NOT_ALLOWED', field: 'orderId', message: 'Select by one of them.' }])
}

/** Only a fault of a busy service shows codes because they were read in clear before. */
function isCached(
  { context: { faults }, nowMs }: Call,
  { unhide }: OrderFilter,
  selected: readonly Order[],
): boolean {
  const fault = 'busy-codes-cached'
  if (unhide) for (const { id } of selected) faults.note(fault, id)
  return faults.hasWhileBusy(fault, nowMs) && selected.some(({ id }) => faults.hasNoted(fault, id))
}

/** Only a fault forgets what it has once shown in clear. */
function withoutRevealed(
  { context: { faults } }: Call,
  { unhide }: OrderFilter,
  selected: Order[],
): Order[] {
  const fault = 'unhide-vanishes-after-read'
  if (!unhide || !faults.has(fault)) return selected
  const left = selected.filter(({ id }) => !faults.hasNoted(fault, id))
  for (const { id } of left) faults.note(fault, id)
  return left
}

/** Variants answer by 404 what finds nothing, or only what another key has. */
function answers404({ context: { orders, variants } }: Call, filter: OrderFilter): boolean {
  if (variants.has('empty-filter-404')) return true
  const isThere = filter.orderId !== undefined && orders.byId(filter.orderId) !== undefined
  return isThere && variants.has('foreign-orders-404')
}

/** Only a fault tells an order of another key from one that does not exist. */
function forbidForeign({ context: { faults, orders }, key }: Call, { orderId }: OrderFilter): void {
  const order = orders.byId(orderId ?? '')
  if (order === undefined || order.key === key || !faults.has('foreign-order-forbidden')) return
  throw refusal(403, CODES.forbidden, 'The order belongs to another key.')
}

/** Only a fault reads gifts by their reference as they were at first. */
function staleFor(call: Call, { orderId }: OrderFilter, selected: readonly Order[]): Call {
  const isGift = selected.some((order) => order.line.ordersType === 'platform-gift')
  if (call.query.get('unhide') === 'true' && call.context.faults.has('unhide-reverts'))
    return { ...call, nowMs: Number.NEGATIVE_INFINITY }
  const isCheckout = orderId === undefined && selected.length > 1
  if (isCheckout && call.context.faults.has('checkout-stale-by-reference'))
    return { ...call, nowMs: Number.NEGATIVE_INFINITY }
  const isStale = orderId === undefined && call.context.faults.has('gift-stale-by-reference')
  return isStale && isGift ? { ...call, nowMs: Number.NEGATIVE_INFINITY } : call
}

function reveals({ context: { faults }, query }: Call, unhide: boolean): boolean {
  const isBoth = query.has('orderId') && query.has('referenceId')
  if (isBoth && faults.has('both-filters-stay-masked')) return false
  if (isBoth && faults.has('both-filters-unmasked')) return true
  if (!query.has('orderId') && faults.has('unhide-by-reference-masked')) return false
  if (faults.has('unhide-false-reveals') && query.has('unhide')) return true
  return unhide || faults.has('filtered-unmasked')
}

/** The unfiltered listing: newest first, codes always masked. */
function listOrders(call: Call): Answer {
  const { context, key, query } = call
  const fields = new QueryFields(query)
  const { errors } = fields
  const limit = fields.integer('limit', { min: 1, max: PAGE_SIZE_MAX })
  const offset = fields.integer('offset', { min: 0, max: OFFSET_MAX })
  const { variants } = context
  if (query.get('unhide') === 'true' && variants.has('listing-unhide-refused'))
    errors.push({ code: 'NOT_ALLOWED', field: 'unhide', message: 'Only beside a filter.' })
  if (errors.length > 0) throw invalid(errors)
  const size = variants.has('listing-page-small') ? PAGE_SIZE_SMALL : PAGE_SIZE_DEFAULT
  const page = { limit: limit ?? size, offset: offset ?? 0 }
  const isListed = (order: Order): boolean =>
    order.foundAtMs <= call.nowMs &&
    !isOmitted(call, order) &&
    (!variants.has('listing-late') || context.clock.wallMs() - order.createdAtWallMs >= LATE_MS)
  const listed = visibleOrders(call, page).filter(isListed)
  const isUnmasked =
    context.faults.has('listing-unmasked') ||
    (query.get('unhide') === 'false' && context.faults.has('listing-unhide-false-unmasked')) ||
    (query.get('unhide') === 'true' && context.faults.has('listing-unhide-shows-account'))
  const reveal = (order: Order): boolean => isUnmasked || isListedClear(context.faults, order)
  const items = present(listedAs(call), listed, reveal)
  const named = context.faults.has('gift-listing-tells-bot') ? items.map(withBot) : items
  const whole = { items: named, total: context.orders.count(key), ...page }
  return success({ page: shownPage(call, whole) })
}

/** Only faults list codes of one nature in clear. */
function isListedClear(faults: FaultSet, { line }: Order): boolean {
  if (line.isLong === true) return faults.has('listing-unmasks-long-orders')
  return line.delivery.asynchronous && faults.has('listing-unmasks-later')
}

/** Only faults leave orders out of the listing. */
function isOmitted(
  { context: { faults, orders } }: Call,
  { key, line, referenceId }: Order,
): boolean {
  if (faults.isEmpty) return false
  const isOfCheckout = orders.purchase(key, referenceId, 'checkout')?.kind === 'checkout'
  return (
    (isOfCheckout && faults.has('listing-omits-checkouts')) ||
    (line.ordersType === 'dtu' && faults.has('listing-omits-top-ups')) ||
    (line.ordersType === 'esim' && faults.has('listing-omits-esims')) ||
    (line.delivery.outcome === 'CANCELLED' && faults.has('listing-omits-cancelled'))
  )
}

/** Only a fault tells who carries a gift out. */
function withBot(order: PresentedOrder): PresentedOrder {
  const { platformGift } = (order['result'] ?? {}) as { readonly platformGift?: object }
  if (platformGift === undefined) return order
  return { ...order, result: { platformGift: { ...platformGift, botSessionToken: 'bot-7' } } }
}

/** A variant lists orders as they were a moment before, and a fault as they were at first. */
function listedAs(call: Call): Call {
  if (call.context.variants.has('listing-states-late'))
    return { ...call, nowMs: call.nowMs - LATE_MS }
  return call.context.faults.has('listing-shows-first-state')
    ? { ...call, nowMs: Number.NEGATIVE_INFINITY }
    : call
}

function shownPage(
  { context }: Call,
  { items, ...rest }: { readonly items: readonly unknown[] },
): object {
  const isNull = items.length === 0 && context.faults.has('nothing-found-null')
  const page = { items: isNull ? null : items, ...rest }
  return context.variants.has('page-bare') ? { items: page.items } : page
}

/** Which key of an account listed last. */
const listers = new WeakMap<object, ApiKey>()

/** Only a fault of a busy service lists for another key. */
function listerOf({ context: { faults }, key, nowMs }: Call): ApiKey {
  if (!faults.hasWhileBusy('busy-listings-of-last-reader', nowMs)) return key
  const last = listers.get(key.account) ?? key
  listers.set(key.account, key)
  return last
}

function visibleOrders(
  call: Call,
  page: { readonly limit: number; readonly offset: number },
): Order[] {
  const { context, query } = call
  const key = listerOf(call)
  const { accounts, faults, orders, variants } = context
  const isUnhide = query.get('unhide') === 'true'
  if (isUnhide && faults.has('listing-unhide-shows-everyone'))
    return [...accounts.all()].flatMap((account) => orders.ofAccount(account))
  const isOfAccount = isUnhide && faults.has('listing-unhide-shows-account')
  if (isOfAccount || faults.has('listing-shows-account'))
    return orders.ofAccount(key.account).slice(-page.limit).toReversed()
  if (faults.has('listing-empty')) return []
  if (faults.has('listing-shows-esims-of-account')) return withEsimsOfAccount(call, key, page)
  if (faults.has('listing-lags-by-one')) return orders.newest(key, page).slice(1)
  return variants.has('listing-oldest-first') ? orders.oldest(key, page) : orders.newest(key, page)
}

/** Only a fault lists the eSIMs of other keys. */
function withEsimsOfAccount(
  { context: { orders } }: Call,
  key: ApiKey,
  page: { readonly limit: number; readonly offset: number },
): Order[] {
  const others = orders.ofAccount(key.account).filter((order) => order.key !== key)
  return [...orders.newest(key, page), ...others.filter(({ line }) => line.ordersType === 'esim')]
}

/** Only a fault shows other codes the second time. */
function changedByFault(faults: FaultSet, order: PresentedOrder, reveal: boolean): PresentedOrder {
  const name = 'reveal-other-vouchers'
  if (!reveal || !faults.has(name)) return order
  const isAgain = faults.hasNoted(name, order.orderId)
  faults.note(name, order.orderId)
  return isAgain ? { ...order, result: withOtherCodes(order['result']) } : order
}

/** Only a fault shows the payload of an eSIM that has not ended. */
function shownEarly(context: Context, order: Order, { reveal }: View): object {
  const isMeant = reveal && order.line.ordersType === 'esim'
  if (!isMeant || !context.faults.has('esim-shown-while-pending')) return {}
  return { result: presentOrder(context, order, { nowMs: order.readyAtMs, reveal })['result'] }
}

function present(
  { context, nowMs }: Call,
  orders: readonly Order[],
  reveals: (order: Order) => boolean,
): PresentedOrder[] {
  const isFirstOnly = context.faults.has('unhide-reveals-first-child')
  const shownMax = isFirstOnly ? 1 : context.faults.has('checkout-third-masked') ? 2 : orders.length
  const presented = orders.map((order, index) => {
    const reveal = reveals(order)
    const shown = { nowMs, reveal: reveal && index < shownMax }
    const seen = { ...presentOrder(context, order, shown), ...shownEarly(context, order, shown) }
    return changedByFault(context.faults, seen, reveal)
  })
  return context.faults.has('list-shows-request-status')
    ? presented.map((order) => ({ ...order, status: 'SUCCESS' }))
    : presented
}
