import { formatMoney, parseMoney } from '../../harness/money.ts'
import { type Exchange, isAccepted, isObject } from '../engine/kit.ts'
import { everySeen } from '../steps/orders-seen.ts'
import { dataOf } from '../steps/orders.ts'
import { entriesOf, idsOf } from '../steps/cart.ts'

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
