import {
  haveSameProducts,
  isAmong,
  mentions,
  scalarsOf,
  type Located,
} from '../../harness/judge/catalog.ts'
import { selectEach } from '../../harness/target-file/select.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import {
  asText,
  check,
  inapplicable,
  isObject,
  queryOf,
  show,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { SERVICE_TYPES } from '../../contract/wire.ts'
import { aside } from '../steps/aside.ts'
import {
  firstPage,
  list,
  LISTS_CATALOG,
  listingOf,
  locateAbility,
  namesByProduct,
  namesIn,
  valuesOf,
  whileUnchanged,
  type Listing,
} from '../steps/catalog-listing.ts'

const SOUGHT = ['voucher', 'dtu', 'quantity', 'esim'] as const
const NEEDS = { ...LISTS_CATALOG, anyProduct: SOUGHT } as const

/** The product that is searched for: the first that has a text, so the voucher where it has one. */
function soughtOf({ target: { products } }: Pick<CheckContext, 'target'>): (typeof SOUGHT)[number] {
  const sold = SOUGHT.filter((ability) => products[ability])
  return sold.find((ability) => products[ability]?.search !== undefined) ?? sold[0] ?? SOUGHT[0]
}

/** A text that both the service's and the item's name have: which of them search looks at can be read in two ways. */
function searchTextOf(context: CheckContext): string {
  const product = soughtOf(context)
  const search = context.target.products[product]?.search
  if (search === undefined) untested(`product "${product}" of the target file has no "search" text`)
  return search
}

/** The product to look for, and how to see it again in a filtered listing. */
async function soughtIn(
  context: CheckContext,
  text: string,
): Promise<{ isIn: (listing: Listing) => boolean; whole: Listing; longest: string }> {
  const whole = await list(context)
  const product = soughtOf(context)
  const located: Located | undefined = locateAbility(context, whole, product)
  if (!located) untested(`product "${product}" cannot be recognized in the listing`)
  if (!mentions(located.product, text))
    untested(`the listed product "${product}" does not have its search text ${show(text)}`)
  const values = valuesOf(context, product)
  return {
    whole,
    isIn: ({ products }) => isAmong(products, values, located),
    longest: longestAround(text, located.product, namesIn(context, whole)),
  }
}

/**
 * The text with what stands around it both in the name of the service and in every other text of the product that has it: where these
 * begin alike, it is the beginning of a name.
 */
function longestAround(text: string, product: unknown, names: readonly string[]): string {
  const sought = text.toLowerCase()
  const texts = scalarsOf(product).flatMap((value) => {
    const at = asText(value).toLowerCase().indexOf(sought)
    return at === -1 ? [] : [{ whole: asText(value), before: at, after: at + text.length }]
  })
  const [first] = texts
  if (!first || texts.length < 2 || !texts.some(({ whole }) => names.includes(whole))) return text
  const isShared = (before: number, after: number): boolean => {
    const part = first.whole.slice(first.before - before, first.after + after).toLowerCase()
    return texts.every(({ whole }) => whole.toLowerCase().includes(part))
  }
  let [before, after] = [0, 0]
  while (before < first.before && isShared(before + 1, after)) before++
  while (first.after + after < first.whole.length && isShared(before, after + 1)) after++
  return first.whole.slice(first.before - before, first.after + after).trim()
}

export const searchKeeps = check({
  id: 'catalog.search-keeps',
  title: 'search finds a product by any part of its name',
  requirements: ['CAT-06'],
  needs: NEEDS,
  run: async (context) => {
    const product = soughtOf(context)
    const text = searchTextOf(context)
    const { isIn, longest } = await soughtIn(context, text)
    const parts = [text, text.slice(0, -1), text.slice(1), text.slice(1, -1), longest].map((part) =>
      part.trim(),
    )
    for (const part of new Set(parts.filter((each) => each !== ''))) {
      const listing = await list(context, { search: part })
      context.expect('CAT-06').that(`search=${part} keeps product "${product}"`, {
        holds: isIn(listing),
        expected: `product "${product}", whose name has ${show(part)}`,
        observed: `${listing.products.length} products, ${isIn(listing) ? 'with' : 'without'} it`,
        exchanges: [listing.exchange],
      })
    }
  },
})

