import type { Exchange } from '../../harness/client/exchange.ts'
import { select } from '../../harness/target/select.ts'
import type { CheckContext } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { untested } from '../engine/undecided.ts'
import { findsNothing, itemsOf } from '../orders/steps.ts'

export type Revealed = { readonly exchange: Exchange; readonly codes: readonly unknown[] }

/** Reads an order with unhide=true, which its budget permits once in a window. */
export async function reveal(context: CheckContext, orderId: string): Promise<Revealed> {
  const exchange = needSuccess(await context.api.as('full').getOrders({ orderId, unhide: true }))
  return { exchange, codes: codesIn(context, exchange) }
}

/** Every code in a reading of orders, masked or in clear. For checks that need the selector `getOrders.codes`. */
export function codesIn({ target }: CheckContext, exchange: Exchange): readonly unknown[] {
  const selector = target.operations.getOrders.selectors['codes']
  if (selector === undefined) throw new Error('the check must need the selector getOrders.codes')
  return select(selector, exchange.json)
}

/** What an order that is not there looks like: status of the answer and number of orders. */
export function looksOf(exchange: Exchange): readonly [number | undefined, number] {
  return [exchange.response?.status, itemsOf(exchange)?.length ?? 0]
}

/** An identifier of the same form that no order has: the last letter or digit replaced by another of its kind. */
export function strangeIdLike(orderId: string): string {
  const index = orderId.search(/[0-9A-Za-z][^0-9A-Za-z]*$/)
  if (index === -1) return `${orderId}0`
  const last = orderId.charAt(index)
  const other = /\d/.test(last)
    ? String((Number(last) + 5) % 10)
    : /[a-z]/.test(last)
      ? swap(last, 'a', 'b')
      : swap(last, 'A', 'B')
  return orderId.slice(0, index) + other + orderId.slice(index + 1)
}

function swap(letter: string, one: string, two: string): string {
  return letter === one ? two : one
}

/** What the target answers about an order that does not exist. Untested where even that finds something. */
export async function needNothing(
  read: (value: string) => Promise<Exchange>,
  value: string,
): Promise<Exchange> {
  const exchange = await read(value)
  if (!findsNothing(exchange) && (itemsOf(exchange)?.length ?? 0) > 0)
    untested('a filter for an order that does not exist finds something')
  return exchange
}
