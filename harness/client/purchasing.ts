/** What a purchase asks for, and what its answers say of the orders it made. */
import type { ProductAbility } from '../../contract/capabilities.ts'
import { isRefused } from '../../contract/answers.ts'
import { currencyCode, parseMoney, type Micros } from '../money.ts'
import type { PurchaseGuard } from '../purchases/purchase-guard.ts'
import type { Purchase, Settlement } from '../purchases/purchase.ts'
import type { RenderedEntries } from '../target-file/entries.ts'
import { selectEach } from '../target-file/select.ts'
import type { Target } from '../target-file/target.ts'
import { productOf, type CartRequest, type OrderRequest } from './bodies.ts'
import type { Exchange } from './exchange.ts'

type Fields = Readonly<Record<string, unknown>>

export function purchaseOf(target: Target, account: string, order: OrderRequest): Purchase {
  const { product, referenceId = '' } = order
  const { unitPrice, currency = '' } = productOf(target, product)
  const unit = parseMoney(unitPrice)
  // A top-up is priced by its amount, which may be a fraction; reserved is what it may cost at most.
  const units = [order.amount, order.quantity].find((each) => typeof each === 'number') ?? 1
  return {
    id: `${account} ${referenceId}`,
    reference: referenceId,
    product,
    units,
    currency,
    ...(unit === undefined ? {} : { micros: unit * BigInt(Math.max(0, Math.ceil(units))) }),
  }
}

/** Orders that a cart may create. The price of a position that the target file spells out is not known before. */
export function purchasesOfCart(
  target: Target,
  account: string,
  { referenceId, lines }: CartRequest,
  rendered: RenderedEntries,
): Purchase[] {
  return Array.from({ length: rendered.count }, (_, index) => {
    const line = lines[index] ?? lines[0]
    if (!line) throw new Error('a cart needs a line at least')
    const purchase = purchaseOf(target, account, { ...line, referenceId })
    const id = `${purchase.id} position ${index + 1}`
    if (!rendered.isFixed) return { ...purchase, id }
    return { id, reference: referenceId, currency: purchase.currency }
  })
}

/**
 * What an answer says of the orders that were asked for, each with its purchase. In which order a checkout lists them is not shown: the
 * dearest order goes with the dearest purchase.
 */
export function settlementsOf(
  target: Target,
  exchange: Exchange,
  purchases: readonly Purchase[],
): (readonly [Purchase, Settlement])[] {
  const orders = dearestFirst(ordersOf(exchange), (order) => parseMoney(order?.['price']))
  return dearestFirst(purchases, ({ micros }) => micros).map((purchase, index) => [
    purchase,
    settlementOf(target, exchange, purchase, orders[index]),
  ])
}

function dearestFirst<T>(all: readonly T[], microsOf: (one: T) => Micros | undefined): T[] {
  return all.toSorted((a, b) => Number((microsOf(b) ?? 0n) - (microsOf(a) ?? 0n)))
}

/** A replay is recognised by its statusCode, if the target file states it. */
function settlementOf(
  { answers: { replayStatusCode } }: Target,
  exchange: Exchange,
  { currency }: Purchase,
  order: Fields | undefined,
): Settlement {
  const { statusCode } = (exchange.json ?? {}) as { statusCode?: unknown }
  return {
    outcome: outcomeOf(exchange),
    orderId: textOf(order?.['orderId']),
    replayed: replayStatusCode !== undefined && statusCode === replayStatusCode,
    micros:
      currencyCode(order?.['currency']) === currency ? parseMoney(order?.['price']) : undefined,
    status: textOf(order?.['status']),
  }
}

/** Tells the guard of orders that what should buy nothing was answered with. */
export function hearUnasked(guard: PurchaseGuard, exchange: Exchange): void {
  if (outcomeOf(exchange) === 'refused') return
  for (const order of ordersOf(exchange)) {
    const orderId = textOf(order?.['orderId'])
    const charged = parseMoney(order?.['price'])
    const status = textOf(order?.['status'])
    if (orderId === undefined || status === undefined) continue
    guard.found({
      orderId,
      currency: currencyCode(order?.['currency']) ?? '',
      status,
      ...(charged === undefined ? {} : { charged }),
    })
  }
}

/** Tells the guard what a reading shows of the orders that it counts. */
export function hearOrders(target: Target, guard: PurchaseGuard, exchange: Exchange): void {
  if (exchange.response?.status !== 200) return
  const { items = '', orderIds, prices } = target.operations.getOrders.selectors
  const listed = selectEach(items, exchange.json) as readonly (Fields | null)[]
  const read = (selector: string | undefined, member: string): readonly unknown[] => {
    const found = selector === undefined ? [] : selectEach(selector, exchange.json)
    return found.length === listed.length ? found : listed.map((item) => item?.[member])
  }
  const ids = read(orderIds, 'orderId')
  const amounts = read(prices, 'price')
  for (const [index, item] of listed.entries()) {
    const orderId = textOf(ids[index])
    if (orderId === undefined) continue
    guard.saw(orderId, { micros: parseMoney(amounts[index]), status: textOf(item?.['status']) })
  }
}

/** How long an order may take where the target file names no time; the interface gives eSIMs about ten minutes. */
const COMPLETION_SECONDS = { esim: 600, others: 120 } as const

/** Longest wait for orders of these products to finish, seconds. */
export function patienceSeconds(
  { products }: Target,
  bought: readonly (ProductAbility | undefined)[],
): number {
  const seconds = bought.map((product) => {
    const stated = product && products[product]?.completesWithinSeconds
    if (stated !== undefined) return stated * 1.5 + 2
    return product?.startsWith('esim') ? COMPLETION_SECONDS.esim : COMPLETION_SECONDS.others
  })
  return Math.max(0, ...seconds)
}

/** What is not refused may have made an order. */
function outcomeOf({ response }: Exchange): Settlement['outcome'] {
  return isRefused({ status: response?.status ?? 0 }) ? 'refused' : 'maybe made'
}

/** The PurchaseResponse, or every order of a CheckoutResponse. */
function ordersOf({ json }: Exchange): (Fields | undefined)[] {
  const { data } = (json ?? {}) as { data?: { orders?: unknown } | null }
  const orders = Array.isArray(data?.orders) ? (data.orders as unknown[]) : [data]
  return orders.map((order) => (order ?? undefined) as Fields | undefined)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