export const searchDrops = check({
  id: 'catalog.search-drops',
  title: 'search drops the products whose name does not have the text',
  requirements: ['CAT-07'],
  needs: LISTS_CATALOG,
  run: async (context) => {
    const { expect, api, observe } = context
    const whole = await list(context)
    if (whole.products.length === 0) untested('the catalog is empty, so nothing can be dropped')
    const nonsense = `nothing ${context.reference()}`
    const exchange = await api.as('full').listServices({ search: nonsense })
    const { products } = listingOf(context, exchange)
    // Whether finding nothing is an empty list or an error is not shown.
    const status = exchange.response?.status ?? 0
    expect('CAT-07').that('a text that no name has finds nothing', {
      holds: products.length === 0 && (status === 200 || status === 404),
      expected: 'no product',
      observed: `${products.length} products; ${showAnswer(exchange)}`,
      exchanges: [exchange, whole.exchange],
    })
    observe('OPEN-72', `a search that finds nothing: HTTP ${status}`, [exchange])
    const search = context.target.products[soughtOf(context)]?.search
    if (search === undefined) return
    await dropsOthers(context, search)
    // Two filters at once: both hold.
    for (const type of SERVICE_TYPES) {
      const { response } = await api.as('full').listServices({ type, search })
      // What finds nothing may be an error, as above.
      if (response?.status === 200) await dropsOthers(context, search, { type })
    }
    await dropsByFewLetters(context, whole, search)
    for (const text of misreadable(search)) await findsNoPattern(context, whole, text)
    for (const text of idsAlone(context, whole)) await findsNothing(context, text)
    await aside(() => observeItemNames(context, whole))
  },
})

/** Whether search looks at the names of items: by one that the name of no service has (OPEN-59). */
async function observeItemNames(context: CheckContext, whole: Listing): Promise<void> {
  const { items = '$.no-selector' } = context.target.operations.listServices.selectors
  const services = namesIn(context, whole).map((name) => name.toLowerCase())
  const name = selectEach(items, whole.exchange.json)
    .flatMap((item) => (isObject(item) && typeof item['name'] === 'string' ? item['name'] : []))
    .find((text) => text !== '' && !services.some((each) => each.includes(text.toLowerCase())))
  if (name === undefined) {
    context.observe('OPEN-59', 'no item has a name that the name of no service has', [
      whole.exchange,
    ])
    return
  }
  const exchange = await context.api.as('full').listServices({ search: name })
  const isFound = listingOf(context, exchange).products.length > 0
  context.observe('OPEN-59', `the name of an item finds ${isFound ? 'its' : 'no'} product`, [
    exchange,
  ])
}

/** Two letters are a part of a name like any other. */
async function dropsByFewLetters(
  context: CheckContext,
  whole: Listing,
  text: string,
): Promise<void> {
  const pairs = Array.from({ length: text.length }, (_, index) => text.slice(index, index + 2))
  const rare = pairs
    .filter((pair) => /^\p{L}{2}$/u.test(pair))
    .find((pair) => whole.products.some((product) => !mentions(product, pair)))
  if (rare === undefined) return
  const { response } = await context.api.as('full').listServices({ search: rare })
  // Whether so short a text may be refused is not shown.
  if (response?.status === 200) await dropsOthers(context, rare)
}

/** Wildcards and patterns, what ends a text in a query of a database, and a character that takes four bytes. */
const SIGNS = ['_', '%', '.', '.*', "'", '"', '\\', '\u{1F381}'] as const

const ALIEN_WORD = 'qxzj'

/** Texts that no name has, and that find the product where a text is taken for a pattern or for a list of words. */
function misreadable(text: string): readonly string[] {
  // A letter is replaced: what stands for a space may be read as one.
  const middle = text.slice(1).search(/\p{L}/u) + 1
  const [start, end] = [text.slice(0, middle), text.slice(middle + 1)]
  const words = text.split(' ')
  const turned = words.length > 1 ? [words.toReversed().join(' ')] : []
  return [...SIGNS.map((sign) => start + sign + end), ...turned, `${text} ${ALIEN_WORD}`]
}

async function findsNoPattern(context: CheckContext, whole: Listing, text: string): Promise<void> {
  if (whole.products.some((product) => mentions(product, text))) return
  await findsNothing(context, text)
}

/** Shorter ones may be part of anything. */
const ID_LENGTH_MIN = 4

/** Identifiers of the product that stand in the catalog, and are part of no other text there: of no name above all. */
function idsAlone(context: CheckContext, listing: Listing): readonly string[] {
  const named = namesIn(context, listing).map((name) => name.toLowerCase())
  if (named.length === 0) return []
  const texts = listing.products.flatMap(scalarsOf)
  return valuesOf(context, soughtOf(context)).filter(
    (value): value is string =>
      typeof value === 'string' &&
      value.length >= ID_LENGTH_MIN &&
      texts.includes(value) &&
      !named.some((name) => name.includes(value.toLowerCase())) &&
      texts.every((text) => text === value || !text.toLowerCase().includes(value.toLowerCase())),
  )
}

function isFailed({ response }: Exchange): boolean {
  return (response?.status ?? 0) >= 500
}

