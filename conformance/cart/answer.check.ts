import type { CheckContext } from '../engine/kit.ts'
import {
  asText,
  check,
  isAccepted,
  needSuccess,
  needWhole,
  show,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { formatMoney, parseMoney } from '../../harness/money.ts'
import { needReferenceFilter, findUnder } from '../steps/idempotency.ts'
import { buy, BUYS_VOUCHERS, dataOf } from '../steps/orders.ts'
import { CHECKOUT_MEMBERS, shapeBreaches } from '../steps/cart-shape.ts'
import {
  checkout,
  CHECKS_OUT,
  entriesOf,
  idsOf,
  lackingVariables,
  LINES,
  needData,
  POSITIONS,
  sendCart,
  sendGoodCart,
  type Checkout,
  THREE_LINES,
} from '../steps/cart.ts'
import { violationAt } from '../steps/violations.ts'

export const answer = check({
  id: 'cart.answer',
  formerIds: ['answers.cart', 'cart.created', 'cart.answer-orders', 'cart.total'],
  title:
    'a key with the scopes of orders buys a cart, and the answer has its reference, currency, status, total and orders',
  requirements: [
    'CART-11',
    ...CHECKOUT_MEMBERS.map(([, requirement]) => requirement),
    'CART-07',
    'CART-09',
  ],
  needs: { ...CHECKS_OUT, purchases: THREE_LINES.length + 2 * POSITIONS + 1 },
  run: async (context) => {
    const done = await sendGoodCart(context, THREE_LINES, LINES, [LINES[0]])
    const { exchange } = done
    context.expect('CART-11').that('a checkout by a key with the scopes of orders is accepted', {
      holds: isAccepted(exchange),
      expected: 'HTTP 200, or another success',
      exchanges: [exchange],
    })
    needSuccess(needWhole(exchange))
    const entries = entriesOf(exchange)
    context.expect('CART-09').that('orders in the answer to a checkout is an array', {
      holds: entries !== undefined,
      expected: 'data.orders, an array',
      observed: show(dataOf(exchange)['orders']),
      exchanges: [exchange],
    })
    needData(exchange)
    for (const [member, requirement, what] of CHECKOUT_MEMBERS) {
      const broken = violationAt('checkout-response', dataOf(exchange), `/${member}`)
      context.expect(requirement).that(`the answer to a checkout has a ${member}, ${what}`, {
        holds: broken === undefined,
        expected: `data.${member}, ${what}`,
        observed: broken ?? show(dataOf(exchange)[member]),
        exchanges: [exchange],
      })
    }
    judgeTotal(context, done)
    if (entries) await judgeEntries(context, done, entries)
    await judgeMixed(context)
  },
})

/** A checkout with one pending order: its status too is one of the four. */
async function judgeMixed(context: CheckContext): Promise<void> {
  const pending = { product: 'voucher-async' } as const
  if (!context.target.products[pending.product] || lackingVariables(context, pending).length > 0)
    return
  const exchange = await sendCart(context, { lines: [{ product: 'voucher' }, pending] })
  const data = dataOf(exchange)
  // Whether such a cart is sold is not shown.
  if (data['status'] === undefined) return
  const broken = violationAt('checkout-response', data, '/status')
  context.expect('CART-08').that('the status of a checkout with a pending order', {
    holds: broken === undefined,
    expected: 'one of the four statuses of an order',
    observed: broken ?? show(data['status']),
    exchanges: [exchange],
  })
  const statuses = entriesOf(exchange)?.map((entry) => (entry as { status?: unknown })?.status)
  context.observe('OPEN-13', `${show(data['status'])} of orders ${show(statuses)}`, [exchange])
}

/** The sum of the prices of all orders, in one currency. */
function judgeTotal(context: CheckContext, { exchange, positions }: Checkout): void {
  const entries = (entriesOf(exchange) ?? []) as readonly ({
    price?: unknown
    currency?: unknown
  } | null)[]
  const prices = entries
    .map((entry) => parseMoney(entry?.price))
    .filter((price) => price !== undefined)
  const named = idsOf(exchange)
  const stated = parseMoney(dataOf(exchange)['totalPrice'])
  const isWhole =
    entries.length === positions &&
    prices.length === positions &&
    new Set(named).size === named.length &&
    new Set(entries.map((each) => each?.currency)).size === 1
  if (!isWhole || stated === undefined)
    return context.leaveUndecided(
      'CART-07',
      `the answer does not give the prices of ${positions} orders in one currency and a totalPrice: ${showAnswer(exchange)}`,
    )
  const sum = prices.reduce((all, price) => all + price, 0n)
  context.expect('CART-07').that('totalPrice is the sum of the prices of all orders', {
    holds: stated === sum,
    expected: `${formatMoney(sum)} = ${prices.map(formatMoney).join(' + ')}`,
    observed: formatMoney(stated),
    exchanges: [exchange],
  })
}

/** One entry for each order that was created. */
async function judgeEntries(
  context: CheckContext,
  { exchange, referenceId }: Checkout,
  entries: readonly unknown[],
): Promise<void> {
  const { expect } = context
  await needReferenceFilter(context)
  const under = await findUnder(context, referenceId)
  const named = idsOf(exchange)
  const repeated = named.length - new Set(named).size
  const unnamed = under.ids
    ? under.ids.filter((id) => named.length === entries.length && !named.includes(asText(id)))
    : []
  expect('CART-09').that('each order that was created has its entry, once', {
    holds: repeated === 0 && unnamed.length === 0 && under.count <= entries.length,
    expected: `an entry for each of the ${under.count} orders that the reference finds`,
    observed: `${entries.length} entries: ${show(named)}; by its reference: ${show(under.ids ?? under.count)}`,
    exchanges: [exchange, under.exchange],
  })
  const strays = await notFound(context, named, under.ids)
  expect('CART-09').that('each entry is an order that was created', {
    holds: strays.length === 0,
    expected: 'each orderId is found, by the reference or by itself',
    observed: strays.length === 0 ? 'all are' : `${show(strays)} is not`,
    exchanges: [exchange, under.exchange],
  })
}

/** Orders that neither the reference nor their own identifier finds. */
async function notFound(
  { api }: CheckContext,
  named: readonly string[],
  under: readonly unknown[] | undefined,
): Promise<readonly string[]> {
  const missing: string[] = []
  for (const orderId of named.filter((id) => !under?.includes(id))) {
    const exchange = await api.as('full').getOrders({ orderId })
    const status = exchange.response?.status ?? 0
    const { page } = dataOf(exchange) as { page?: { items?: unknown } }
    const isEmpty = Array.isArray(page?.items) && page.items.length === 0
    if (status === 404 || isEmpty) missing.push(orderId)
  }
  return missing
}

export const entryShape = check({
  id: 'cart.entry-shape',
  title: 'each order of a checkout has the shape of a single purchase',
  requirements: ['CART-10'],
  needs: {
    ...CHECKS_OUT,
    ...BUYS_VOUCHERS,
    capabilities: ['cart', 'shop'],
    purchases: 1 + 2 * POSITIONS,
  },
  run: async (context) => {
    const single = needSuccess((await buy(context)).exchange)
    const line = { product: 'voucher' } as const
    for (const { exchange } of [
      await checkout(context),
      await checkout(context, { lines: [line, line] }),
    ]) {
      const entries = entriesOf(exchange)
      if (!entries || entries.length === 0)
        untested(`the checkout lists no orders, which CART-09 decides: ${showAnswer(exchange)}`)
      const breaches = entries.flatMap((entry) => shapeBreaches(entry, dataOf(single)))
      context.expect('CART-10').that('orders of a checkout look like a single purchase', {
        holds: breaches.length === 0,
        expected: `the members of the answer to a single purchase, in each of ${entries.length} entries`,
        observed: breaches.length === 0 ? 'the same members' : breaches.join('; '),
        exchanges: [single, exchange],
      })
    }
  },
})
