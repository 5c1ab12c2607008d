import type { CallOptions, CheckContext, Exchange, Needs } from '../engine/kit.ts'
import {
  asText,
  inconclusive,
  isObject,
  needSuccess,
  needWhole,
  show,
  untested,
} from '../engine/kit.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import { identitiesOf, locate, scalarsOf, type Located } from '../../harness/judge/catalog.ts'
import { quantityRuleOf, type QuantityRule } from '../../harness/judge/quantity.ts'
import { selectEach, selectOne } from '../../harness/target-file/select.ts'

/** What every check that lists the catalog needs. */
export const LISTS_CATALOG = {
  capabilities: ['catalog'],
  roles: ['full'],
  selectors: ['listServices.services'],
} as const satisfies Needs

export type Query = NonNullable<CallOptions['query']>

/** One answer of the listing: a page, or all of it. */
export type Listing = {
  readonly exchange: Exchange
  readonly products: readonly unknown[]
  /** Undefined where the answer has none, or one that is no count. */
  readonly total: number | undefined
}

/** Lists and insists on success. */
export async function list(context: CheckContext, query: Query = {}): Promise<Listing> {
  const exchange = needWhole(await context.api.as('full').listServices(query))
  return listingOf(context, needSuccess(exchange))
}

export function listingOf({ target }: Pick<CheckContext, 'target'>, exchange: Exchange): Listing {
  const { services = '', total = '' } = target.operations.listServices.selectors
  return {
    exchange,
    products: selectEach(services, exchange.json),
    total: asCount(selectOne(total, exchange.json)),
  }
}

/** The interface names the field, not its type: a numeric text counts too. */
function asCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/** `total` of the products that pass a filter; without it nothing can be said about pages. */
export function needTotal({ total, exchange }: Listing): number {
  if (total === undefined) untested(`the page has no total to go by (${exchange.request.url})`)
  return total
}

/** Larger pages may be refused: how large one may be is not shown. */
export const PAGE_SIZE_MIN = 5
const PAGE_SIZES = [25, 10, PAGE_SIZE_MIN] as const

export type FirstPage = Listing & {
  /** The limit that it was asked for with. */
  readonly limit: number
}

/** The first page, as large as is wanted or of the largest of the usual sizes below that is not refused. */
export async function firstPage(
  context: CheckContext,
  filters: Query = {},
  wanted: number = PAGE_SIZES[0],
): Promise<FirstPage> {
  const smaller = PAGE_SIZES.find((size) => size < wanted)
  const query = { ...filters, limit: wanted, offset: 0 }
  const exchange = needWhole(await context.api.as('full').listServices(query))
  if (smaller !== undefined && exchange.response?.status === 422)
    return firstPage(context, filters, smaller)
  return { ...listingOf(context, needSuccess(exchange)), limit: wanted }
}

const READINGS_MAX = 3

/**
 * Carries readings out that are compared with each other, again if the catalog changed meanwhile; inconclusive when it never holds
 * still. A catalog that has the same products all the time and only shows them in another order each time is no changed one: pages of
 * it are judged. Nothing may be judged inside.
 */
export async function whileUnchanged<T>(
  context: CheckContext,
  filters: Query,
  read: () => Promise<T>,
): Promise<T> {
  for (let reading = 1; reading <= READINGS_MAX; reading++) {
    const before = await witness(context, filters)
    const isLast = reading === READINGS_MAX
    const productsBefore = isLast ? await productsIn(context) : undefined
    const result = await read()
    if ((await witness(context, filters)) === before) return result
    if (isLast && (await productsIn(context)) === productsBefore) return result
  }
  return inconclusive(`the catalog changed during each of ${READINGS_MAX} readings`)
}

async function witness(context: CheckContext, filters: Query): Promise<string> {
  const { products, total } = await firstPage(context, filters)
  return JSON.stringify([total, identitiesOf(products)])
}

/** Which products the catalog has, in whatever order. */
async function productsIn(context: CheckContext): Promise<string> {
  return JSON.stringify(identitiesOf((await list(context)).products).toSorted())
}

/**
 * A client's way through the pages: forward by `limit` until `offset` reaches the `total` of the latest page. By less than is wanted
 * where pages of that size are refused.
 */
export async function walk(
  context: CheckContext,
  filters: Query,
  wanted: number,
): Promise<{ readonly limit: number; readonly pages: readonly Listing[] }> {
  const { limit, ...first } = await firstPage(context, filters, wanted)
  const pages: Listing[] = [first]
  for (let offset = limit; offset < needTotal(pages.at(-1) as Listing); offset += limit)
    pages.push(await list(context, { ...filters, limit, offset }))
  return { limit, pages }
}

/** The name of each product of the listing, empty where it has none; no names where the target file does not say where they stand. */
export function namesByProduct(context: CheckContext, listing: Listing): readonly string[] {
  const names = namesIn(context, listing)
  const { products } = listing
  if (names.length === 0 || names.length >= products.length) return names
  const shown = new Set(names.filter((name) => name !== ''))
  return products.map(
    (product) =>
      scalarsOf(product)
        .map(asText)
        .find((text) => shown.has(text)) ?? '',
  )
}

