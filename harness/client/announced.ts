/** Orders that a 202 announced and that need not be there yet: a pending response may precede the creation of its order. */
import { ANNOUNCED_MS } from '../../contract/answers.ts'
import { isPurchase } from '../../contract/operations.ts'
import type { Clock } from '../clock.ts'
import type { Exchange } from './exchange.ts'
import { sentReference } from './sent-body.ts'

/** Waits before an order that is not found yet is read again. Together less than a second: pending orders have to be seen pending. */
const PAUSES_MS = [100, 200, ANNOUNCED_MS - 300] as const

type Order = {
  /** It may not be found before. */
  readonly foundByMs: number
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

  /** To be told of every answer to a purchase. */
  hear(exchange: Exchange): void {
    if (!isPurchase(exchange.operation) || exchange.response?.status !== 202) return
    const names = [sentReference(exchange), ...orderIdsIn(exchange)].filter(
      (name) => name !== undefined,
    )
    const known = names.map((name) => this.#orders.get(nameOf(exchange, name)))
    const order = known.find((each) => each !== undefined) ?? {
      foundByMs: exchange.receivedAtMs + ANNOUNCED_MS,
    }
    for (const name of names) this.#orders.set(nameOf(exchange, name), order)
  }

  /** Until when an order that was announced, and was not looked for yet, may not be found. */
  awaitedUntilMs(filter: string, reader: Pick<Exchange, 'account' | 'role'>): number | undefined {
    const order = this.#orders.get(nameOf(reader, filter))
    return order?.comes === undefined ? order?.foundByMs : undefined
  }

  /** Whether an order that a reading did not find came after a wait. It is waited for once. */
  comes(first: Exchange, filter: string, waiting: Waiting): Promise<boolean> | undefined {
    const order = this.#orders.get(nameOf(first, filter))
    if (!order || first.response?.status === 429) return undefined
    const isThere = !findsNothing(first)
    // What was found once does not come any more.
    order.comes ??= isThere ? Promise.resolve(false) : lookFor(waiting)
    return isThere ? undefined : order.comes
  }
}

async function lookFor({ clock, look, signal }: Waiting): Promise<boolean> {
  for (const pauseMs of PAUSES_MS) {
    await clock.sleep(pauseMs, signal)
    const seen = await look()
    if (seen.response?.status === 200 && !findsNothing(seen)) return true
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

/** A reading that finds nothing: an empty list, or a 404 (which of them is not shown). */
export function findsNothing({ response, json }: Exchange): boolean {
  const { data } = (json ?? {}) as { data?: { page?: { items?: unknown } | null } | null }
  const items = data?.page?.items
  return response?.status === 404 || (Array.isArray(items) && items.length === 0)
}
