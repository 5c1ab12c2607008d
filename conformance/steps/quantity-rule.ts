import { quantityRuleOf, type QuantityRule } from '../../harness/judge/quantity.ts'
import { itemOf } from './catalog-listing.ts'
import { type CheckContext, untested } from '../engine/kit.ts'

/** How the product "quantity" is sold, as the catalog says. */
export async function quantityRule(context: CheckContext): Promise<QuantityRule> {
  const { item } = await itemOf(context, 'quantity')
  if (item['amountIsQuantity'] !== true)
    untested('the item of product "quantity" does not say that its amount is a quantity')
  return quantityRuleOf(item)
}