async function findsNothing(context: CheckContext, text: string): Promise<void> {
  const search = (): Promise<Exchange> => context.api.as('full').listServices({ search: text })
  const first = await search()
  // Once may be an outage.
  const exchange = isFailed(first) ? await search() : first
  if (isFailed(exchange))
    context.expect('CAT-07').that(`search=${text}, which no name has`, {
      holds: false,
      expected: 'no product, or a 4xx answer: the text is looked for as it is written',
      exchanges: [first, exchange],
    })
  // Whether every character may stand in a search is not shown.
  if (exchange.response?.status !== 200) return
  const { products } = listingOf(context, exchange)
  context.expect('CAT-07').that(`search=${text}, which no name has, finds nothing`, {
    holds: products.length === 0,
    expected: 'no product: the text is looked for as it is written',
    observed: `${products.length} products, first ${show(products[0])}`,
    exchanges: [exchange],
  })
}

async function dropsOthers(
  context: CheckContext,
  text: string,
  filter: { readonly type?: string } = {},
): Promise<void> {
  const listing = await list(context, { ...filter, search: text })
  const { exchange, products } = listing
  const names = namesByProduct(context, listing)
  // A listing need not show the name of a service: who has none may have been found by it.
  const isNameless = (index: number): boolean =>
    names.length === products.length && names[index] === ''
  const others = products.filter((product, index) => !mentions(product, text) && !isNameless(index))
  const beside = filter.type === undefined ? '' : ` beside type=${filter.type}`
  context.expect('CAT-07').that(`search=${text}${beside} leaves only products that have the text`, {
    holds: others.length === 0,
    expected: `${show(text)} in each product that is left`,
    observed:
      others.length === 0
        ? `${products.length} products, all with it`
        : `${others.length} of ${products.length} without it, first ${show(others[0])}`,
    exchanges: [exchange],
  })
}

export const searchIgnoresCase = check({
  id: 'catalog.search-ignores-case',
  title: 'search finds the same products in upper and in lower case',
  requirements: ['CAT-08'],
  needs: NEEDS,
  run: async (context) => {
    const { text, isIn } = await textInTwoCases(context)
    const [plain, ...spellings] = await whileUnchanged(context, { search: text }, async () => [
      await list(context, { search: text }),
      await list(context, { search: text.toUpperCase() }),
      await list(context, { search: text.toLowerCase() }),
      await firstPage(context, { search: text.toUpperCase() }),
      await firstPage(context, { search: text.toLowerCase() }),
    ])
    if (!plain || !isIn(plain))
      untested(`search=${text}, as it is written, does not find the product`)
    for (const listing of spellings)
      context.expect('CAT-08').that('another spelling finds the same products', {
        holds: haveSameProducts(listing.products, plain.products) || isFullPage(listing),
        expected: `the ${plain.products.length} products that search=${text} finds`,
        observed: `${listing.products.length} products (${listing.exchange.request.url})`,
        exchanges: [plain.exchange, listing.exchange],
      })
  },
})

type Sought = { readonly text: string; readonly isIn: (listing: Listing) => boolean }

/** The search text of the file; where it has no letter of ASCII, as in other alphabets, a name of the catalog that has some. */
async function textInTwoCases(context: CheckContext): Promise<Sought> {
  const search = searchTextOf(context)
  const [own] = asciiRunsOf(search)
  if (own !== undefined) return { text: own, ...(await soughtIn(context, own)) }
  const names = namesIn(context, await list(context))
  const none = `the search text ${show(search)} has no letter from A to Z`
  if (names.length === 0)
    untested(`${none}: give the product a "search" with one, or the selector listServices.names`)
  const text = names.flatMap(asciiRunsOf).find(({ length }) => length >= RUN_LENGTH_MIN)
  return text === undefined
    ? inapplicable(`${none}, nor has a name of the catalog`)
    : { text, isIn: ({ products }) => products.length > 0 }
}

/** What a page of its own size leaves out is not held against it. */
function isFullPage({ exchange, products }: Listing): boolean {
  const limit = queryOf(exchange).get('limit')
  return limit !== null && products.length >= Number(limit)
}

/** Whether shorter texts may be searched for is not shown. */
const RUN_LENGTH_MIN = 3

/** Parts that come in two cases, the longest first. Beyond ASCII, cases depend on the language, which the interface does not speak of. */
function asciiRunsOf(text: string): readonly string[] {
  const runs = (text.match(/[\u0020-\u007e]+/g) ?? []).map((run) => run.trim())
  return runs
    .filter((run) => run.toUpperCase() !== run.toLowerCase())
    .toSorted((a, b) => b.length - a.length)
}
