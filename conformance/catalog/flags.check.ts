import type { Capability, ProductAbility } from '../../contract/capabilities.ts'
import type { CheckContext, Exchange, RequirementId } from '../engine/kit.ts'
import { check, isAccepted, show, untested } from '../engine/kit.ts'
import { itemOf, LISTS_CATALOG } from '../steps/catalog-listing.ts'
import { itemsIn, lookupsOf, type Element } from '../steps/lookup.ts'

type Flagged = {
  readonly flag: 'amountIsQuantity' | 'isLongOrder'
  readonly capability: Capability
  readonly ability: ProductAbility
}

/** The same item as each operation about one product shows it; none where the target file does not tell how it is asked for. */
async function lookedUp(
  context: CheckContext,
  ability: ProductAbility,
  id: unknown,
): Promise<readonly { readonly exchange: Exchange; readonly item: Element }[]> {
  const found: { readonly exchange: Exchange; readonly item: Element }[] = []
  for (const { operation, pair } of lookupsOf(context, ability)) {
    const exchange = await context.api.as('full').aboutProduct(operation, ability, pair)
    if (isAccepted(exchange))
      found.push(...itemsIn(operation, exchange).map((item) => ({ exchange, item })))
  }
  return found.filter(({ item }) => item['id'] === id)
}

/** An item that the target file names for an ability says so itself, wherever it is shown. */
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
      for (const same of await lookedUp(context, ability, item['id']))
        context
          .expect(requirement)
          .equal(`${statement}, looked up`, same.item[flag], true, [same.exchange])
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
