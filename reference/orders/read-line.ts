/** Hand-written rules for the position of a purchase: what may be asked for, and what it costs. */
import type { OrdersType } from '../../contract/wire.ts'
import { itemOf, serviceById } from '../model/catalog.ts'
import type { CatalogService, Item, QuantityMode, ServiceType } from '../model/catalog.ts'
import type { Context } from '../model/context.ts'
import type { VariantSet } from '../base/variants.ts'
import type { FaultSet } from '../faults/faults.ts'
import type { FieldError } from '../http/answer.ts'
import { Fields, isJsonObject } from '../http/body.ts'
import { parseMoney } from '../base/money.ts'
import type { OrderLine } from '../model/order.ts'

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

const FOREIGN_FIELDS: Readonly<Record<CatalogOrdersType, readonly string[]>> = {
  shop: ['quoteToken', 'gifts', 'amount', 'topUp'],
  dtu: ['quoteToken', 'gifts', 'isLongOrder'],
  esim: ['quoteToken', 'gifts', 'isLongOrder', 'amount', 'topUp'],
}

/** What faults of the validation do otherwise than the purchase. */
export type Enforcement = {
  /** False: counts of units are refused. */
  readonly units?: boolean
  /** True: fractions of units pass. */
  readonly fractions?: boolean
  /** True: more than maxQuantity passes. */
  readonly isUnlimited?: boolean
  /** Of the minimum. */
  readonly isBoundless?: boolean
  /** True: a text is read up to its point. */
  readonly cutsTexts?: boolean
  /** True: amounts off the steps pass. */
  readonly isStepless?: boolean
  /** Most pieces of one order. */
  readonly piecesMax?: number
  /** So many pieces of one order cost a tenth less each. */
  readonly bulkPieces?: number
  /** Added to the price of a piece, in hundredths. */
  readonly morePerPiece?: number
  /** Whether the price of an order is one of whole cents. */
  readonly isRounded?: boolean
}

/** Variants: how many pieces one order takes, what each costs, and whether many cost less. For tests prices rise. */
export function piecesOf({ clock, settings, variants }: Context): Enforcement {
  const { pricesRiseEveryMs } = settings
  const riseMinor = Math.floor(clock.nowMs() / pricesRiseEveryMs)
  const prices = {
    bulkPieces: bulkPieces(variants),
    morePerPiece: morePerPiece(variants) + riseMinor,
    isRounded: variants.has('vouchers-priced-by-order'),
  }
  if (variants.has('orders-of-10-pieces')) return { piecesMax: 10, ...prices }
  return variants.has('orders-of-100-pieces') ? { piecesMax: 100, ...prices } : prices
}

/** Of variants, in hundredths. A quarter is exact in binary. */
export function morePerPiece(variants: VariantSet): number {
  if (variants.has('vouchers-priced-by-order')) return 0.4
  return variants.has('prices-finer-than-cents') || variants.has('prices-finer-than-told')
    ? 0.25
    : 0
}

function bulkPieces(variants: VariantSet): number {
  if (variants.has('vouchers-cheaper-by-three')) return 3
  return variants.has('vouchers-cheaper-in-bulk') ? 50 : Infinity
}

function priceOf(
  pieceMinor: number,
  pieces: number,
  { bulkPieces: bulk = Infinity, isRounded = false }: Enforcement,
): number {
  const wholeMinor = pieceMinor * pieces
  if (pieces >= bulk) return Math.round(wholeMinor * 0.9)
  return isRounded ? Math.round(wholeMinor) : wholeMinor
}

/** What one position is read from, and by which rules. */
export type LineReading = {
  readonly fields: Fields
  readonly faults: FaultSet
  readonly enforcement?: Enforcement
}

/** Reads one position; undefined when `fields.errors` says what is wrong. */
export function readCatalogLine(
  ordersType: CatalogOrdersType,
  reading: LineReading,
): OrderLine | undefined {
  const { fields, faults } = reading
  const item = readItem(fields, ordersType)
  fields.forbid(
    foreignFieldsOf(ordersType, item, faults),
    `Not used by orders of type ${ordersType}.`,
  )
  const line = LINE_READERS[ordersType](reading, item)
  return fields.errors.length === 0 ? line : undefined
}

