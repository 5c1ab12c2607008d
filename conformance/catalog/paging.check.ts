import { identitiesOf, identityOf, pageSizeFor, repeatedIn } from '../../harness/judge/catalog.ts'
import type { CheckContext } from '../engine/kit.ts'
import {
  asText,
  check,
  inapplicable,
  isAccepted,
  needSuccess,
  needWhole,
  show,
  untested,
} from '../engine/kit.ts'
import {
  list,
  LISTS_CATALOG,
  listingOf,
  namesIn,
  needTotal,
  type Listing,
  firstPage,
  PAGE_SIZE_MIN,
  type Query,
  walk,
  whileUnchanged,
} from '../steps/catalog-listing.ts'

/** One product shows nothing of pages. A wrong selector finds few as well, so the total has to agree. */
function tooShort(listing: Listing | undefined, reason: string): never {
  if (listing?.total === 1 && listing.products.length === 1) inapplicable(reason)
  return untested(reason)
}

export const pageSize = check({
  id: 'catalog.page-size',
  title: 'limit is the size of a page',
  requirements: ['CAT-09'],
  needs: LISTS_CATALOG,
  run: async (context) => {
    const filters = [{}, { type: 'voucher' }, { search: FREQUENT_LETTER }]
    let judged = 0
    for (const filter of filters) judged += (await expectSizes(context, filter)) ? 1 : 0
    if (judged > 0) return
    const first = await list(context, { limit: 1, offset: 0 })
    tooShort(first, 'a catalog of fewer than two products shows no page size')
  },
})

/** A part of many names. Whether so short a text may be refused is not shown. */
const FREQUENT_LETTER = 'e'

/** False where fewer than two products are left. */
async function expectSizes(context: CheckContext, filter: Query): Promise<boolean> {
  const full = context.api.as('full')
  const found = await full.listServices(filter)
  if ('search' in filter && !isAccepted(found)) return false
  const { left, pages } = await whileUnchanged(context, filter, async () => {
    const left = (await list(context, filter)).products.length
    const pages: { limit: number; page: Listing }[] = []
    if (left < 2) return { left, pages }
    for (const limit of limitsFor(left)) {
      const exchange = await full.listServices({ ...filter, limit, offset: 0 })
      if (limit > PAGE_SIZE_MIN && !isAccepted(exchange)) continue
      pages.push({ limit, page: listingOf(context, needSuccess(needWhole(exchange))) })
    }
    return { left, pages }
  })
  if (left < 2) return false
  const beside = Object.keys(filter).length === 0 ? '' : ` beside ${show(filter)}`
  for (const { limit, page } of pages)
    context.expect('CAT-09').that(`limit=${limit}${beside} gives a page of ${limit} products`, {
      holds: page.products.length === limit,
      expected: `${limit} products; ${left} pass the filter`,
      observed: `${page.products.length} products`,
      exchanges: [page.exchange],
    })
  return true
}

/** Sizes that the catalog can fill: a client steps by limit, so that a page that is cut short makes it skip products. */
function limitsFor(left: number): readonly number[] {
  const usual = [1, 2, pageSizeFor(left), Math.floor(left / 2)].filter(
    (limit) => limit >= 1 && limit <= Math.min(left, LIMIT_MAX),
  )
  return [...new Set([...usual, ...(left <= WHOLE_MAX ? [left] : [])])]
}

/** A larger page may be refused (how large one may be is not shown), but not cut short in silence. */
const LIMIT_MAX = 25
/** The largest catalog that is asked for as one page. */
const WHOLE_MAX = 100

export const pageStart = check({
  id: 'catalog.page-start',
  title: 'offset is where a page starts',
  requirements: ['CAT-10'],
  needs: LISTS_CATALOG,
  run: async (context) => {
    const { base, pages } = await whileUnchanged(context, {}, async () => {
      const base = await firstPage(context, {}, 8)
      const pages: { offset: number; page: Listing }[] = []
      for (const offset of [0, 1, 2, 3, 5, 7].filter((each) => each < base.products.length))
        pages.push({ offset, page: await list(context, { limit: 1, offset }) })
      // The start of the window holds without a size too.
      if (base.products.length > 1)
        pages.push({ offset: 1, page: await list(context, { offset: 1 }) })
      return { base, pages }
    })
    if (pages.length < 2) tooShort(base, 'the catalog has fewer than two products to start at')
    for (const { offset, page } of pages)
      context
        .expect('CAT-10')
        .equal(
          `the page at offset ${offset} starts with product ${offset + 1} of the listing`,
          page.products.slice(0, 1).map(identityOf),
          [identityOf(base.products[offset])],
          [page.exchange, base.exchange],
        )
  },
})

