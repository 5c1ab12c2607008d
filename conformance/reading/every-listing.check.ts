import { isPurchase } from '../../contract/operations.ts'
import type { Exchange, InvariantContext } from '../engine/kit.ts'
import { hasFilter, isAccepted, show } from '../engine/kit.ts'
import { idsOf } from '../steps/cart.ts'
import { everySeen } from '../steps/orders-seen.ts'
import { orderIdOf, orderIdsOf } from '../steps/orders.ts'

/** A listing without a filter, and what it shows of orders that only other keys of the account bought. */
type Listing = { readonly exchange: Exchange; readonly foreign: readonly string[] }

/** Two roles of a target file may have one key. */
function keyOf({ account, keyVariable, role }: Exchange): string {
  return `${account} ${keyVariable ?? role}`
}

/** The keys that were answered with an order, by account and order: a replay may have been sent by another one than the purchase. */
function buyersOf(history: readonly Exchange[]): ReadonlyMap<string, ReadonlySet<string>> {
  const buyers = new Map<string, Set<string>>()
  for (const exchange of history) {
    if (!isPurchase(exchange.operation) || !isAccepted(exchange)) continue
    const orderId = orderIdOf(exchange)
    for (const id of orderId === undefined ? idsOf(exchange) : [orderId]) {
      const order = `${exchange.account} ${id}`
      buyers.set(order, (buyers.get(order) ?? new Set()).add(keyOf(exchange)))
    }
  }
  return buyers
}

function isListing(exchange: Exchange): boolean {
  return exchange.operation === 'getOrders' && !hasFilter(exchange)
}

function listingsOf(context: InvariantContext): Listing[] {
  const buyers = buyersOf(context.history)
  return context.history
    .filter((exchange) => isListing(exchange) && isAccepted(exchange))
    .map((exchange) => {
      const foreign = (orderIdsOf(context, exchange) ?? []).filter((id) => {
        const keys = buyers.get(`${exchange.account} ${String(id)}`)
        return keys !== undefined && !keys.has(keyOf(exchange))
      })
      return { exchange, foreign: foreign.map(String) }
    })
}

export const everyListing = everySeen<Listing>({
  id: 'reading.every-listing',
  title: 'no listing of a key shows an order that only other keys of its account bought',
  requirement: 'GET-10',
  statement: 'a listing shows no order that only other keys of the account bought',
  subjects: listingsOf,
  nothing: 'no listing of the run was answered',
  isOptional: true,
  breach: ({ foreign }) =>
    foreign.length > 0 ? `${show(foreign)}, bought with another key` : undefined,
})