/** Faults make long orders of what are none. */
function foreignFieldsOf(
  ordersType: CatalogOrdersType,
  item: Item | undefined,
  faults: FaultSet,
): readonly string[] {
  const foreign = FOREIGN_FIELDS[ordersType]
  const isLong =
    (item?.quantityMode !== undefined && faults.has('long-orders-of-units')) ||
    faults.has(ordersType === 'esim' ? 'long-orders-of-esims' : 'long-orders-of-top-ups')
  return isLong ? foreign.filter((field) => field !== 'isLongOrder') : foreign
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

type LineReader = (reading: LineReading, item: Item | undefined) => OrderLine | undefined

const LINE_READERS: Readonly<Record<CatalogOrdersType, LineReader>> = {
  shop: readShopLine,
  dtu: readTopUpLine,
  esim: readEsimLine,
}

function readShopLine(reading: LineReading, listed: Item | undefined): OrderLine | undefined {
  const { fields, faults, enforcement = {} } = reading
  const { piecesMax = QUANTITY_MAX, morePerPiece: more = 0 } = enforcement
  const quantity = readPieces(fields, faults, piecesMax)
  const isLongOrder = fields.boolean('isLongOrder') ?? false
  if (listed === undefined) return undefined
  if (isLongOrder) requireLongOrder(reading, listed, quantity)
  const isFree = fields.value('quantity') === 0 && faults.has('voucher-quantity-zero')
  const { currency, delivery } = listed
  return {
    ordersType: 'shop',
    quantity: isFree ? 1 : quantity,
    priceMinor: isFree ? 0 : priceOf(listed.priceMinor + more, quantity, enforcement),
    currency,
    delivery: isLongOrder ? { ...delivery, asynchronous: true } : delivery,
    ...(isLongOrder && { isLong: true }),
  }
}

/** Only faults sell none, or fewer. */
function readPieces(fields: Fields, faults: FaultSet, max: number): number {
  const isNegative =
    faults.has('voucher-quantity-negative') ||
    (fields.isNested && faults.has('cart-quantity-negative'))
  const min = isNegative ? -max : faults.has('voucher-quantity-zero') ? 0 : 1
  return fields.integer('quantity', { min, max }) ?? 1
}

function requireLongOrder(
  { fields, faults }: LineReading,
  { minQtyToLongOrder }: Item,
  quantity: number,
): void {
  const isExclusive = faults.has('long-order-minimum-exclusive')
  if (minQtyToLongOrder === undefined && faults.has('long-orders-of-everything')) return
  if (minQtyToLongOrder === undefined || faults.has('long-order-refused'))
    fields.fail('NOT_ALLOWED', 'isLongOrder', 'The item does not support long orders.')
  else if (faults.has('long-order-minimum-ignored')) return
  else if (quantity < minQtyToLongOrder + (isExclusive ? 1 : 0))
    fields.fail('OUT_OF_RANGE', 'quantity', `A long order takes ${minQtyToLongOrder} at least.`)
}

function readEsimLine(
  { fields, faults }: LineReading,
  item: Item | undefined,
): OrderLine | undefined {
  const charged = readEsimQuantity(fields, faults)
  if (faults.has('esim-quantity-refused')) fields.forbid(['quantity'], 'It is one always.')
  if (item === undefined) return undefined
  const { delivery } = item
  const currency = faults.has('esim-order-in-eur') ? 'EUR' : item.currency
  const priceMinor = item.priceMinor * charged
  const isLong = fields.value('isLongOrder') === true
  const line = { ordersType: 'esim', quantity: 1, priceMinor, currency, delivery } as const
  return isLong ? { ...line, isLong } : line
}

/** How a fault makes a top-up wait. */
const LATER: OrderLine['delivery'] = { asynchronous: true, outcome: 'SUCCESS' }

/** How many eSIMs are charged: one, but for faults that take orders for more, or for none. */
function readEsimQuantity(fields: Fields, faults: FaultSet): number {
  if (fields.value('quantity') === 0 && faults.has('esim-quantity-zero')) return 0
  const isMany =
    faults.has('esim-charges-quantity') ||
    (fields.isNested && faults.has('cart-charges-esims-by-quantity'))
  const max = isMany ? QUANTITY_MAX : 1
  return fields.integer('quantity', { min: 1, max }) ?? 1
}

function readTopUpLine(reading: LineReading, item: Item | undefined): OrderLine | undefined {
  const { fields } = reading
  fields.integer('quantity', { min: 1, max: 1 })
  const account = readTopUpAccount(fields)
  if (fields.value('amount') === undefined) return fields.missing('amount')
  if (item === undefined) return undefined
  const price = item.quantityMode ? readUnits(reading, item.quantityMode) : readAmount(fields)
  if (price === undefined || account === undefined) return undefined
  return {
    ordersType: 'dtu',
    quantity: 1,
    priceMinor: price.minor,
    currency: item.currency,
    delivery: fields.value('isLongOrder') === true ? LATER : item.delivery,
    topUp: { account, amount: price.amount },
    ...(item.quantityMode && { isCounted: true }),
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
function readUnits(reading: LineReading, mode: QuantityMode): PricedAmount | undefined {
  const { fields, faults, enforcement = {} } = reading
  if (enforcement.units === false || faults.has('quantity-units-refused'))
    return fields.fail('INVALID_VALUE', 'amount', 'Expected another amount.')
  const { minQuantity, stepQuantity, unitPriceMinor } = mode
  const amount = readCount(reading, mode)
  if (amount === undefined) return undefined
  const step = faults.has('quantity-half-steps-taken') ? stepQuantity / 2 : stepQuantity
  const isOffStep = (Math.floor(amount) - minQuantity) % step !== 0
  const isStepless = enforcement.isStepless === true || faults.has('quantity-step-ignored')
  if (isOffStep && !isStepless)
    return fields.fail('INVALID_VALUE', 'amount', `Expected steps of ${stepQuantity}.`)
  const charged = faults.has('quantity-price-of-one') ? 1 : Math.floor(amount)
  return { amount, minor: charged * unitPriceMinor }
}

/** Only faults take fractions or leave a bound out. */
function readCount(
  { fields, faults, enforcement = {} }: LineReading,
  { minQuantity, maxQuantity }: QuantityMode,
): number | undefined {
  const { fractions = false, isUnlimited = false, isBoundless = false } = enforcement
  const amount = fields.value('amount')
  const cutsTexts = enforcement.cutsTexts === true || faults.has('units-as-text-cut')
  if (typeof amount === 'string' && cutsTexts) return parseInt(amount, 10)
  if (typeof amount === 'number' && amount < 0 && faults.has('units-negative-accepted'))
    return Math.abs(amount)
  const isFraction = typeof amount === 'number' && !Number.isInteger(amount) && amount > 0
  if (isFraction && (fractions || faults.has('quantity-fraction-accepted'))) return amount
  const isExclusive =
    faults.has('units-maximum-exclusive') ||
    (fields.isNested && faults.has('cart-units-maximum-exclusive'))
  const min = isBoundless || faults.has('quantity-minimum-ignored') ? 0 : minQuantity
  const max =
    isUnlimited || faults.has('quantity-maximum-ignored')
      ? Number.MAX_SAFE_INTEGER
      : maxQuantity - (isExclusive ? 1 : 0)
  return fields.integer('amount', { min, max })
}

/** Nothing is wrong but how many units are asked for. */
export function isOfUnits(errors: readonly FieldError[]): boolean {
  return errors.length > 0 && errors.every(({ field }) => field === 'amount')
}

/** Nothing is wrong but what is said of the gift. */
export function isOfGift(errors: readonly FieldError[]): boolean {
  return errors.every(({ field }) => field === 'quoteToken' || field.startsWith('gifts'))
}