export const pagesHaveTotal = check({
  id: 'catalog.pages-have-total',
  title: 'limit alone and offset alone bring total',
  requirements: ['CAT-11', 'CAT-12'],
  needs: LISTS_CATALOG,
  run: async (context) => {
    const withLimit = await list(context, { limit: 1 })
    const withOffset = await list(context, { offset: 0 })
    expectTotal(context, 'CAT-11', 'limit alone', withLimit)
    const withFilter = await list(context, { limit: 1, type: 'voucher' })
    expectTotal(context, 'CAT-11', 'limit and type', withFilter)
    const nothing = { limit: 1, search: `nothing ${context.reference()}` }
    const exchange = await context.api.as('full').listServices(nothing)
    // Whether finding nothing is an empty list or an error is not shown.
    if (exchange.response?.status === 200)
      expectTotal(context, 'CAT-11', 'limit and no match', listingOf(context, exchange))
    expectTotal(context, 'CAT-12', 'offset alone', withOffset)
    await observeOddValues(context)
  },
})

function expectTotal(
  { expect }: CheckContext,
  requirement: 'CAT-11' | 'CAT-12',
  parameter: string,
  { total, exchange }: Listing,
): void {
  expect(requirement).that(`a listing with ${parameter} has total`, {
    holds: total !== undefined,
    expected: 'total, a number of products',
    observed: total === undefined ? 'no such number' : `total ${total}`,
    exchanges: [exchange],
  })
}

async function observeOddValues({ api, observe }: CheckContext): Promise<void> {
  const odd: readonly Query[] = [{ type: 'no-such-type' }, { limit: -1 }, { offset: -1 }]
  for (const query of odd) {
    const exchange = await api.as('full').listServices(query)
    const [[name, value]] = Object.entries(query) as [[string, unknown]]
    observe('OPEN-70', `${name}=${String(value)}: HTTP ${exchange.response?.status ?? 'none'}`, [
      exchange,
    ])
  }
}

export const totalCountsMatches = check({
  id: 'catalog.total-counts-matches',
  title: 'total is the number of products that pass the filters',
  requirements: ['CAT-13'],
  needs: LISTS_CATALOG,
  run: async (context) => {
    const search = context.target.products.voucher?.search
    const filters: readonly Query[] = [
      {},
      { type: 'voucher' },
      ...(search === undefined ? [] : [{ search }]),
      ...(await lastName(context)),
    ]
    for (const filter of filters) await totalIsTheEnd(context, filter)
    await nothingIsCounted(context)
  },
})

/** The name that the catalog lists last: who filters a page that was cut before does not find it on the first. */
async function lastName(context: CheckContext): Promise<readonly Query[]> {
  const last = asText(namesIn(context, await list(context)).at(-1))
  const search = last.slice(0, NAME_LENGTH_MAX).trim()
  return search === '' ? [] : [{ search }]
}

/** A longer text might be refused. */
const NAME_LENGTH_MAX = 20

/** Pages of what no product matches are empty, and so is their total. */
async function nothingIsCounted(context: CheckContext): Promise<void> {
  const search = `nothing ${context.reference()}`
  const exchange = await context.api.as('full').listServices({ search, limit: 1 })
  // Whether finding nothing is an empty list or an error is not shown.
  if (exchange.response?.status !== 200) return
  const { products, total } = listingOf(context, exchange)
  context.expect('CAT-13').that(`total of a page with search=${search}`, {
    holds: products.length === 0 && (total ?? 0) === 0,
    expected: 'no product, total 0: filters hold for pages too',
    observed: `${products.length} products, total ${total ?? 'none'}`,
    exchanges: [exchange],
  })
}

/** The last product stands at offset total - 1, and nothing at offset total. */
async function totalIsTheEnd(context: CheckContext, filter: Query): Promise<void> {
  const { expect } = context
  const { first, pair, last, beyond } = await whileUnchanged(context, filter, async () => {
    const first = await list(context, { ...filter, limit: 1, offset: 0 })
    const total = needTotal(first)
    const pair = await list(context, { ...filter, limit: 2, offset: 0 })
    const last = await list(context, { ...filter, limit: 1, offset: Math.max(0, total - 1) })
    // How an offset beyond the end is answered is not shown: without products, whatever the status.
    const exchange = await context.api
      .as('full')
      .listServices({ ...filter, limit: 1, offset: total })
    return { first, pair, last, beyond: listingOf(context, exchange) }
  })
  const total = needTotal(first)
  await needOffset(context, filter, first)
  expect('CAT-13').that(`total with ${show(filter)}`, {
    holds:
      pair.total === total &&
      (last.total === total || total < 2) &&
      beyond.products.length === 0 &&
      (beyond.exchange.response?.status !== 200 || (beyond.total ?? total) === total) &&
      last.products.length > 0 === total > 0,
    expected: `the same total for every page; a product at offset total - 1, none at offset total`,
    observed: `total ${total}, ${pair.total ?? 'none'}, ${last.total ?? 'none'} and ${beyond.total ?? 'none'}; ${last.products.length} products at offset ${Math.max(0, total - 1)}, ${beyond.products.length} at offset ${total}`,
    exchanges: [first.exchange, pair.exchange, last.exchange, beyond.exchange],
  })
}

