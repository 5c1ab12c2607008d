import { isObject } from '../objects.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import type { Api } from '../client/api.ts'
import type { Exchange } from '../client/exchange.ts'
import { currencyCode, formatMoney, parseMoney } from '../money.ts'
import type { CatalogPrice } from '../purchases/price-book.ts'
import { selectEach, selectOne } from '../target-file/select.ts'
import { pathVariables, templateVariables } from '../target-file/template.ts'
import type { Product, Target } from '../target-file/target.ts'

type Item = Readonly<Record<string, unknown>>

/** What the catalog asks for the products that a run buys, and where the target file says otherwise. */
export type CatalogPrices = {
  readonly prices: readonly CatalogPrice[]
  readonly hazards: readonly string[]
}

/** Reads the prices of products from the catalog: from its listing, else item by item. Sends reads only. */
export async function readCatalogPrices(
  api: Api,
  target: Target,
  abilities: readonly ProductAbility[],
): Promise<CatalogPrices> {
  const listed = await listedItems(api, target)
  const prices: CatalogPrice[] = []
  for (const ability of abilities) {
    const product = target.products[ability]
    if (!product) continue
    const found = itemsOf(listed, product)
    // The id of an item may be unique within its service only.
    const asked = found.length === 1 ? [] : await askedItems(api, target, ability)
    const items = asked.length > 0 ? asked : found
    const each = items.flatMap((item) => priceOf(ability, product, item) ?? [])
    // Where several items have the id, the dearest is reckoned with.
    const [dearest] = each.toSorted((a, b) => Number(b.micros - a.micros))
    if (dearest) prices.push(dearest)
  }
  return { prices, hazards: prices.flatMap((price) => hazardOf(price, target)) }
}

async function listedItems(api: Api, { operations }: Target): Promise<readonly Item[]> {
  const selector = operations.listServices.selectors['items']
  if (selector === undefined) return []
  return readItems(await api.listServices(), selector)
}

function readItems(exchange: Exchange, selector: string): readonly Item[] {
  if (exchange.response?.status !== 200) return []
  return selectEach(selector, exchange.json).filter(isObject)
}

function itemsOf(items: readonly Item[], { variables }: Product): readonly Item[] {
  const ids = new Set(Object.values(variables).map(String))
  return items.filter(
    ({ id }) => (typeof id === 'string' || typeof id === 'number') && ids.has(String(id)),
  )
}

/** The item as the lookup or the single item shows it; none where the target file does not say how to ask. */
async function askedItems(
  api: Api,
  target: Target,
  ability: ProductAbility,
): Promise<readonly Item[]> {
  for (const operation of ['lookupItems', 'getItem'] as const) {
    const { path, body, query, selectors } = target.operations[operation]
    if (path === undefined) continue
    const names = [...templateVariables({ body, query }), ...pathVariables(path)]
    const known = target.products[ability]?.variables ?? {}
    if (!names.every((name) => Object.hasOwn(known, name))) continue
    const exchange = await api.aboutProduct(operation, ability)
    if (exchange.response?.status !== 200) continue
    const selector = selectors[operation === 'lookupItems' ? 'items' : 'item'] ?? ''
    const [shown] =
      operation === 'lookupItems'
        ? selectEach(selector, exchange.json)
        : [selectOne(selector, exchange.json)]
    const item = isObject(shown) && isObject(shown['item']) ? shown['item'] : shown
    if (isObject(item)) return [item]
  }
  return []
}

/** A unitPrice is in USD, whatever the currency of its item. */
const UNIT_PRICE_CURRENCY = 'USD'

/**
 * A quantity-mode item is priced by the unit; how its unitPrice becomes another currency is not shown. The price of another top-up
 * follows from its amount: less than it no order costs.
 */
function priceOf(ability: ProductAbility, product: Product, item: Item): CatalogPrice | undefined {
  const currency = currencyCode(item['currency'])
  if (currency === undefined) return undefined
  const isQuantity = item['amountIsQuantity'] === true
  if (isQuantity && currency !== UNIT_PRICE_CURRENCY) return undefined
  const micros = parseMoney(isQuantity ? item['unitPrice'] : item['price'])
  if (micros === undefined || micros <= 0n) return undefined
  const isAmount =
    !isQuantity && product.variables['amount'] === undefined && ability.startsWith('dtu')
  return { product: ability, currency, micros, per: isAmount ? 'order' : 'unit' }
}

function hazardOf(
  { product, currency, micros, per }: CatalogPrice,
  { products }: Target,
): string[] {
  const { unitPrice, currency: statedCurrency } = products[product] ?? {}
  const stated = parseMoney(unitPrice)
  if (stated === undefined || per === 'order') return []
  if (currency !== statedCurrency)
    return [
      `The catalog prices the product ${product} in ${currency}, the target file states ${statedCurrency ?? 'no currency'} (products.${product}.currency): correct one of them.`,
    ]
  if (micros <= stated) return []
  return [
    `The catalog asks ${currency} ${formatMoney(micros)} for the product ${product}, the target file states ${formatMoney(stated)}: the higher price is reckoned with. Correct products.${product}.unitPrice.`,
  ]
}
