import { isAmong } from '../../harness/judge/catalog.ts'
import { selectEach } from '../../harness/target-file/select.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, show, untested } from '../engine/kit.ts'
import { isUsd } from '../steps/orders.ts'
import {
  firstPage,
  list,
  LISTS_CATALOG,
  locateAbility,
  valuesOf,
} from '../steps/catalog-listing.ts'

export const esimsArePricedInUsd = check({
  id: 'catalog.esim-currency',
  title: 'eSIM products are priced in USD, and may have an image',
  requirements: ['CAT-15', 'CAT-16'],
  needs: {
    ...LISTS_CATALOG,
    capabilities: ['catalog', 'esim'],
    products: ['esim'],
    selectors: [...LISTS_CATALOG.selectors, 'listServices.items'],
  },
  run: async (context) => {
    const { expect, target } = context
    const { exchange, products } = await list(context, { type: 'esim' })
    if (products.length === 0) untested('type=esim finds no product')
    const voucher = locateAbility(context, await list(context), 'voucher')
    if (voucher && isAmong(products, valuesOf(context, 'voucher'), voucher))
      untested('type=esim also lists a voucher, so the eSIMs cannot be told apart')
    const page = await firstPage(context, { type: 'esim' })
    const searched = await searchFor(context, exchange)
    const items = [exchange, page.exchange, ...searched].flatMap(({ json }) =>
      selectEach(target.operations.listServices.selectors['items'] ?? '', json),
    )
    const currencies = items
      .map((item) => (item as { currency?: unknown } | null)?.currency)
      .filter((currency) => typeof currency === 'string')
    if (currencies.length === 0) untested('no item that type=esim lists has a currency')
    expect('CAT-15').that('each item that type=esim lists is priced in USD, on a page too', {
      holds: currencies.every(isUsd),
      expected: 'the currency USD',
      observed: `${items.length} items, in ${show([...new Set(currencies)])}`,
      exchanges: [exchange, page.exchange],
    })
    const withImage = products.filter(hasImage)
    expect('CAT-16').that('an eSIM product may have imageUrl', {
      holds: withImage.length > 0,
      expected: 'nothing: it is permitted, not asked for',
      observed: `${withImage.length} of ${products.length} products have one`,
      exchanges: [exchange],
    })
  },
})

/** A search among eSIMs by the name of one of them, where the target file tells how to read names. */
async function searchFor(context: CheckContext, listed: Exchange): Promise<readonly Exchange[]> {
  const selector = context.target.operations.listServices.selectors['names']
  const names = selector === undefined ? [] : selectEach(selector, listed.json)
  const name = names.find((each) => typeof each === 'string' && each !== '')
  if (typeof name !== 'string') return []
  return [(await list(context, { type: 'esim', search: name })).exchange]
}

/** The product itself or one of its items: where it stands is not shown. */
function hasImage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return 'imageUrl' in value || Object.values(value).some(hasImage)
}
