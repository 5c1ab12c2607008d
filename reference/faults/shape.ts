/**
 * Faults of shape: one property of an answer is missing, has another type or stands where it must not. All work the same way, at one
 * point (http/envelope.ts), so they are data.
 */
import type { RequirementId } from '../../contract/requirements/index.ts'

export type Change =
  /** The property goes. */
  | { readonly kind: 'remove' }
  /** The property, where it is there and not null, has this value. */
  | { readonly kind: 'replace'; readonly value: unknown }
  /** The property, where it is not there, has this value. */
  | { readonly kind: 'add'; readonly value: unknown }

export type ShapeFault = {
  readonly breaks: RequirementId
  readonly summary: string
  /** Properties from the envelope down; a star takes every entry of an array. */
  readonly path: readonly string[]
  readonly change: Change
  /** Requirements that it cannot help breaking too. */
  readonly also?: readonly RequirementId[]
}

const AS_NUMBER: Change = { kind: 'replace', value: 42 }
const AS_TEXT: Change = { kind: 'replace', value: 'other' }
const AS_OBJECT: Change = { kind: 'replace', value: {} }
const AS_LIST: Change = { kind: 'replace', value: [] }
const GONE: Change = { kind: 'remove' }

function describe(path: string, change: Change): string {
  if (change.kind === 'remove') return `${path} is missing`
  const value = JSON.stringify(change.value)
  return change.kind === 'replace' ? `${path} is ${value}` : `${path} is there, with ${value}`
}

function shape(breaks: RequirementId, path: string, change: Change): ShapeFault {
  return { breaks, summary: describe(path, change), path: path.split('.'), change }
}

const ITEM = 'data.services.*.items.*'
const VOUCHER = 'data.page.items.*.result.vouchers.*'
const ESIM = 'data.page.items.*.result.esim'
const GIFT = 'data.page.items.*.result.platformGift'

