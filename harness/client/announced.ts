/**
 * Orders that need not be found yet: a pending response may precede the creation of its order, and what is read may be a copy that comes
 * a moment later. The interface does not say how soon an order is found.
 */
import { ANNOUNCED_MS, isAccepted } from '../../contract/answers.ts'
import { isPurchase } from '../../contract/operations.ts'
import type { Clock } from '../clock.ts'
import type { Exchange } from './exchange.ts'
import { sentReference } from './sent-body.ts'

/** Waits before an order that is not found yet is read again. Together less than a second: pending orders have to be seen pending. */
const PAUSES_MS = [100, 200, ANNOUNCED_MS - 300] as const

type Order = {
  /** A 202 announced it. */
  readonly isPending: boolean
  /** It may not be found before. */
  readonly foundByMs: number
  /** What a reading finds when all is there: a checkout has several orders under its reference. */
  readonly count: number
  /** Undefined until it is looked for. */
  comes?: Promise<boolean>
}

type Waiting = {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** The same reading, masked. */
  readonly look: () => Promise<Exchange>
}

export class Announced {
  /** By key, and by the reference or the identifier that a client may ask for. */
  readonly #orders = new Map<string, Order>()

  /** To be told of every answer to a purchase, but not of checks, which make none. */
  hear(exchange: Exchange): void {
    const status = exchange.response?.status ?? 0
    if (!isPurchase(exchange.operation) || !isAccepted({ status })) return
    const ids = orderIdsIn(exchange)
    const reference = sentReference(exchange)
    const names = [reference, ...ids].filter((name) => name !== undefined)
    const keys = names.map((name) => nameOf(exchange, name))
    const isPending = status === 202
    const known = keys.map((key) => this.#orders.get(key)).find((each) => each !== undefined)
    const foundByMs = known?.foundByMs ?? exchange.receivedAtMs + ANNOUNCED_MS
    const isCheckout = ids.length > 1
    // All names of one order are looked for once; each order of a checkout is, and all of them under the reference.
    const single = known?.count === 1 ? known : { isPending, foundByMs, count: 1 }
    for (const [index, key] of keys.entries()) {
      const count = names[index] === reference ? ids.length : 1
      if (!isCheckout) this.#orders.set(key, single)
      else if (!this.#orders.has(key)) this.#orders.set(key, { isPending, foundByMs, count })
    }
  }

  /** An order that was announced, was not looked for yet, and may still not be found. */
  awaited(
    filter: string,
    reader: Pick<Exchange, 'account' | 'role'>,
    nowMs: number,
  ): Readonly<Pick<Order, 'isPending' | 'foundByMs'>> | undefined {
    const order = this.#orders.get(nameOf(reader, filter))
    return order && order.comes === undefined && order.foundByMs > nowMs ? order : undefined
  }

  /** Whether an order that a reading did not find came after a wait. It is waited for once. */
  comes(first: Exchange, filter: string, waiting: Waiting): Promise<boolean> | undefined {
    const order = this.#orders.get(nameOf(first, filter))
    if (!order || first.response?.status === 429) return undefined
    const isThere = findsAll(first, order)
    // What was found once does not come any more.
    order.comes ??= isThere ? Promise.resolve(false) : lookFor(order, waiting)
    return isThere ? undefined : order.comes
  }
}

async function lookFor(order: Order, { clock, look, signal }: Waiting): Promise<boolean> {
  for (const pauseMs of PAUSES_MS) {
    await clock.sleep(pauseMs, signal)
    const seen = await look()
    if (seen.response?.status === 200 && findsAll(seen, order)) return true
  }
  return false
}

function nameOf({ account, role }: Pick<Exchange, 'account' | 'role'>, name: string): string {
  return `${account} ${role} ${name}`
}

function orderIdsIn({ json }: Exchange): string[] {
  const { data } = (json ?? {}) as { data?: { orders?: unknown; orderId?: unknown } | null }
  const orders: unknown[] = Array.isArray(data?.orders) ? data.orders : [data]
  return orders
    .map((order) => (order as { orderId?: unknown } | null | undefined)?.orderId)
    .filter((orderId) => typeof orderId === 'string')
}

function findsAll(reading: Exchange, { count }: Order): boolean {
  const items = itemsOf(reading)
  return !findsNothing(reading) && (count === 1 || !items || items.length >= count)
}

function itemsOf(reading: Exchange): readonly unknown[] | undefined {
  const items = listIn(reading)
  return Array.isArray(items) ? items : undefined
}

function listIn({ json }: Exchange): unknown {
  const { data } = (json ?? {}) as { data?: { page?: { items?: unknown } | null } | null }
  return data?.page?.items
}

/**
 * A reading that finds nothing: an empty list, or a 404 (which of them is not shown). Null in place of a list breaks GET-01; whoever
 * asks whether an order exists takes it for none.
 */
export function findsNothing(reading: Exchange): boolean {
  const list = listIn(reading)
  return reading.response?.status === 404 || list === null || itemsOf(reading)?.length === 0
}
