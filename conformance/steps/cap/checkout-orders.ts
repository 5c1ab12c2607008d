/** What a checkout bought, by its answer or by what its reference finds. */
import { parseMoney, type Micros } from '../../../harness/money.ts'
import { selectEach } from '../../../harness/target-file/select.ts'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { showAnswer, untested } from '../../engine/kit.ts'
import { entriesOf } from '../cart.ts'
import { findUnder, type Under } from '../idempotency.ts'

type Order = { readonly price: Micros; readonly status: unknown; readonly kind?: unknown }

/** The orders of a checkout of the capped key, wherever they show. */
export async function ordersOf(
  context: CheckContext,
  exchange: Exchange,
  referenceId: string,
): Promise<{ readonly orders: readonly Order[]; readonly under: Under }> {
  const under = await findUnder(context, referenceId, 'capped')
  const named = ordersIn(exchange)
  const found = ordersFound(context, under.exchange)
  const orders = found.length > named.length ? found : named
  if (orders.length < under.count)
    untested(`the prices of the orders of the checkout are not known: ${showAnswer(exchange)}`)
  return { orders, under }
}

/** The orders that the answer to a checkout names, with their prices. */
export function ordersIn(exchange: Exchange): readonly Order[] {
  return (entriesOf(exchange) ?? []).map((entry) => {
    const { price, status, ordersType } = (entry ?? {}) as Readonly<Record<string, unknown>>
    return { price: needPrice(price, exchange), status, kind: ordersType }
  })
}

/** The orders that a reading lists, where the target file tells how to read their prices. */
function ordersFound({ target }: CheckContext, exchange: Exchange): readonly Order[] {
  const { prices, statuses } = target.operations.getOrders.selectors
  if (prices === undefined || statuses === undefined) return []
  const states = selectEach(statuses, exchange.json)
  return selectEach(prices, exchange.json).map((price, index) => ({
    price: needPrice(price, exchange),
    status: states[index],
  }))
}

function needPrice(value: unknown, exchange: Exchange): Micros {
  const price = parseMoney(value)
  if (price === undefined)
    untested(`an order of the checkout has no price: ${showAnswer(exchange)}`)
  return price
}

/** What orders take of a cap. A cancelled position bought nothing. */
export function sumOf(orders: readonly Order[]): Micros {
  return orders
    .filter(({ status }) => status !== 'CANCELLED')
    .reduce((sum, { price }) => sum + price, 0n)
}
