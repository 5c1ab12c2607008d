import { type CheckContext, check, show, showAnswer } from '../engine/kit.ts'
import { buy, BUYS_VOUCHERS, orderIdsOf, type Bought } from '../steps/orders.ts'
import { needItems } from '../steps/reading.ts'

/** One filter selects one of two orders. Their identifiers are compared where the target file tells how to read them. */
async function judgeSelection(
  context: CheckContext,
  requirement: 'GET-03' | 'GET-04',
  queryOf: (bought: Bought) => Readonly<Record<string, string>>,
): Promise<void> {
  const orders = [await buy(context), await buy(context)]
  for (const bought of orders) {
    const exchange = await context.api.as('full').getOrders(queryOf(bought))
    const ids = orderIdsOf(context, exchange)
    const count = needItems(exchange)?.length
    context.expect(requirement).that('the filter selects the one order', {
      holds: count === 1 && (ids === undefined || (ids.length === 1 && ids[0] === bought.orderId)),
      expected: `order ${bought.orderId} alone`,
      observed: ids === undefined ? `${count ?? 'no'} orders: ${showAnswer(exchange)}` : show(ids),
      exchanges: [...orders.map((each) => each.exchange), exchange],
    })
  }
  const [bought] = orders
  if (bought) await judgeAlike(context, requirement, { bought, query: queryOf(bought) })
}

/** What is only like the text of a filter is not selected by it. */
async function judgeAlike(
  context: CheckContext,
  requirement: 'GET-03' | 'GET-04',
  { bought, query }: { bought: Bought; query: Readonly<Record<string, string>> },
): Promise<void> {
  for (const alike of [...ENDINGS.map(endingIn), longer])
    await judgeOther(context, requirement, { bought, query, alike })
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

type Other = {
  readonly bought: Bought
  readonly query: Readonly<Record<string, string>>
  readonly alike: (text: string) => string
}

async function judgeOther(
  context: CheckContext,
  requirement: 'GET-03' | 'GET-04',
  { bought, query, alike }: Other,
): Promise<void> {
  const part = Object.fromEntries(Object.entries(query).map(([name, text]) => [name, alike(text)]))
  if (Object.entries(part).some(([name, text]) => text === query[name])) return
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

export const byOrderId = check({
  id: 'reading.by-order-id',
  title: 'orderId selects that order and no other',
  requirements: ['GET-03'],
  needs: { ...BUYS_VOUCHERS, roles: ['full'], purchases: 2 },
  run: (context) => judgeSelection(context, 'GET-03', ({ orderId }) => ({ orderId })),
})

export const byReference = check({
  id: 'reading.by-reference',
  title: 'referenceId selects the order that was created under it and no other',
  requirements: ['GET-04'],
  needs: { ...BUYS_VOUCHERS, roles: ['full'], purchases: 2 },
  run: (context) => judgeSelection(context, 'GET-04', ({ referenceId }) => ({ referenceId })),
})

export const readableByItsKey = check({
  id: 'reading.own-order',
  title: 'an order can be read with the key that created it',
  requirements: ['GET-07'],
  needs: { ...BUYS_VOUCHERS, roles: ['full'], purchases: 1 },
  run: async (context) => {
    const { api, expect } = context
    const bought = await buy(context)
    for (const query of [{ orderId: bought.orderId }, { referenceId: bought.referenceId }]) {
      const exchange = await api.as('full').getOrders(query)
      expect('GET-07').that(`the key that bought finds its order by ${Object.keys(query).join()}`, {
        holds: (needItems(exchange)?.length ?? 0) > 0,
        expected: 'the order',
        exchanges: [bought.exchange, exchange],
      })
    }
  },
})
