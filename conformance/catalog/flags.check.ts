import type { Capability, ProductAbility } from '../../contract/capabilities.ts'
import { type RequirementId, check, show, untested } from '../engine/kit.ts'
import { itemOf, LISTS_CATALOG } from '../steps/catalog-listing.ts'

type Flagged = {
  readonly flag: 'amountIsQuantity' | 'isLongOrder'
  readonly capability: Capability
  readonly ability: ProductAbility
}

/** An item that the target file names for an ability says so itself. */
function flagged(
  requirement: RequirementId,
  { flag, capability, ability }: Flagged,
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

export const quantityFlag = flagged('PROD-07', {
  flag: 'amountIsQuantity',
  capability: 'quantity-items',
  ability: 'quantity',
})
export const longOrderFlag = flagged('PROD-17', {
  flag: 'isLongOrder',
  capability: 'long-orders',
  ability: 'voucher-long',
})