export const SHAPE_FAULTS = {
  'shape-data': shape('ENV-03', 'data', AS_TEXT),
  'shape-error-code': shape('ENV-04', 'errorCode', AS_NUMBER),
  'shape-errors': shape('ENV-05', 'errors', AS_OBJECT),
  'shape-field-error-field': shape('FIELD-02', 'errors.*.field', GONE),
  'shape-field-error-message': shape('FIELD-03', 'errors.*.message', GONE),

  'shape-item-id': shape('PROD-01', `${ITEM}.id`, GONE),
  'shape-item-currency': shape('PROD-02', `${ITEM}.currency`, GONE),
  'shape-item-price': shape('PROD-03', `${ITEM}.price`, AS_TEXT),
  'shape-item-in-stock': shape('PROD-04', `${ITEM}.inStock`, GONE),
  'shape-item-name': shape('PROD-05', `${ITEM}.name`, AS_NUMBER),
  'shape-item-amount-is-quantity': shape('PROD-06', `${ITEM}.amountIsQuantity`, AS_TEXT),
  'shape-item-min-quantity': shape('PROD-08', `${ITEM}.minQuantity`, AS_TEXT),
  'shape-item-min-quantity-everywhere': shape('PROD-09', `${ITEM}.minQuantity`, {
    kind: 'add',
    value: 1,
  }),
  'shape-item-max-quantity': shape('PROD-10', `${ITEM}.maxQuantity`, AS_TEXT),
  'shape-item-max-quantity-everywhere': shape('PROD-11', `${ITEM}.maxQuantity`, {
    kind: 'add',
    value: 1,
  }),
  'shape-item-step-quantity': shape('PROD-12', `${ITEM}.stepQuantity`, AS_TEXT),
  'shape-item-step-quantity-everywhere': shape('PROD-13', `${ITEM}.stepQuantity`, {
    kind: 'add',
    value: 1,
  }),
  'shape-item-unit-price': shape('PROD-14', `${ITEM}.unitPrice`, AS_NUMBER),
  'shape-item-unit-price-everywhere': shape('PROD-15', `${ITEM}.unitPrice`, {
    kind: 'add',
    value: '1.00',
  }),
  'shape-item-is-long-order': shape('PROD-16', `${ITEM}.isLongOrder`, AS_TEXT),
  'shape-item-min-long-order': shape('PROD-18', `${ITEM}.minQtyToLongOrder`, AS_TEXT),
  'shape-item-min-long-order-everywhere': shape('PROD-19', `${ITEM}.minQtyToLongOrder`, {
    kind: 'add',
    value: 1,
  }),

  'shape-lookup-items': shape('LOOK-01', 'data.items', AS_OBJECT),
  'shape-lookup-service-id': shape('LOOK-02', 'data.items.*.serviceId', AS_NUMBER),
  'shape-lookup-item-id': shape('LOOK-03', 'data.items.*.itemId', AS_NUMBER),
  'shape-lookup-found': shape('LOOK-04', 'data.items.*.found', AS_TEXT),
  'shape-lookup-item': shape('LOOK-05', 'data.items.*.item', AS_TEXT),

  'shape-order-id': shape('ORD-05', 'data.orderId', GONE),
  'shape-order-currency': shape('ORD-06', 'data.currency', AS_NUMBER),
  'shape-order-price': shape('ORD-07', 'data.price', AS_TEXT),
  'shape-order-status': shape('ORD-08', 'data.status', AS_TEXT),
  'shape-order-created-at': shape('ORD-10', 'data.createdAt', GONE),
  'shape-order-vouchers': shape('ORD-12', 'data.page.items.*.result.vouchers', AS_OBJECT),
  'shape-order-vouchers-empty': shape('ORD-13', 'data.page.items.*.result.vouchers', AS_LIST),
  'shape-voucher-pin': shape('ORD-14', `${VOUCHER}.pin`, AS_NUMBER),
  'shape-voucher-serial-number': shape('ORD-15', `${VOUCHER}.serialNumber`, AS_NUMBER),
  'shape-voucher-expiration': shape('ORD-16', `${VOUCHER}.expiration`, {
    kind: 'replace',
    value: '31.12.2030',
  }),
  'shape-esim-everywhere': shape('ORD-17', 'data.page.items.*.result.esim', {
    kind: 'add',
    value: {},
  }),
  'shape-gift-everywhere': shape('ORD-18', 'data.page.items.*.result.platformGift', {
    kind: 'add',
    value: { resolutionRequired: false },
  }),
  'shape-list-items': shape('GET-01', 'data.page.items', AS_OBJECT),
  'shape-list-status-unknown': shape('GET-02', 'data.page.items.*.status', AS_TEXT),
  'shape-purchase-status-unknown': shape('STATE-01', 'data.status', {
    kind: 'replace',
    value: 'DONE',
  }),
  'shape-list-status': shape('GET-02', 'data.page.items.*.status', GONE),
  'shape-top-up-attributes': shape('DTU-03', 'data.page.items.*.result.attributes', AS_TEXT),

  'shape-esim-activation': { ...shape('ESIM-11', ESIM, AS_TEXT), also: ['ESIM-21'] },
  'shape-esim-qr-code': shape('ESIM-12', `${ESIM}.qrCodeText`, AS_NUMBER),
  'shape-esim-iccid': shape('ESIM-13', `${ESIM}.iccid`, AS_NUMBER),
  'shape-esim-smdp-address': shape('ESIM-14', `${ESIM}.smdpAddress`, AS_NUMBER),
  'shape-esim-activation-code': shape('ESIM-15', `${ESIM}.activationCode`, AS_NUMBER),
  'shape-esim-ios-url': shape('ESIM-16', `${ESIM}.iosInstallUrl`, { kind: 'add', value: 42 }),
  'shape-esim-android-url': shape('ESIM-17', `${ESIM}.androidInstallUrl`, {
    kind: 'add',
    value: 42,
  }),
  'shape-esim-url-null': shape('ESIM-18', `${ESIM}.iosInstallUrl`, { kind: 'add', value: null }),

  'shape-gift': shape('SNAP-01', GIFT, AS_TEXT),
  'gift-tells-transaction': shape('SNAP-13', `${GIFT}.platformTransactionId`, {
    kind: 'add',
    value: 'T-4711',
  }),
  'shape-gift-delivery-state': shape('SNAP-02', `${GIFT}.deliveryState`, AS_NUMBER),
  'shape-gift-state': shape('SNAP-03', `${GIFT}.giftState`, AS_TEXT),
  'shape-gift-edition-name': shape('SNAP-04', `${GIFT}.editionName`, AS_NUMBER),
  'shape-gift-product-name': shape('SNAP-05', `${GIFT}.productName`, AS_NUMBER),
  'shape-gift-region': shape('SNAP-06', `${GIFT}.recipientRegion`, AS_NUMBER),
  'shape-gift-error-code': shape('SNAP-07', `${GIFT}.errorCode`, { kind: 'add', value: {} }),
  'gift-error-raw-body': shape('SNAP-07', `${GIFT}.errorCode`, {
    kind: 'add',
    value: '{"error":"bot 17 offline"}',
  }),
  'shape-gift-customer-action': shape('SNAP-08', `${GIFT}.requiresCustomerAction`, AS_TEXT),
  'shape-gift-resolution': shape('SNAP-09', `${GIFT}.resolutionRequired`, GONE),
  'shape-gift-retryable': shape('SNAP-11', `${GIFT}.retryable`, AS_TEXT),
  'shape-gift-updated-at': shape('SNAP-12', `${GIFT}.updatedAt`, AS_TEXT),
  'shape-quote-token': shape('GIFT-01', 'data.quoteToken', GONE),

  'shape-checkout-reference': shape('CART-03', 'data.referenceId', AS_NUMBER),
  'shape-checkout-total': shape('CART-06', 'data.totalPrice', AS_TEXT),
  'shape-checkout-orders': shape('CART-09', 'data.orders', AS_OBJECT),
  'shape-checkout-order': shape('CART-10', 'data.orders.*.orderId', GONE),
} as const satisfies Record<string, ShapeFault>

export type ShapeFaultName = keyof typeof SHAPE_FAULTS

/** Looks a fault up by its name, which may also be that of a fault of behaviour. */
export function shapeFault(name: string): ShapeFault | undefined {
  return Object.hasOwn(SHAPE_FAULTS, name) ? SHAPE_FAULTS[name as ShapeFaultName] : undefined
}