/** Without a working offset the end cannot be looked at. */
async function needOffset(context: CheckContext, filter: Query, first: Listing): Promise<void> {
  if (needTotal(first) < 2) return
  const second = await list(context, { ...filter, limit: 1, offset: 1 })
  const [atStart, atOne] = [first, second].map(({ products }) => products.map(identityOf)[0])
  if (atStart !== undefined && atStart === atOne)
    untested('the pages at offset 0 and 1 start with the same product')
}

/** Most pages that one way through may take. */
const PAGES_MAX = 60

export const pagingIsComplete = check({
  id: 'catalog.paging-is-complete',
  title: 'paging until total shows each product once and leaves none out',
  requirements: ['CAT-14'],
  needs: LISTS_CATALOG,
  run: async (context) => {
    const { filter, limit: wanted } = await walkable(context)
    const { limit, pages, beyond } = await whileUnchanged(context, filter, async () => {
      const { limit, pages } = await walk(context, filter, wanted)
      const end = { ...filter, limit, offset: needTotal(pages[0] as Listing) }
      const exchange = await context.api.as('full').listServices(end)
      return { limit, pages, beyond: listingOf(context, exchange) }
    })
    const total = needTotal(pages[0] as Listing)
    if (beyond.products.length > 0)
      untested(`products stand beyond total ${total}, so total does not end the way`)
    if ((pages[0]?.products.length ?? 0) > limit) untested('a page has more products than limit')
    const seen = pages.flatMap(({ products }) => products)
    const repeated = repeatedIn(seen)
    context.expect('CAT-14').that(`${pages.length} pages of ${limit} show each product once`, {
      holds: seen.length === total && repeated.length === 0,
      expected: `${total} different products, as total says`,
      observed: `${seen.length} products, ${new Set(identitiesOf(seen)).size} different${repeated.length > 0 ? `; again: ${show(repeated)}` : ''}`,
      exchanges: pages.map(({ exchange }) => exchange),
    })
  },
})

/** The whole catalog, or a part of it that a bounded number of pages shows. */
async function walkable(context: CheckContext): Promise<{ filter: Query; limit: number }> {
  const search = context.target.products.voucher?.search
  for (const filter of [{}, { type: 'voucher' }, ...(search === undefined ? [] : [{ search }])]) {
    const first = await list(context, { ...filter, limit: 1, offset: 0 })
    const isWhole = Object.keys(filter).length === 0
    if (isWhole && needTotal(first) === 1) tooShort(first, 'a catalog of one product has one page')
    const limit = limitOfWalk(first)
    if (limit !== undefined) return { filter, limit }
  }
  for (const word of await wordsOfNames(context)) {
    const filter = { search: word }
    const limit = limitOfWalk(await list(context, { ...filter, limit: 1, offset: 0 }))
    if (limit !== undefined) return { filter, limit }
  }
  return untested(`no listing of 2 products or more takes ${PAGES_MAX} pages or fewer`)
}

/** Undefined where there are no pages to walk through, or too many. */
function limitOfWalk(first: Listing): number | undefined {
  const total = needTotal(first)
  const limit = pageSizeFor(total)
  return total > 1 && Math.ceil(total / limit) <= PAGES_MAX ? limit : undefined
}

/** Most words that are searched for to find a part of a large catalog. */
const WORDS_MAX = 3

/** A part of so many names takes a few pages. */
const NAMES_WANTED = 25

/** Words that several names of the catalog have, those first that select a part of the wanted size. */
async function wordsOfNames(context: CheckContext): Promise<readonly string[]> {
  const words = namesIn(context, await list(context)).flatMap((name) => [
    ...new Set(name.toLowerCase().match(/\p{Letter}{3,20}/gu)),
  ])
  return [...Map.groupBy(words, (word) => word)]
    .map(([word, { length }]) => [word, length] as const)
    .filter(([, count]) => count > 1)
    .toSorted(([, one], [, other]) => awayFromWanted(one) - awayFromWanted(other))
    .slice(0, WORDS_MAX)
    .map(([word]) => word)
}

function awayFromWanted(count: number): number {
  return Math.abs(count - NAMES_WANTED)
}
