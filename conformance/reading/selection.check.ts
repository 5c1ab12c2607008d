import { type CheckContext, check, show, showAnswer } from '../engine/kit.ts'
import { buy, BUYS_VOUCHERS, orderIdsOf, type Bought } from '../steps/orders.ts'
import { needItems } from '../steps/reading.ts'

type Filter = 'orderId' | 'referenceId'

/** One filter selects one of two orders. Their identifiers are compared where the target file tells how to read them. */
async function judgeSelection(
  context: CheckContext,
  requirement: 'GET-03' | 'GET-04',
  filter: Filter,
  orders: readonly [Bought, Bought],
): Promise<void> {
  for (const bought of orders) {
    const exchange = await context.api.as('full').getOrders({ [filter]: bought[filter] })
    const ids = orderIdsOf(context, exchange)
    const count = needItems(exchange)?.length
    context.expect('GET-07').that(`the key that bought finds its order by ${filter}`, {
      holds: (count ?? 0) > 0,
      expected: 'the order',
      exchanges: [bought.exchange, exchange],
    })
    context.expect(requirement).that('the filter selects the one order', {
      holds: count === 1 && (ids === undefined || (ids.length === 1 && ids[0] === bought.orderId)),
      expected: `order ${bought.orderId} alone`,
      observed: ids === undefined ? `${count ?? 'no'} orders: ${showAnswer(exchange)}` : show(ids),
      exchanges: [...orders.map((each) => each.exchange), exchange],
    })
  }
  for (const alike of [...ENDINGS.map(endingIn), longer])
    await judgeAlike(context, requirement, { filter, bought: orders[0], alike })
}

/** In place of the last character: nothing, or what databases and shells take for any character, or any text. */
const ENDINGS = ['', '_', '%', '*']

function endingIn(ending: string): (text: string) => string {
  return (text) => `${text.slice(0, -1)}${ending}`
}

/** Digits with a letter after them are cast to the number by some databases. */
function longer(text: string): string {
  return `${text}x`
}

type Alike = {
  readonly filter: Filter
  readonly bought: Bought
  readonly alike: (text: string) => string
}

/** What is only like the text of a filter is not selected by it. */
async function judgeAlike(
  context: CheckContext,
  requirement: 'GET-03' | 'GET-04',
  { filter, bought, alike }: Alike,
): Promise<void> {
  const part = { [filter]: alike(bought[filter]) }
  if (part[filter] === bought[filter]) return
  const exchange = await context.api.as('full').getOrders(part)
  // The part may be the identifier of another order: without identifiers nothing can be told.
  const ids = orderIdsOf(context, exchange)
  if (ids === undefined) return
  context
    .expect(requirement)
    .that('the filter does not select by a part of a text, a longer text or a pattern', {
      holds: !ids.includes(bought.orderId),
      expected: `${show(part)} does not find order ${bought.orderId}`,
      observed: ids.length === 0 ? showAnswer(exchange) : show(ids),
      exchanges: [bought.exchange, exchange],
    })
}

export const filters = check({
  id: 'reading.filters',
  formerIds: ['by-order-id', 'by-reference', 'own-order'].map((what) => `reading.${what}`),
  title: 'the key that bought an order finds it by orderId and by referenceId, and no other',
  requirements: ['GET-03', 'GET-04', 'GET-07'],
  needs: { ...BUYS_VOUCHERS, roles: ['full'], purchases: 2 },
  run: async (context) => {
    const orders = [await buy(context), await buy(context)] as const
    await judgeSelection(context, 'GET-03', 'orderId', orders)
    await judgeSelection(context, 'GET-04', 'referenceId', orders)
  },
})
