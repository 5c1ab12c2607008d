/** Prices of the target file that no purchase was charged. */
import type { ProductAbility } from '../../contract/capabilities.ts'
import type { Exchange } from '../client/exchange.ts'
import { formatMoney, parseMoney, type Micros } from '../money.ts'
import { selectEach, selectOne } from '../target-file/select.ts'
import type { Product, Target } from '../target-file/target.ts'
import type { SystematicCause } from '../judge/causes.ts'
import { isSuccess, pointerOf, productsOf, quoted, targetCause, type Described } from './mistake.ts'

/** A cent: whoever rounds a price may be off by that much. */
const ROUNDING: Micros = 10_000n

/** Prices of one unit that no purchase was charged, while all were charged another. */
export function wrongPrices(described: Described): SystematicCause[] {
  const { target, history, readers } = described
  return productsOf(target).flatMap(([ability, product]) => {
    const stated = parseMoney(product.unitPrice)
    const bought = history.filter((each) => isPlainPurchase(each, ability))
    const charged = bought.flatMap((each) => chargeOf(target, each) ?? [])
    const one = usualPrice(charged)
    if (stated === undefined || one === undefined) return []
    if (charged.some((charge) => isCharged(charge, stated))) return []
    const listed = listedPrices(target, history, product)
    // Where the catalog says otherwise, what is charged is for the service to explain.
    if (listed.length > 0 && !listed.some((price) => isUsual(charged, price))) return []
    const text = formatMoney(one)
    return [
      targetCause(target, {
        pointer: pointerOf('products', ability, 'unitPrice'),
        shows: `the file says ${quoted(product.unitPrice)}, but ${charged.length} purchases of it were charged ${text} a unit`,
        fix: `write "${text}".`,
        exchanges: bought,
        dependents: readers.get(`products.${ability}.unitPrice`) ?? [],
      }),
    ]
  })
}

/** The price of one unit that explains most charges: a replay is charged as the first time, whatever it asks for. */
function usualPrice(charged: readonly Charge[]): Micros | undefined {
  const prices = new Set(charged.map(({ price, units }) => price / units))
  return [...prices].find((one) => isUsual(charged, one))
}

function isUsual(charged: readonly Charge[], one: Micros): boolean {
  return charged.filter((each) => isCharged(each, one)).length * 2 > charged.length
}

function isPlainPurchase(each: Exchange, ability: ProductAbility): boolean {
  const { operation, products, units = 0 } = each
  return (
    operation === 'createOrder' &&
    products?.includes(ability) === true &&
    units > 0 &&
    isSuccess(each)
  )
}

type Charge = { readonly price: Micros; readonly units: bigint }

function chargeOf(target: Target, { json, units = 0 }: Exchange): Charge | undefined {
  const { selectors } = target.operations.createOrder
  const price = parseMoney(selectOne(selectors['price'] ?? '/data/price', json))
  return price === undefined || !Number.isInteger(units)
    ? undefined
    : { price, units: BigInt(units) }
}

function isCharged({ price, units }: Charge, one: Micros): boolean {
  const due = one * units
  return (price > due ? price - due : due - price) <= ROUNDING
}

/** What the ProductItem whose id the product's variables name costs: `unitPrice` where it is sold by units, else `price`. */
function listedPrices(target: Target, history: readonly Exchange[], product: Product): Micros[] {
  const selector = target.operations.listServices.selectors['items']
  const listings = history.filter((each) => each.operation === 'listServices' && isSuccess(each))
  const listing = listings.find(({ request }) => !request.url.includes('?')) ?? listings[0]
  if (selector === undefined || !listing) return []
  const ids = new Set(Object.values(product.variables).map(String))
  return selectEach(selector, listing.json).flatMap((item) => {
    const { id, price, unitPrice } = (item ?? {}) as Readonly<Record<string, unknown>>
    return ids.has(String(id)) ? (parseMoney(unitPrice ?? price) ?? []) : []
  })
}
