import { plural } from '../../harness/text.ts'
import {
  amountAbove,
  amountsOffStep,
  amountsBelow,
  dearerAmount,
  fractionalAmount,
  leastPrice,
  permittedAmounts,
  type QuantityRule,
} from '../../harness/judge/quantity.ts'
import { formatMoney, parseMoney } from '../../harness/money.ts'
import type { Scalar } from '../../harness/target-file/target.ts'
import type { CheckContext, Exchange, Needs, RequirementId } from '../engine/kit.ts'
import {
  asText,
  check,
  inapplicable,
  isAccepted,
  show,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { findUnder } from '../steps/idempotency.ts'
import { expectNoOrder } from '../steps/order-refusal.ts'
import { dataOf, isUsd } from '../steps/orders.ts'
import { quantityRule } from '../steps/catalog-listing.ts'

const NEEDS = {
  capabilities: ['catalog', 'quantity-items'],
  roles: ['full'],
  products: ['quantity'],
  orderKinds: ['dtu'],
  selectors: ['listServices.services', 'listServices.items'],
} as const satisfies Needs

async function order(
  { api }: CheckContext,
  amount: Scalar,
  referenceId: string,
): Promise<Exchange> {
  return api.as('full').createOrder({ product: 'quantity', kind: 'dtu', amount, referenceId })
}

/** Positive control: one permitted amount is accepted. */
async function orderPermitted(
  context: CheckContext,
  rule: QuantityRule,
): Promise<{ amount: number; exchange: Exchange }> {
  for (const amount of permittedAmounts(rule)) {
    const exchange = await order(context, amount, context.reference())
    if (isAccepted(exchange)) return { amount, exchange }
  }
  return untested(`no amount of ${permittedAmounts(rule).join(' and ')} units is accepted`)
}

export const unitsAreAccepted = check({
  id: 'orders.quantity-integer',
  title: 'an order for an integer number of units within the limits is accepted',
  requirements: ['QTY-01'],
  needs: { ...NEEDS, purchases: 2 },
  run: async (context) => {
    const rule = await quantityRule(context)
    const exchanges: Exchange[] = []
    const references: string[] = []
    for (const amount of permittedAmounts(rule)) {
      references.push(context.reference())
      exchanges.push(await order(context, amount, references.at(-1) ?? ''))
    }
    if (exchanges.length === 0) untested('the limits of the item permit no amount')
    context.expect('QTY-01').that(`${permittedAmounts(rule).join(' or ')} units are accepted`, {
      holds: exchanges.some(isAccepted),
      expected: 'success',
      observed: exchanges.map(showAnswer).join('; then '),
      exchanges,
    })
    const index = exchanges.findIndex(isAccepted)
    const [bought, referenceId] = [exchanges[index], references[index]]
    if (!bought || referenceId === undefined) return
    const found = await findUnder(context, referenceId)
    context.expect('QTY-01').that('the order for units can be read', {
      holds: found.count === 1,
      expected: 'one order under its referenceId',
      observed: plural(found.count, 'order'),
      exchanges: [bought, found.exchange],
    })
  },
})

/** As a number, and as a text: how lenient a target may be with texts is not shown, but no reading makes this one an integer. */
function fractionsOf(rule: QuantityRule): readonly Scalar[] {
  const amount = fractionalAmount(rule)
  return amount === undefined ? [] : [amount, String(amount)]
}

type AmountsOf = (rule: QuantityRule) => readonly (Scalar | undefined)[]

/** Numbers of units that each rule forbids. */
const FORBIDDEN: readonly (readonly [RequirementId, AmountsOf])[] = [
  ['QTY-02', fractionsOf],
  ['QTY-03', amountsBelow],
  ['QTY-04', (rule) => [amountAbove(rule)]],
  ['QTY-05', amountsOffStep],
]

export const forbiddenUnits = check({
  id: 'orders.quantity-forbidden',
  formerIds: ['fraction', 'minimum', 'maximum', 'step'].map((name) => `orders.quantity-${name}`),
  title:
    'an order for a fraction of a unit, for too few, too many or a number off the step is refused',
  requirements: FORBIDDEN.map(([requirement]) => requirement),
  needs: { ...NEEDS, purchases: 2 + 2 * FORBIDDEN.length },
  run: async (context) => {
    const rule = await quantityRule(context)
    await orderPermitted(context, rule)
    for (const [requirement, amountsOf] of FORBIDDEN) {
      const amounts = amountsOf(rule).filter((amount) => amount !== undefined)
      if (amounts.length === 0)
        context.leaveUndecided(requirement, 'the limits of the item leave no such amount to try')
      for (const amount of amounts) {
        const referenceId = context.reference()
        const refused = await order(context, amount, referenceId)
        const statement = `${show(amount)} units are refused`
        await expectNoOrder(context, requirement, { statement, refused, referenceId })
      }
    }
  },
})

export const priceOfUnits = check({
  id: 'orders.quantity-price',
  title: 'the price of an order grows with its units and is at least their unit prices',
  requirements: ['QTY-06'],
  needs: { ...NEEDS, purchases: 3 },
  run: async (context) => {
    const rule = await quantityRule(context)
    const { unitPrice } = rule
    if (unitPrice === undefined) untested('the item has no unitPrice that can be read')
    const few = await orderPermitted(context, rule)
    const more = dearerAmount(rule, few.amount)
    if (more === undefined) untested('the limits of the item leave no second amount to compare')
    const many = { amount: more, exchange: await order(context, more, context.reference()) }
    const prices = [few, many].map(({ exchange }) => priceInUsd(context, exchange))
    const [first = 0n, second = 0n] = prices
    const least = [few, many].map(({ amount }) => leastPrice(unitPrice, amount))
    context.expect('QTY-06').that(`${few.amount} and ${more} units at ${formatMoney(unitPrice)}`, {
      holds: first < second && prices.every((price, index) => price >= (least[index] ?? 0n)),
      expected: `at least USD ${least.map(formatMoney).join(' and ')}, the second more than the first`,
      observed: `USD ${prices.map(formatMoney).join(' and ')}`,
      exchanges: [few.exchange, many.exchange],
    })
    const markup = first - unitPrice * BigInt(few.amount)
    context.observe('OPEN-68', `USD ${formatMoney(markup)} on ${few.amount} units`, [few.exchange])
  },
})

/** unitPrice is in USD; a price in another currency cannot be compared with it. */
function priceInUsd({ target }: CheckContext, exchange: Exchange): bigint {
  const { price, currency } = dataOf(exchange)
  const micros = parseMoney(price)
  const stated = target.products.quantity?.currency
  if (isAccepted(exchange) && currency === stated && !isUsd(currency))
    inapplicable(
      `such orders are priced in ${asText(currency)} and unitPrice is in USD: how the two compare is not shown`,
    )
  if (!isAccepted(exchange) || micros === undefined || !isUsd(currency))
    return untested(`an order with a price in USD is needed: ${showAnswer(exchange)}`)
  return micros
}
