import { identitiesOf, mentions, pageSizeFor, sharedWith } from '../../harness/judge/catalog.ts'
import { check, show, untested } from '../engine/kit.ts'
import {
  firstPage,
  list,
  LISTS_CATALOG,
  locateAbility,
  needTotal,
  whileUnchanged,
  type Listing,
} from '../steps/catalog-listing.ts'

export const sellsWhatItLists = check({
  id: 'catalog.lists-what-is-sold',
  title: 'the listing has the voucher that the target sells',
  requirements: ['CAT-01'],
  needs: { ...LISTS_CATALOG, products: ['voucher'] },
  run: async (context) => {
    const { expect, target } = context
    const listing = await list(context)
    const search = target.products.voucher?.search
    const isListed =
      locateAbility(context, listing, 'voucher') !== undefined ||
      (search !== undefined && listing.products.some((product) => mentions(product, search)))
    if (!isListed && listing.products.length > 0 && search === undefined)
      untested(
        'none of the variables of product "voucher" stands in the listing, and it has no "search" text to look for',
      )
    expect('CAT-01').that('the voucher that the target sells is listed', {
      holds: isListed,
      expected: `a product with an identifier of product "voucher"${search === undefined ? '' : `, or with ${show(search)} in a name`}`,
      observed: `${listing.products.length} products, ${isListed ? 'it among them' : 'and none is it'}`,
      exchanges: [listing.exchange],
    })
  },
})

/** Most pages that are read to compare them with the whole. */
const PAGES_MAX = 60

export const wholeWithoutParameters = check({
  id: 'catalog.whole-without-parameters',
  title: 'without any parameter the listing has every product that its pages show',
  requirements: ['CAT-02'],
  needs: LISTS_CATALOG,
  run: async (context) => {
    const { whole, pages } = await whileUnchanged(context, {}, async () => {
      const first = await list(context, { limit: 1, offset: 0 })
      const total = needTotal(first)
      const { limit, ...page } = await firstPage(context, {}, pageSizeFor(total))
      const pages: Listing[] = [page]
      for (const offset of offsetsOf(total, limit).slice(1))
        pages.push(await list(context, { limit, offset }))
      return { whole: await list(context), pages }
    })
    const paged = pages.flatMap(({ products }) => products)
    if (paged.length === 0) untested('the pages show no product')
    const found = sharedWith(paged, whole.products)
    const missing = identitiesOf(paged.filter((product) => !found.includes(product)))
    context.expect('CAT-02').that('every product of the pages is in the whole listing', {
      holds: missing.length === 0,
      expected: `each of the ${paged.length} products that ${pages.length} pages show`,
      observed:
        missing.length === 0
          ? `all of them among ${whole.products.length} products`
          : `${whole.products.length} products, without ${show(missing)}`,
      exchanges: [whole.exchange, ...pages.map(({ exchange }) => exchange).toReversed()],
    })
  },
})

/** Every page, or the first ones and the last of a catalog that is too large for that. */
function offsetsOf(total: number, limit: number): readonly number[] {
  const pages = Math.max(1, Math.ceil(total / limit))
  const offsets = Array.from({ length: pages }, (_, page) => page * limit)
  return [...offsets.slice(0, PAGES_MAX - 1), ...offsets.slice(PAGES_MAX - 1).slice(-1)]
}
