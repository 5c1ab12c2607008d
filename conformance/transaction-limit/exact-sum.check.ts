import { BUYER_SCOPES } from '../../contract/capabilities.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import { countsOfWrongSum } from '../../harness/judge/float-sum.ts'
import { permittedAmounts } from '../../harness/judge/quantity.ts'
import { formatMoney, parseMoney, type Micros } from '../../harness/money.ts'
import type { Api, CheckContext, Exchange, OrderRequest } from '../engine/kit.ts'
import {
  check,
  inconclusive,
  isAccepted,
  isCapRefusal,
  makerOf,
  needSuccess,
  onlyWithControlSide,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { priceOf } from '../steps/buyer.ts'
import { quantityRule } from '../steps/catalog-listing.ts'

/** Purchases that use the cap up: more say nothing new. */
const COUNT_MAX = 12

/** Caps that are used up. Each shows ways of adding that the other does not. */
const CAPS_MAX = 2

const CENT = parseMoney('0.01') ?? 0n

/** What may have a price that is no whole number, cheapest first. */
const PURCHASABLES = ['quantity', 'voucher'] as const satisfies readonly ProductAbility[]

type Purchasable = {
  readonly order: Omit<OrderRequest, 'referenceId'>
  readonly price: Micros
  /** So many use a cap up, in the order in which they are tried. */
  readonly counts: readonly number[]
}

/** Products whose price, added up some number of times, comes out wrong in floating point; their price is learned by a purchase. */
async function needPurchasables(context: CheckContext): Promise<Purchasable> {
  for (const product of PURCHASABLES) {
    const order = await orderOf(context, product)
    if (order === undefined) continue
    const bought = needSuccess(await buy(context, context.api, order))
    const price = priceOf(context, bought)
    // A cap may be kept in cents.
    const counts = price % CENT === 0n ? countsOfWrongSum(price, COUNT_MAX) : []
    if (counts.length > 0) return { order, price, counts: counts.slice(0, CAPS_MAX) }
  }
  return untested('no product has a price that floating point would add up to another sum')
}

async function orderOf(
  context: CheckContext,
  product: (typeof PURCHASABLES)[number],
): Promise<Purchasable['order'] | undefined> {
  const { capabilities, products, operations } = context.target
  if (products[product]?.currency !== products.voucher?.currency) return undefined
  if (product === 'voucher') return { product }
  const isSold = products[product] && operations.createOrder.bodies.dtu
  if (!isSold || !capabilities.includes('quantity-items')) return undefined
  const [amount] = permittedAmounts(await quantityRule(context))
  return amount === undefined ? undefined : { product, kind: 'dtu', amount }
}

function buy(
  { reference }: CheckContext,
  api: Api,
  order: Purchasable['order'],
): Promise<Exchange> {
  return api.as('full').createOrder({ ...order, referenceId: reference() })
}

export const exactSum = check({
  id: 'transaction-limit.exact-sum',
  title: 'what purchases use up of a cap is added up to the cent, for each key by itself',
  requirements: ['CAP-02', 'CAP-12', 'CAP-15'],
  needs: {
    capabilities: ['shop', 'catalog', 'transaction-limit'],
    roles: ['full'],
    products: ['voucher'],
    orderKinds: ['shop'],
    selectors: ['listServices.services', 'listServices.items'],
    purchases: PURCHASABLES.length + CAPS_MAX * (COUNT_MAX + 1) + 2,
    ofKeysOfFile: onlyWithControlSide('keys with a cap of their own'),
  },
  run: async (context) => {
    const { order, price, counts } = await needPurchasables(context)
    const keys = counts.map((count) => ({
      scopes: BUYER_SCOPES,
      transactionLimit: formatMoney(price * BigInt(count)),
    }))
    const [other, ...apis] = await makerOf(context)({ keys: [...keys.slice(0, 1), ...keys] })
    if (!other || apis.length < counts.length)
      throw new Error('an account has a caller for each of its keys')
    for (const [index, count] of counts.entries()) {
      const api = apis[index] as Api
      const beyond = await judgeSum(context, api, { order, price, count })
      if (index > 0) continue
      const elsewhere = await buy(context, other, order)
      context.expect('CAP-15').that('another key of the account with a cap of its own buys on', {
        holds: isAccepted(elsewhere),
        expected: `accepted: nothing of its own ${formatMoney(price * BigInt(count))} is used`,
        exchanges: [beyond, elsewhere],
      })
      expectUsedUp(context, 'after another key bought', [elsewhere, await buy(context, api, order)])
    }
  },
})

type Sum = Pick<Purchasable, 'order' | 'price'> & { readonly count: number }

/** So many purchases fit a cap of just that much, and no further one does. Returns the last. */
async function judgeSum(
  context: CheckContext,
  api: Api,
  { order, price, count }: Sum,
): Promise<Exchange> {
  const limit = price * BigInt(count)
  const bought: Exchange[] = []
  while (bought.length < count && bought.every(isAccepted))
    bought.push(await buy(context, api, order))
  const last = bought.at(-1)
  if (last && !isAccepted(last) && !isCapRefusal(last)) needSuccess(last)
  const isAsBefore = bought.filter(isAccepted).every((each) => priceOf(context, each) === price)
  const now =
    last && isCapRefusal(last) ? needSuccess(await buy(context, context.api, order)) : last
  if (!isAsBefore || (now && isAccepted(now) && priceOf(context, now) !== price))
    inconclusive(`the price of ${formatMoney(price)} moved meanwhile`)
  const what = `${count} purchases of ${formatMoney(price)}`
  const fits = context.expect('CAP-02').that(`${what} under a cap of ${formatMoney(limit)}`, {
    holds: bought.length === count && bought.every(isAccepted),
    expected: `all are accepted: they make ${formatMoney(limit)} to the cent`,
    observed: `${bought.filter(isAccepted).length} accepted${last ? `, last: ${showAnswer(last)}` : ''}`,
    exchanges: bought,
  })
  if (!fits) untested('it is not clear how much of the cap the accepted purchases used up')
  const beyond = await buy(context, api, order)
  expectUsedUp(context, `after ${what}`, [...bought, beyond])
  return beyond
}

/** The last of these is one purchase too many. */
function expectUsedUp(
  { expect }: CheckContext,
  when: string,
  exchanges: readonly Exchange[],
): void {
  const beyond = exchanges.at(-1)
  expect('CAP-12').that(`one more purchase ${when}`, {
    holds: beyond !== undefined && isCapRefusal(beyond),
    expected: 'refused: nothing is left of the cap',
    exchanges,
  })
}
