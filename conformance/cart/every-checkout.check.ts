import { formatMoney, parseMoney } from '../../harness/money.ts'
import {
  type Exchange,
  inapplicable,
  invariant,
  isAccepted,
  isObject,
  queryOf,
  show,
} from '../engine/kit.ts'
import { CHECKOUT_MEMBERS } from '../steps/cart-shape.ts'
import { expectEach } from '../steps/rules.ts'
import { everySeen } from '../steps/orders-seen.ts'
import { dataOf, isSameCurrency, itemsOf } from '../steps/orders.ts'
import { entriesOf, idsOf, referenceOf } from '../steps/cart.ts'
import { violationAt } from '../steps/violations.ts'

type Totalled = {
  readonly exchange: Exchange
  readonly total: bigint
  readonly prices: readonly bigint[]
}

/** Orders that ended otherwise may cost less than what was asked for. */
const PRICED: readonly unknown[] = ['SUCCESS', 'IN_PROGRESS']

/** Answers whose sum can be told: each order once, with a price, all in the currency of the total. */
function totalledIn(exchange: Exchange): Totalled[] {
  if (exchange.operation !== 'createCart' || !isAccepted(exchange)) return []
  const entries = (entriesOf(exchange) ?? []).filter(isObject)
  const { totalPrice, currency } = dataOf(exchange)
  const prices = entries.map((entry) => parseMoney(entry['price']))
  const total = parseMoney(totalPrice)
  const isWhole =
    entries.length > 0 &&
    new Set(idsOf(exchange)).size === entriesOf(exchange)?.length &&
    entries.every((entry) => entry['currency'] === currency && PRICED.includes(entry['status']))
  const known = prices.filter((price) => price !== undefined)
  return isWhole && total !== undefined && known.length === prices.length
    ? [{ exchange, total, prices: known }]
    : []
}

export const everyTotal = everySeen<Totalled>({
  id: 'cart.every-total',
  title: 'totalPrice is the sum of the prices of all orders in every answer to a checkout',
  requirement: 'CART-07',
  statement: 'totalPrice of a checkout is the sum of the prices of its orders',
  subjects: ({ history }) => history.flatMap(totalledIn),
  nothing:
    'no answer to a checkout had a price for each of its orders, in the currency of the total',
  isOptional: true,
  breach: ({ total, prices }) => {
    const sum = prices.reduce((all, price) => all + price, 0n)
    return sum === total
      ? undefined
      : `${formatMoney(total)} instead of ${prices.map(formatMoney).join(' + ')}`
  },
})

type Currencies = {
  readonly exchange: Exchange
  readonly ofTotal: string
  readonly ofOrders: string
}

/** How a currency code is written is not shown: what is no code of three letters is compared with none. */
const CODE = /^[A-Z]{3}$/i

function isCode(currency: unknown): currency is string {
  return typeof currency === 'string' && CODE.test(currency)
}

/** Answers whose total is, as a number, the sum of prices in one currency: such a sum is in that currency. */
function summedIn(exchange: Exchange): Currencies[] {
  const { totalPrice, currency: ofTotal } = dataOf(exchange)
  const entries = (entriesOf(exchange) ?? []).filter(isObject)
  const prices = entries.map((entry) => parseMoney(entry['price']) ?? 0n)
  const sum = prices.reduce((all, price) => all + price, 0n)
  const [ofOrders, ...others] = new Set(entries.map((entry) => entry['currency']))
  const isSum = isAccepted(exchange) && sum > 0n && parseMoney(totalPrice) === sum
  return isSum && others.length === 0 && isCode(ofOrders) && isCode(ofTotal)
    ? [{ exchange, ofTotal, ofOrders }]
    : []
}

export const everyCurrency = everySeen<Currencies>({
  id: 'cart.every-currency',
  title: 'a total that is the sum of prices in one currency is in that currency',
  requirement: 'CART-07',
  statement: 'totalPrice of a checkout is in the currency of the prices that it sums up',
  subjects: ({ history }) =>
    history.filter(({ operation }) => operation === 'createCart').flatMap(summedIn),
  nothing: 'no answer to a checkout had a total that is the sum of prices in one currency',
  isOptional: true,
  breach: ({ ofTotal, ofOrders }) =>
    isSameCurrency(ofTotal, ofOrders)
      ? undefined
      : `${show(ofTotal)} for prices in ${show(ofOrders)}`,
})

type Reading = { readonly exchange: Exchange; readonly count: number }

type Found = Reading & { readonly first: Reading }

/** A reading by these as well may find a part of a checkout. */
const NARROWING = ['orderId', 'limit', 'offset'] as const

/** Later readings of a checkout by its reference, and the most orders that one which had been answered before them found. */
function foundAgain(history: readonly Exchange[]): Found[] {
  const checkouts = new Set(
    history
      .filter((exchange) => exchange.operation === 'createCart' && isAccepted(exchange))
      .map((exchange) => `${exchange.account} ${referenceOf(exchange)}`),
  )
  const readings = history.flatMap((exchange) => {
    const query = queryOf(exchange)
    const key = `${exchange.account} ${query.get('referenceId')}`
    const isWhole =
      exchange.operation === 'getOrders' && NARROWING.every((name) => !query.has(name))
    const count = isAccepted(exchange) ? itemsOf(exchange)?.length : undefined
    return isWhole && checkouts.has(key) && count !== undefined
      ? [{ exchange, count, of: `${exchange.role} ${key}` }]
      : []
  })
  return [...Map.groupBy(readings, ({ of }) => of).values()].flatMap((same) =>
    same.flatMap(({ exchange, count }) => {
      const earlier = same.filter((each) => each.exchange.receivedAtMs <= exchange.sentAtMs)
      const [first] = earlier.toSorted((a, b) => b.count - a.count)
      return first && first.count > 0 ? [{ exchange, count, first }] : []
    }),
  )
}

export const everyReading = everySeen<Found>({
  id: 'cart.every-reading',
  title: 'the orders of a checkout that its reference found are found by it ever after',
  requirement: 'GET-05',
  statement: 'the reference of a checkout finds as many orders as before',
  subjects: ({ history }) => foundAgain(history),
  nothing: 'no checkout of the run was read twice by its reference',
  isOptional: true,
  breach: ({ count, first }) =>
    count < first.count ? `${count} instead of ${first.count}` : undefined,
})

/** First answers and replays, by the key that bought and by others. */
export const everyAnswer = invariant({
  id: 'cart.every-answer',
  title: 'every answer to a checkout has its reference, currency, total price and status',
  requirements: CHECKOUT_MEMBERS.map(([, requirement]) => requirement),
  judge: (context) => {
    const answers = context.history.filter(
      (exchange) =>
        exchange.operation === 'createCart' &&
        isAccepted(exchange) &&
        // Under the reference of an order it may be answered by that order.
        entriesOf(exchange) !== undefined,
    )
    if (answers.length === 0) inapplicable('no checkout of the run was answered by a success')
    const rules = CHECKOUT_MEMBERS.map(([member, requirement, what]) => ({
      requirement,
      expected: `data.${member}, ${what}`,
      breach: (exchange: Exchange) =>
        violationAt('checkout-response', dataOf(exchange), `/${member}`),
    }))
    expectEach(context, rules, { answers, what: 'answers to checkouts' })
  },
})
