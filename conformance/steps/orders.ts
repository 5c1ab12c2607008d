import type { CallOptions, CheckContext, Exchange, Needs, OrderRequest } from '../engine/kit.ts'
import { isObject, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import type { ProductAbility, Role } from '../../contract/capabilities.ts'
import { retryAfterSeconds } from '../../harness/client/headers.ts'
import { currencyCode } from '../../harness/money.ts'
import { selectEach } from '../../harness/target-file/select.ts'

export { findsNothing } from '../../harness/client/announced.ts'

/** What every check that buys vouchers needs. */
export const BUYS_VOUCHERS = {
  capabilities: ['shop'],
  products: ['voucher'],
  orderKinds: ['shop'],
} as const satisfies Needs

/** One order as `data.page.items[]` shows it. Only `status` is shown by the interface; the rest comes from selectors. */
export type OrderItem = Readonly<Record<string, unknown>>

export type Bought = {
  readonly exchange: Exchange
  readonly orderId: string
  readonly referenceId: string
}

/** Buys and insists on success: what follows builds on the order. */
export async function buy(
  context: CheckContext,
  order: Partial<OrderRequest> & { readonly product?: ProductAbility } = {},
  { role = 'full', ...options }: CallOptions & { readonly role?: Role } = {},
): Promise<Bought> {
  const referenceId = order.referenceId ?? context.reference()
  const exchange = await context.api
    .as(role)
    .createOrder({ product: 'voucher', ...order, referenceId }, options)
  needSuccess(exchange)
  const orderId = orderIdOf(exchange)
  if (orderId === undefined)
    untested(`the purchase to build on has no data.orderId: ${showAnswer(exchange)}`)
  return { exchange, orderId, referenceId }
}

/** `data` of the envelope as an object; empty where it is none. */
export function dataOf({ json }: Exchange): Readonly<Record<string, unknown>> {
  const data = (json as { data?: unknown } | null | undefined)?.data
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
}

export function orderIdOf(exchange: Exchange): string | undefined {
  const { orderId } = dataOf(exchange)
  return typeof orderId === 'string' && orderId !== '' ? orderId : undefined
}

export function isUsd(currency: unknown): boolean {
  return currencyCode(currency) === 'USD'
}

/** Whether amounts of the two can be compared. */
export function isSameCurrency(one: unknown, other: unknown): boolean {
  return currencyCode(one) === currencyCode(other)
}

/** `data.page.items`; undefined where it is no array. What is no object in it has no field. */
export function itemsOf(exchange: Exchange): readonly OrderItem[] | undefined {
  const { page } = dataOf(exchange)
  const items = (page as { items?: unknown } | null | undefined)?.items
  if (!Array.isArray(items)) return undefined
  return items.map((item: unknown) => (isObject(item) ? item : {}))
}

/** The identifiers of the listed orders, where the target file tells how to read them. */
export function orderIdsOf(
  { target }: Pick<CheckContext, 'target'>,
  exchange: Exchange,
): readonly unknown[] | undefined {
  const selector = target.operations.getOrders.selectors['orderIds']
  return selector === undefined ? undefined : selectEach(selector, exchange.json)
}

/** Whether a read names the order that a purchase was answered with; true where the target file or the answers do not tell. */
export function namesSameOrder(
  context: Pick<CheckContext, 'target'>,
  found: Exchange,
  bought: Exchange,
): boolean {
  const orderId = orderIdOf(bought)
  const ids = orderIdsOf(context, found)
  return orderId === undefined || ids === undefined || ids.includes(orderId)
}

/** Reads one order by reference and insists that exactly one is found. */
export async function readOne(
  context: CheckContext,
  query: CallOptions['query'],
  role: Role = 'full',
): Promise<{ exchange: Exchange; item: OrderItem }> {
  const exchange = needSuccess(await context.api.as(role).getOrders(query))
  const items = itemsOf(exchange)
  const [item] = items ?? []
  if (!item || items?.length !== 1)
    untested(`exactly one order was expected to be found: ${showAnswer(exchange)}`)
  return { exchange, item }
}

/** Longest wait for an asynchronous order where the target file names none. */
const COMPLETION_SECONDS_DEFAULT = 120
/** After some ten minutes of IN_PROGRESS a client takes an eSIM for timed out (interface, States). */
const ESIM_SECONDS_DEFAULT = 600
const POLL_SECONDS_MIN = 0.25

/** Longest wait for an order, seconds: half as much again as the target file states, and two. */
export function patienceSeconds(
  { target }: Pick<CheckContext, 'target'>,
  product: ProductAbility,
): number {
  const stated = target.products[product]?.completesWithinSeconds
  if (stated === undefined && product.startsWith('esim')) return ESIM_SECONDS_DEFAULT
  return (stated ?? COMPLETION_SECONDS_DEFAULT) * 1.5 + 2
}

/** Who polls, and the longest pause between two polls where the end must be seen soon. */
type Polling = { readonly role?: Role; readonly pauseSecondsMax?: number }

/**
 * Polls an order by reference until it has finished, at the pace that the target asks for; the last reading is taken at the end of the
 * wait. Returns every reading.
 */
export async function pollToEnd(
  context: CheckContext,
  product: ProductAbility,
  query: CallOptions['query'],
  { role = 'full', pauseSecondsMax = Infinity }: Polling = {},
): Promise<readonly { exchange: Exchange; item: OrderItem }[]> {
  const { clock } = context
  const limitSeconds = patienceSeconds(context, product)
  const endMs = clock.nowMs() + limitSeconds * 1000
  const readings: { exchange: Exchange; item: OrderItem }[] = []
  for (;;) {
    const reading = await readOne(context, query, role)
    readings.push(reading)
    const leftMs = endMs - clock.nowMs()
    // A status that the interface does not have is no reason to wait: it ends no order, and other checks name it.
    if (reading.item['status'] !== 'IN_PROGRESS' || leftMs <= 0) return readings
    const pauseSeconds =
      retryAfterSeconds(reading.exchange) ?? Math.max(POLL_SECONDS_MIN, limitSeconds / 20)
    const pauseMs = Math.min(pauseSeconds, pauseSecondsMax) * 1000
    await context.wait('an order to finish', Math.min(pauseMs, leftMs))
  }
}
