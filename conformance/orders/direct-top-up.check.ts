import type { CheckDefinition } from '../engine/check.ts'
import type { CheckContext, Exchange, Needs, OrderRequest } from '../engine/kit.ts'
import {
  check,
  inapplicable,
  isAccepted,
  isObject,
  show,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { OTHER_KINDS, type KindOfOrder } from '../steps/kinds.ts'
import { answersHaveNoResult } from '../steps/order-results.ts'
import { buy, dataOf, itemsOf, namesSameOrder, orderIdOf, pollToEnd } from '../steps/orders.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'

const NEEDS = {
  ...BUYS_TOP_UPS,
  roles: ['full'],
  purchases: 1,
} as const satisfies Needs

export const topUpCreatesOrder = check({
  id: 'orders.top-up-create',
  formerIds: ['orders.top-up-check-only-false'],
  title: 'a valid direct top-up creates an order, and so does one with checkOnly=false',
  requirements: ['DTU-01'],
  needs: { ...NEEDS, purchases: 2 },
  run: async (context) => {
    const { api, expect } = context
    const bought = await expectBought(context, 'a top-up')
    if (!isAccepted(bought)) return
    const orderId = orderIdOf(bought)
    if (orderId !== undefined) {
      const selected = await api.as('full').getOrders({ orderId })
      expect('DTU-01').that('the top-up can be read by its orderId', {
        holds: itemsOf(selected)?.length === 1 && namesSameOrder(context, selected, bought),
        expected: 'one order',
        exchanges: [bought, selected],
      })
    }
    await expectBought(context, 'a top-up with checkOnly=false', {
      overrides: { checkOnly: false },
    })
  },
})

async function expectBought(
  context: CheckContext,
  what: string,
  order: Partial<OrderRequest> = {},
): Promise<Exchange> {
  const { api, expect, reference } = context
  const referenceId = reference()
  const bought = await api.as('full').createOrder({ ...topUpOrder(context), ...order, referenceId })
  const found = await api.as('full').getOrders({ referenceId })
  expect('DTU-01').that(`${what} is accepted, and its order can be read`, {
    holds:
      isAccepted(bought) && itemsOf(found)?.length === 1 && namesSameOrder(context, found, bought),
    expected: 'success, then one order under the referenceId',
    observed: `${showAnswer(bought)}; then ${showAnswer(found)}`,
    exchanges: [bought, found],
  })
  return bought
}

/** Top-ups by amount and by units may end in different code. */
function resultOf(kind: KindOfOrder): CheckDefinition {
  return check({
    id: `orders.${kind.name}-result`,
    title: `${kind.what} that is finished returns attributes and no voucher codes`,
    requirements: ['DTU-02', 'DTU-03'],
    needs: { ...kind.needs, roles: ['full'], purchases: 3 },
    run: (context) => judgeResult(context, kind),
  })
}

export const topUpResult = resultOf(OTHER_KINDS.topUp)
export const unitsResult = resultOf(OTHER_KINDS.units)

async function judgeResult(context: CheckContext, kind: KindOfOrder): Promise<void> {
  const { expect, observe } = context
  const { exchanges, answers, items } = await finishTopUp(context, kind)
  const orders = [...answers, ...items]
  const results = orders.map(({ result }) => asObject(result))
  const vouchers = results.flatMap(({ vouchers }) => (Array.isArray(vouchers) ? vouchers : []))
  expect('DTU-02').that('the result of a top-up has no vouchers', {
    holds: vouchers.length === 0,
    expected: 'no voucher in any answer about the order',
    observed: `${vouchers.length} vouchers in ${orders.length} answers`,
    exchanges,
  })
  if (!orders.some(({ status }) => status === 'SUCCESS'))
    untested(`the top-up did not end in SUCCESS: ${show(items.at(-1)?.['status'])}`)
  // A pending order may have an empty result, and a replay may show it as it was at first.
  const isAnswered = answers.some(({ status }) => status === 'SUCCESS')
  const isShown = orders.some(
    ({ status, result }) => status === 'SUCCESS' && (result ?? undefined) !== undefined,
  )
  if (!isShown && (!isAnswered || (await answersHaveNoResult(context))))
    inapplicable('neither answers to purchases nor list items have the result of a finished order')
  const given = results.map(({ attributes }) => attributes ?? undefined)
  const attributes = given.filter((each) => each !== undefined)
  // A list item need not repeat them; the result that a purchase answers with has them.
  const bare = answers.filter(
    ({ status, result }) =>
      status === 'SUCCESS' && isObject(result) && !isObject(result['attributes']),
  )
  expect('DTU-03').that('the result of a top-up that was accepted has attributes', {
    holds: attributes.length > 0 && attributes.every(isObject) && bare.length === 0,
    expected: 'result.attributes, an object',
    observed: `attributes ${show(given)} in ${orders.length} answers`,
    exchanges,
  })
  observe('OPEN-07', show(Object.keys(asObject(attributes[0]))), exchanges)
}

type Orders = readonly Readonly<Record<string, unknown>>[]

/** What is said of one top-up until its end: by the answers to the purchase and to a replay of it, and by the polling of it. */
async function finishTopUp(
  context: CheckContext,
  { order: orderOf, product }: KindOfOrder,
): Promise<{
  readonly exchanges: readonly Exchange[]
  readonly answers: Orders
  readonly items: Orders
}> {
  const order = await orderOf(context, 'full')
  const { exchange, referenceId } = await buy(context, order)
  const readings = await pollToEnd(context, product, { referenceId })
  const isDone = dataOf(exchange)['status'] === 'SUCCESS'
  const purchases = isDone
    ? [exchange]
    : [exchange, (await buy(context, { ...order, referenceId })).exchange]
  return {
    exchanges: [...purchases, ...readings.slice(-1).map((reading) => reading.exchange)],
    answers: purchases.map(dataOf),
    items: readings.map(({ item }) => item),
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}
