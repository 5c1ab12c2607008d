import type { Lacks } from '../shared/lacks.ts'
import type { PlannedPurchase, PlannedStep } from '../../../load/protocol/bursts.ts'
import type { Target } from '../../target-file/target.ts'
import { templateVariables } from '../../target-file/template.ts'
import { GIFT, quotesOf } from './gift-quotes.ts'
import { purchasableOf, type Purchasable } from './burst-plan.ts'

/** Gifts, which need a quote each, or why the target cannot have them. */
export function giftPurchasableOf(target: Target): Purchasable | Lacks {
  const purchasable = purchasableOf(target, GIFT, { kind: GIFT })
  if ('lacks' in purchasable) return purchasable
  if (quotesOf(target).quotes === undefined)
    return { lacks: 'operations.createGiftQuote has no path, or a selector that k6 cannot follow' }
  const { createGiftQuote, createOrder } = target.operations
  const given = Object.keys(target.products[GIFT]?.variables ?? {})
  const named = [
    ...templateVariables(createGiftQuote.body),
    ...templateVariables(createOrder.bodies[GIFT]).filter((name) => !OF_ORDERS.has(name)),
  ]
  const lacking = named.find((name) => !given.includes(name))
  return lacking === undefined
    ? purchasable
    : { lacks: `a body names ${lacking}, which products.platform-gift.variables does not give` }
}

/** What every order fills in. */
const OF_ORDERS: ReadonlySet<string> = new Set(['referenceId', 'quantity', 'quoteToken'])

/** Quotes for those purchases that need one, a reference each; no step where there are none. */
export function quoteSteps(
  purchasables: readonly Purchasable[],
  firstProduct: number,
  purchases: readonly PlannedPurchase[],
): PlannedStep[] {
  const gifts = purchases.filter(
    ({ product }) => purchasables[product - firstProduct]?.kind === GIFT,
  )
  const first = new Map(gifts.map(({ key, reference }) => [reference, key]))
  const quotes = [...first].map(([reference, key]) => ({ key, reference }))
  return quotes.length === 0 ? [] : [{ do: 'quote', quotes }]
}
