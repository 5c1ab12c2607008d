/** Hand-written rules for the position of a purchase: what may be asked for, and what it costs. */
import type { OrdersType } from '../../contract/wire.ts'
import { itemOf, serviceById } from '../catalog/catalog.ts'
import type { CatalogService, Item, ServiceType } from '../catalog/catalog.ts'
import { Fields, isJsonObject } from '../http/body.ts'
import { parseMoney } from '../money.ts'
import type { OrderLine } from './order.ts'

const ID_RULE = { max: 64 }
const QUANTITY_MAX = 1000
const AMOUNT_MINOR_MIN = 100
const AMOUNT_MINOR_MAX = 50_000
const TOP_UP_ACCOUNT_RULE = { min: 4, max: 32, pattern: /^[\w@.+-]+$/ }

/** Kinds that are bought from the catalog. */
export type CatalogOrdersType = Exclude<OrdersType, 'platform-gift'>

const SERVICE_TYPE_OF: Readonly<Record<CatalogOrdersType, ServiceType>> = {
  shop: 'voucher',
  dtu: 'direct_topup',
  esim: 'esim',
}

/** Reads one position; undefined when `fields.errors` says what is wrong. */
export function readCatalogLine(
  fields: Fields,
  ordersType: CatalogOrdersType,
): OrderLine | undefined {
  const item = readItem(fields, ordersType)
  const foreign = `Not used by orders of type ${ordersType}.`
  fields.forbid(['quoteToken', 'gifts'], foreign)
  if (ordersType !== 'shop') fields.forbid(['isLongOrder'], foreign)
  if (ordersType !== 'dtu') fields.forbid(['amount', 'topUp'], foreign)
  const line = LINE_READERS[ordersType](fields, item)
  return fields.errors.length === 0 ? line : undefined
}

function readItem(fields: Fields, ordersType: CatalogOrdersType): Item | undefined {
  const serviceId = fields.requiredText('serviceId', ID_RULE)
  const itemId = fields.requiredText('itemId', ID_RULE)
  if (serviceId === undefined) return undefined
  const service = serviceById(serviceId)
  if (service === undefined)
    return fields.fail('INVALID_VALUE', 'serviceId', 'No service has this id.')
  if (service.type !== SERVICE_TYPE_OF[ordersType])
    return fields.fail('NOT_ALLOWED', 'serviceId', `Not sold by orders of type ${ordersType}.`)
  return itemId === undefined ? undefined : findItem(fields, service, itemId)
}

function findItem(fields: Fields, service: CatalogService, itemId: string): Item | undefined {
  const item = itemOf(service, itemId)
  return item ?? fields.fail('INVALID_VALUE', 'itemId', 'The service has no item with this id.')
}

type LineReader = (fields: Fields, item: Item | undefined) => OrderLine | undefined

const LINE_READERS: Readonly<Record<CatalogOrdersType, LineReader>> = {
  shop: readShopLine,
  dtu: readTopUpLine,
  esim: readEsimLine,
}

function readShopLine(fields: Fields, item: Item | undefined): OrderLine | undefined {
  const quantity = fields.integer('quantity', { min: 1, max: QUANTITY_MAX }) ?? 1
  const isLongOrder = fields.boolean('isLongOrder') ?? false
  if (item === undefined) return undefined
  const { priceMinor, currency, delivery } = item
  if (isLongOrder) requireLongOrder(fields, item, quantity)
  return {
    ordersType: 'shop',
    quantity,
    priceMinor: priceMinor * quantity,
    currency,
    delivery: isLongOrder ? { ...delivery, asynchronous: true } : delivery,
  }
}

function requireLongOrder(fields: Fields, item: Item, quantity: number): void {
  const { minQtyToLongOrder } = item
  if (minQtyToLongOrder === undefined)
    fields.fail('NOT_ALLOWED', 'isLongOrder', 'The item does not support long orders.')
  else if (quantity < minQtyToLongOrder)
    fields.fail('OUT_OF_RANGE', 'quantity', `A long order takes ${minQtyToLongOrder} at least.`)
}

function readEsimLine(fields: Fields, item: Item | undefined): OrderLine | undefined {
  fields.integer('quantity', { min: 1, max: 1 })
  if (item === undefined) return undefined
  const { priceMinor, currency, delivery } = item
  return { ordersType: 'esim', quantity: 1, priceMinor, currency, delivery }
}

function readTopUpLine(fields: Fields, item: Item | undefined): OrderLine | undefined {
  fields.integer('quantity', { min: 1, max: 1 })
  const account = readTopUpAccount(fields)
  if (fields.value('amount') === undefined) return fields.missing('amount')
  if (item === undefined) return undefined
  const price = item.quantityMode ? readUnits(fields, item) : readAmount(fields)
  if (price === undefined || account === undefined) return undefined
  return {
    ordersType: 'dtu',
    quantity: 1,
    priceMinor: price.minor,
    currency: item.currency,
    delivery: item.delivery,
    topUp: { account, amount: price.amount },
  }
}

function readTopUpAccount(fields: Fields): string | undefined {
  const topUp = fields.value('topUp')
  if (topUp === undefined) return fields.missing('topUp')
  if (!isJsonObject(topUp)) return fields.fail('INVALID_FORMAT', 'topUp', 'Expected an object.')
  return new Fields(topUp, 'topUp.', fields.errors).requiredText('account', TOP_UP_ACCOUNT_RULE)
}

type PricedAmount = { readonly amount: number; readonly minor: number }

/** Amount mode: a number with at most two decimal places, in the item's currency. */
function readAmount(fields: Fields): PricedAmount | undefined {
  const amount = fields.value('amount')
  const minor = typeof amount === 'number' ? parseMoney(String(amount)) : undefined
  if (typeof amount !== 'number' || minor === undefined)
    return fields.fail('INVALID_FORMAT', 'amount', 'Expected a number with two decimals at most.')
  if (minor < AMOUNT_MINOR_MIN || minor > AMOUNT_MINOR_MAX)
    return fields.fail('OUT_OF_RANGE', 'amount', 'Expected 1 to 500.')
  return { amount, minor }
}

/** Quantity mode: an integer count of units within the item's bounds and on its steps, counted from the minimum. */
function readUnits(fields: Fields, { quantityMode }: Item): PricedAmount | undefined {
  if (quantityMode === undefined) return undefined
  const { minQuantity, maxQuantity, stepQuantity, unitPriceMinor } = quantityMode
  const amount = fields.integer('amount', { min: minQuantity, max: maxQuantity })
  if (amount === undefined) return undefined
  if ((amount - minQuantity) % stepQuantity !== 0)
    return fields.fail('INVALID_VALUE', 'amount', `Expected steps of ${stepQuantity}.`)
  return { amount, minor: amount * unitPriceMinor }
}
