import { formatMoney, parseMoney } from '../../harness/money.ts'
import { positionTemplate } from '../../harness/client/bodies.ts'
import type { CartLine, CheckContext, CheckDefinition, Exchange, Needs } from '../engine/kit.ts'
import { isPriceOfOne } from '../steps/buyer.ts'
import { check, inapplicable, isAccepted, isObject, showAnswer } from '../engine/kit.ts'
import { shapeBreaches } from '../steps/cart-shape.ts'
import { checkout, CHECKS_OUT, entriesOf, idsOf, sendCart, type Checkout } from '../steps/cart.ts'
import { BUYS_ESIMS } from '../steps/esim.ts'
import { needReferenceFilter, findUnder } from '../steps/idempotency.ts'
import { buy, BUYS_VOUCHERS, dataOf, isUsd } from '../steps/orders.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'

type OtherLine = CartLine & Required<Pick<CartLine, 'kind'>>

/** A voucher and something of another kind in one cart, where the target file says how its position looks. */
function besideVoucher(
  name: 'top-up' | 'esim',
  what: string,
  { products, capabilities, orderKinds }: Needs,
  lineOf: (context: CheckContext) => OtherLine,
): CheckDefinition {
  return check({
    id: `cart.beside-${name}`,
    title: `a cart of a voucher and ${what} becomes one order of each, like those that are bought alone`,
    requirements: [
      'CART-01',
      'CART-04',
      'CART-10',
      ...(name === 'esim' ? (['ESIM-01', 'ESIM-02'] as const) : []),
    ],
    needs: {
      ...CHECKS_OUT,
      ...BUYS_VOUCHERS,
      products: [...CHECKS_OUT.products, ...(products ?? [])],
      capabilities: ['cart', 'shop', ...(capabilities ?? [])],
      orderKinds: ['shop', ...(orderKinds ?? [])],
      purchases: name === 'esim' ? 8 : 6,
    },
    run: async (context) => {
      const line = lineOf(context)
      if (positionTemplate(context.target, line) === undefined)
        inapplicable(
          `the target file gives no position of a cart: operations.createCart.bodies.${line.kind}`,
        )
      const lines = [{ product: 'voucher' }, line] as const
      const other = (await buy(context, line)).exchange
      const alone = [(await buy(context)).exchange, other]
      const referenceId = context.reference()
      const done = await checkout(context, { lines, referenceId })
      if (entriesOf(done.exchange) !== undefined) judgeShapes(context, done, alone)
      if (name === 'esim') {
        judgeCurrency(context, done, alone)
        await judgeQuantity(context, line, other)
      }
      await needReferenceFilter(context)
      await judgeOrders(context, done)
      const again = await sendCart(context, { lines, referenceId })
      if (isAccepted(again)) await judgeAgain(context, done, again)
    },
  })
}

/** Which position an entry belongs to is not shown: it has to look like one of what was bought alone. */
function judgeShapes(
  { expect }: CheckContext,
  { exchange }: Checkout,
  alone: readonly Exchange[],
): void {
  const breaches = (entriesOf(exchange) ?? []).flatMap((entry) => {
    const each = alone.map((single) => shapeBreaches(entry, dataOf(single)))
    return each.some((found) => found.length === 0) ? [] : each.slice(-1)
  })
  expect('CART-10').that('each order of the checkout looks like one that was bought alone', {
    holds: breaches.length === 0,
    expected: 'the members of the answer to a single purchase',
    observed: breaches.length === 0 ? 'the same members' : breaches.flat().join('; '),
    exchanges: [...alone, exchange],
  })
}

function inUsd(orders: readonly unknown[]): number {
  return orders.filter((order) => isObject(order) && isUsd(order['currency'])).length
}

/** An eSIM is priced in USD always. Which entry is the eSIM is not shown: as many are in USD as of what was bought alone. */
function judgeCurrency(
  { expect, leaveUndecided }: CheckContext,
  { exchange }: Checkout,
  alone: readonly Exchange[],
): void {
  const [entries = [], wanted] = [entriesOf(exchange), inUsd(alone.map(dataOf))]
  if (entries.length !== alone.length || wanted === 0) {
    leaveUndecided('ESIM-02', 'the answer does not list an order of each position')
    return
  }
  expect('ESIM-02').that('the currency of an eSIM in a checkout', {
    holds: inUsd(entries) >= wanted,
    expected: `USD: ${wanted} of ${entries.length} orders, as of what was bought alone`,
    observed: `${inUsd(entries)} of ${entries.length} orders in USD`,
    exchanges: [...alone, exchange],
  })
}

/** A position that asks for two eSIMs may be refused. Where it is taken, each order is one for one eSIM: the quantity is always 1. */
async function judgeQuantity(context: CheckContext, line: OtherLine, one: Exchange): Promise<void> {
  const two = await sendCart(context, { lines: [{ ...line, quantity: 2 }] })
  const single = parseMoney(dataOf(one)['price'])
  if (single === undefined || single <= 0n) {
    context.leaveUndecided('ESIM-01', 'an eSIM that is bought alone has no price')
    return
  }
  const charged = (entriesOf(two) ?? []).flatMap((entry) =>
    isObject(entry) ? (parseMoney(entry['price']) ?? []) : [],
  )
  context.expect('ESIM-01').that('an eSIM of a cart that asks for two is charged for one', {
    holds: !isAccepted(two) || charged.every((price) => isPriceOfOne(price, single)),
    expected: `a refusal, or orders of less than twice the ${formatMoney(single)} of one eSIM`,
    observed: isAccepted(two) ? charged.map(formatMoney).join(', ') : showAnswer(two),
    exchanges: [one, two],
  })
}

async function judgeOrders(
  context: CheckContext,
  { exchange, referenceId }: Checkout,
): Promise<void> {
  const under = await findUnder(context, referenceId)
  const count = Math.max(new Set(idsOf(exchange)).size, under.count)
  context.expect('CART-01').that('a cart of two kinds becomes an order of each', {
    holds: count === 2,
    expected: '2 orders',
    observed: `${idsOf(exchange).length} named by the answer, ${under.count} found by its reference`,
    exchanges: [exchange, under.exchange],
  })
}

async function judgeAgain(
  context: CheckContext,
  { exchange, referenceId }: Checkout,
  again: Exchange,
): Promise<void> {
  const under = await findUnder(context, referenceId)
  const known = idsOf(exchange)
  const fresh = [...idsOf(again), ...(under.ids ?? [])].filter(
    (id) => !known.some((each) => each === id),
  )
  if (known.length === 0) return
  context.expect('CART-04').that('sent again it makes no further order', {
    holds: fresh.length === 0,
    expected: 'no order but those of the first answer',
    observed: `${fresh.length} others`,
    exchanges: [exchange, again, under.exchange],
  })
}

export const besideTopUp = besideVoucher('top-up', 'a top-up', BUYS_TOP_UPS, topUpOrder)

export const besideEsim = besideVoucher('esim', 'an eSIM', BUYS_ESIMS, () => ({
  product: 'esim',
  kind: 'esim',
}))
