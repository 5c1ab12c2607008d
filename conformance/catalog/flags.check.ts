import type { Capability, ProductAbility } from '../../contract/capabilities.ts'
import { type RequirementId, check, show, untested } from '../engine/kit.ts'
import { itemOf, LISTS_CATALOG } from '../steps/catalog-listing.ts'

/** An item that the target file names for an ability says so itself. */
function flagged(
  capability: Capability,
  ability: ProductAbility,
  flag: 'amountIsQuantity' | 'isLongOrder',
  requirement: RequirementId,
): ReturnType<typeof check> {
  return check({
    id: `catalog.flag-${flag.toLowerCase()}`,
    title: `${flag} is true on the item that the target sells as "${ability}"`,
    requirements: [requirement],
    needs: {
      ...LISTS_CATALOG,
      capabilities: ['catalog', capability],
      products: [ability],
      selectors: [...LISTS_CATALOG.selectors, 'listServices.items'],
    },
    run: async (context) => {
      const { item, exchange } = await itemOf(context, ability)
      if (typeof (item[flag] ?? false) !== 'boolean')
        untested(`${flag} of the item is neither true nor false: ${show(item[flag])}`)
      const statement = `${flag} of the item of product "${ability}"`
      context.expect(requirement).equal(statement, item[flag], true, [exchange])
    },
  })
}

export const quantityFlag = flagged('quantity-items', 'quantity', 'amountIsQuantity', 'PROD-07')
export const longOrderFlag = flagged('long-orders', 'voucher-long', 'isLongOrder', 'PROD-17')
