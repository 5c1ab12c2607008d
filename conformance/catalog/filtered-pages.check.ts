import { SERVICE_TYPES } from '../../contract/wire.ts'
import { haveSameProducts, identitiesOf, identityOf } from '../../harness/judge/catalog.ts'
import type { CheckContext } from '../engine/kit.ts'
import { check, inapplicable, isAccepted, show, untested } from '../engine/kit.ts'
import {
  isPaged,
  itemNamesIn,
  list,
  LISTS_CATALOG,
  namesByProduct,
  namesIn,
  needTotal,
  walk,
  whileUnchanged,
  type Listing,
  type Query,
} from '../steps/catalog-listing.ts'

/** More products than these take too many pages for what they show. */
const PRODUCTS_MAX = 100

/** So many pages, the last of them not full where that can be had. */
const PAGES = 3

/** Products of the page whose last one begins the page with an offset alone. */
const START = 3

/** The letter that most names have, but not all. Whether so short a text may be refused is not shown. */
function frequentLetter(names: readonly string[]): string | undefined {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => {
    const count = names.filter((name) => name.toLowerCase().includes(letter)).length
    return { letter, count }
  })
  return letters
    .filter(({ count }) => count > 1 && count < names.length)
    .toSorted((one, other) => other.count - one.count)[0]?.letter
}

/** Search may look at the names of items in place of that of the service (OPEN-59): where they have none, it does not. */
function mayFind(product: unknown, letter: string): boolean {
  const names = itemNamesIn(product)
  return names.length === 0 || names.some((name) => name.toLowerCase().includes(letter))
}

export const searchIsComplete = check({
  id: 'catalog.search-is-complete',
  title: 'search finds each product whose name has the text',
  requirements: ['CAT-06'],
  needs: { ...LISTS_CATALOG, selectors: [...LISTS_CATALOG.selectors, 'listServices.names'] },
  run: async (context) => {
    const { whole, names, letter, found, paged } = await whileUnchanged(context, {}, async () => {
      const whole = await list(context)
      const names = namesByProduct(context, whole)
      const letter = frequentLetter(names)
      const exchange = await context.api.as('full').listServices({ search: letter ?? '' })
      const isFound = letter !== undefined && isAccepted(exchange)
      const found = isFound ? await list(context, { search: letter }) : undefined
      const paged = found && (await isPaged(context, { search: letter }, found))
      return { whole, names, letter, found, paged }
    })
    if (names.length !== whole.products.length)
      untested(`${names.length} names are found for ${whole.products.length} products`)
    if (letter === undefined || !found)
      return inapplicable('no letter is searched for that several names have, and not all')
    if (paged) return inapplicable('a search gives a page of a size that is not shown')
    const known = new Set(identitiesOf(found.products))
    const named = whole.products.flatMap((product, index) => {
      const name = names[index] ?? ''
      const isFound = known.has(identityOf(product))
      return name.toLowerCase().includes(letter)
        ? [{ name, isFound, hasItem: mayFind(product, letter) }]
        : []
    })
    // A product that is found although no item has the letter shows that search looks at the names of services.
    const looksAtServices = named.some(({ isFound, hasItem }) => isFound && !hasItem)
    const missing = named
      .filter(({ isFound, hasItem }) => !isFound && (hasItem || looksAtServices))
      .map(({ name }) => name)
    context.expect('CAT-06').that(`search=${letter} keeps each product whose name has it`, {
      holds: missing.length === 0,
      expected: `each listed product whose name${looksAtServices ? '' : ', and that of an item,'} has ${show(letter)}`,
      observed: `${found.products.length} products, without ${show(missing)}`,
      exchanges: [whole.exchange, found.exchange],
    })
  },
})

/** One filter, or two at once, and what pages of it show. */
type Read = {
  readonly filter: Query
  /** What passes it, asked for without a page. */
  readonly all: Listing
  readonly limited: Listing
  readonly start: Listing
  readonly offset: Listing
  readonly pages: readonly Listing[]
}

async function readPages(context: CheckContext, filter: Query): Promise<Read | undefined> {
  const all = await list(context, filter)
  const { length } = all.products
  if (length < 2 || length > PRODUCTS_MAX) return undefined
  const limited = await list(context, { ...filter, limit: 1 })
  // A page with an offset alone has a size that is not shown: its first product is looked at.
  const start = await list(context, { ...filter, limit: START, offset: 0 })
  const offset = await list(context, { ...filter, offset: Math.min(START, length) - 1 })
  if (needTotal(limited) > length && (await isPaged(context, filter, all))) return undefined
  const size = Math.min(25, Math.ceil(length / PAGES))
  const { pages } = await walk(context, filter, size)
  return { filter, all, limited, start, offset, pages }
}

function judge({ expect }: CheckContext, { filter, all, limited, start, offset, pages }: Read) {
  const { length } = all.products
  const [what, exchanges] = [show(filter), [all.exchange]]
  expect('CAT-09').that(`limit=1 beside ${what}, and no offset`, {
    holds: limited.products.length === 1,
    expected: `1 product; ${length} pass the filter`,
    observed: `${limited.products.length} products`,
    exchanges: [...exchanges, limited.exchange],
  })
  const [last, first] = [start.products.at(-1), offset.products[0]].map(identityOf)
  expect('CAT-10').that(`offset beside ${what}, and no limit`, {
    holds: start.products.length !== Math.min(START, length) || last === first,
    expected: `a page that starts with product ${start.products.length} of the first page`,
    observed: offset.products.length === 0 ? 'no product' : show(offset.products[0]),
    exchanges: [start.exchange, offset.exchange],
  })
  const totals = [limited, offset, ...pages].map(({ total }) => total)
  expect('CAT-13').that(`total with ${what}, on every page`, {
    holds: totals.every((total) => total === length),
    expected: `${length}: so many products pass the filter`,
    observed: show(totals),
    exchanges: [...exchanges, limited.exchange, offset.exchange],
  })
  const seen = pages.flatMap(({ products }) => products)
  expect('CAT-14').that(`${pages.length} pages with ${what} show what passes the filter`, {
    holds: haveSameProducts(seen, all.products),
    expected: `the ${length} products that are found without pages, each once`,
    observed: `${seen.length} products, ${new Set(identitiesOf(seen)).size} different`,
    exchanges: [...exchanges, ...pages.map(({ exchange }) => exchange)],
  })
}

/** A search that some products of a listing pass, and not all; none where so short a text is refused. */
async function searchesIn(context: CheckContext, filter: Query): Promise<readonly Query[]> {
  const search = frequentLetter(namesIn(context, await list(context, filter)))
  const query = { ...filter, search }
  const isTaken =
    search !== undefined && isAccepted(await context.api.as('full').listServices(query))
  return isTaken ? [query] : []
}

export const filteredPages = check({
  id: 'catalog.filtered-pages',
  title: 'pages of a filtered listing show what passes its filters, and total counts it',
  requirements: ['CAT-09', 'CAT-10', 'CAT-13', 'CAT-14'],
  needs: LISTS_CATALOG,
  run: async (context) => {
    const types = SERVICE_TYPES.map((type) => ({ type }))
    const filters: readonly Query[] = [
      ...types,
      ...(await searchesIn(context, {})),
      ...(await searchesIn(context, { type: 'voucher' })),
    ]
    let judged = 0
    for (const filter of filters) {
      const read = await whileUnchanged(context, filter, () => readPages(context, filter))
      if (!read) continue
      judge(context, read)
      judged++
    }
    if (judged === 0) inapplicable('no filter leaves two products, and few enough for some pages')
  },
})