/** The names that the listing shows, empty where a product has none; none where the target file does not say where they stand. */
export function namesIn({ target }: CheckContext, { exchange }: Listing): readonly string[] {
  const { names = '$.no-selector' } = target.operations.listServices.selectors
  return selectEach(names, exchange.json).map((name) => asText(name ?? ''))
}

/**
 * Whether a filter alone gives a page of a size that is not shown: only a listing without any parameter is said to be whole. A first
 * page that has more is that of no filter if it has products that the filter drops.
 */
export async function isPaged(
  context: CheckContext,
  filter: Query,
  all: Listing,
): Promise<boolean> {
  const { length } = all.products
  const larger = needWhole(
    await context.api.as('full').listServices({ ...filter, limit: length + 1, offset: 0 }),
  )
  // So large a page may be refused: then the product after those that were given is asked for alone.
  const isRefused = larger.response?.status === 422
  const more = isRefused
    ? await list(context, { ...filter, limit: 1, offset: length })
    : listingOf(context, needSuccess(larger))
  const areFound = (listing: Listing): boolean =>
    isFoundBy(context, String(filter.search ?? ''), listing)
  const hasMore = more.products.length > (isRefused ? 0 : length)
  return hasMore && (areFound(more) || !areFound(all))
}

/** Whether each product has the text in its name, or in that of an item: which of both a search looks at is not shown (OPEN-59). */
function isFoundBy(context: CheckContext, text: string, listing: Listing): boolean {
  const has = (name: string): boolean => name.toLowerCase().includes(text)
  return namesByProduct(context, listing).every(
    (name, index) => has(name) || itemNamesIn(listing.products[index]).some(has),
  )
}

/** The names of all product items inside a value. */
export function itemNamesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(itemNamesIn)
  const isNamed = 'price' in value && 'name' in value && typeof value.name === 'string'
  return isNamed ? [String(value.name), ...inner] : inner
}

/** The values that orders of a product send: among them stand the identifiers that the listing has. */
export function valuesOf({ target }: CheckContext, ability: ProductAbility): readonly unknown[] {
  return Object.values(target.products[ability]?.variables ?? {})
}

/** Where the listing has a product that the target sells; undefined where it cannot be told. */
export function locateAbility(
  context: CheckContext,
  { products }: Listing,
  ability: ProductAbility,
): Located | undefined {
  return locate(products, valuesOf(context, ability))
}

type Item = Readonly<Record<string, unknown>>

/** The ProductItem whose id an order of the ability sends; untested where none is found. */
export async function itemOf(
  context: CheckContext,
  ability: ProductAbility,
): Promise<{ readonly item: Item; readonly exchange: Exchange }> {
  const listing = await list(context)
  const within = locateAbility(context, listing, ability)?.product
  const values = new Set(valuesOf(context, ability).map(String))
  const items = selectEach(
    context.target.operations.listServices.selectors['items'] ?? '',
    listing.exchange.json,
  ).filter(isObject)
  const named = items.filter((item) => values.has(asText(item['id'])))
  // The id of an item may be unique within its service only.
  const [item, ...others] = named.length > 1 ? named.filter((each) => holds(within, each)) : named
  if (!item || others.length > 0)
    untested(
      `the listing has ${named.length} items whose id is a variable of product "${ability}", expected 1: give the id of the item as one more variable (no body has to use it)`,
    )
  return { item, exchange: listing.exchange }
}

/** Whether a value is the item, or has it inside. */
function holds(value: unknown, item: Item): boolean {
  if (value === item) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((each) => holds(each, item))
}

/** How the product "quantity" is sold, as the catalog says. */
export async function quantityRule(context: CheckContext): Promise<QuantityRule> {
  const { item } = await itemOf(context, 'quantity')
  if (item['amountIsQuantity'] !== true)
    untested('the item of product "quantity" does not say that its amount is a quantity')
  return quantityRuleOf(item)
}

/** The smallest quantity of a long order, where the item states one. */
export async function smallestLongQuantity(context: CheckContext): Promise<number | undefined> {
  const { item } = await itemOf(context, 'voucher-long')
  if (item['isLongOrder'] !== true)
    untested('the item of product "voucher-long" does not say that it supports long orders')
  const quantity = item['minQtyToLongOrder'] ?? undefined
  if (quantity !== undefined && !Number.isSafeInteger(quantity))
    untested(`minQtyToLongOrder of the item is no integer: ${show(quantity)}`)
  return quantity as number | undefined
}

/** An object with none of them is no product item; each of them is the matter of its own requirement. */
const REQUIRED = ['id', 'currency', 'price', 'inStock'] as const

export function looksLikeAnItem(value: unknown): boolean {
  return isObject(value) && REQUIRED.some((name) => name in value)
}
