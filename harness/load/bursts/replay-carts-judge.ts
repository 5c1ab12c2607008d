import type { Statement } from '../shared/statements.ts'
import { CARTS_SCRIPT, CART_POSITIONS } from './replay-carts-script.ts'
import { ordersOf } from './spend-orders.ts'
import type { BurstExchange } from './burst-import.ts'
import { isNamed } from './burst-proof.ts'

/** Checkouts that were sent several times: their reference stands for the orders of one of them. */
export function cartStatements(exchanges: readonly BurstExchange[]): Statement[] {
  return ordersOf(exchanges).flatMap(({ reference, attempts }): Statement[] => {
    // An answer that names no list of orders, or one alone, is none of a checkout.
    const named = attempts.filter((each) => isNamed(each) && each.orders !== undefined)
    const orders = new Set(named.flatMap(({ orderId }) => orderId?.split(',') ?? []))
    const read = exchanges.find(
      (each) => each.phase === 'count' && each.reference === reference && each.status === 200,
    )
    if (named.length === 0) return []
    const found = read?.items ?? 0
    const observed = `${CARTS_SCRIPT}, reference ${reference + 1}: sent ${attempts.length} times, ${orders.size} orders were returned and ${found} found for ${CART_POSITIONS.length} positions`
    if (Math.max(orders.size, found) > CART_POSITIONS.length)
      return [{ requirement: 'CART-04', verdict: 'fail', observed }]
    return named.length > 1 && found === CART_POSITIONS.length
      ? [{ requirement: 'CART-04', verdict: 'pass', observed }]
      : []
  })
}
