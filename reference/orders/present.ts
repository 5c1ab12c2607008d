/** Orders as clients see them: PurchaseResponse, with codes in the clear or masked. */
import type { TransactionStatus } from '../../contract/wire.ts'
import type { Context } from '../model/context.ts'
import type { FaultSet } from '../faults/faults.ts'
import { moneyNumber } from '../base/money.ts'
import { presentGift } from '../gifts/present.ts'
import type { VariantSet } from '../base/variants.ts'
import { type Order, isTerminal, noteTerminalRead, statusOf } from '../model/order.ts'

export type View = {
  /** Moment that all states of one answer are read at. */
  readonly nowMs: number
  /** Whether codes are shown in the clear. */
  readonly reveal: boolean
}

/** The status that the answer shows. */
type Shown = { readonly status: TransactionStatus }

/** How far one fault's local time is ahead. */
const ZONE_MS = 2 * 60 * 60 * 1000

const VOUCHER_LIFETIME_MS = 365 * 24 * 60 * 60 * 1000

/** Moments as ISO 8601 in UTC. Many orders are of one millisecond, so the last text is kept. */
function isoTexts(): (wallMs: number) => string {
  let [lastMs, text] = [Number.NaN, '']
  return (wallMs) => {
    if (wallMs !== lastMs) text = new Date(wallMs).toISOString()
    lastMs = wallMs
    return text
  }
}

export const createdAtOf = isoTexts()
const expirationOf = isoTexts()

/** A masked code keeps its shape only. */
export function mask(code: string): string {
  return code.replaceAll(/[\dA-Za-z]/g, '*')
}

/** Variants mask pins in ways of their own; undefined: the pin is left out. */
function maskedPin(variants: VariantSet, code: string): string | null | undefined {
  if (variants.has('masked-null')) return null
  if (variants.has('masked-absent')) return undefined
  if (variants.has('masked-fixed')) return '****'
  return variants.has('masked-last-two') ? mask(code.slice(0, -2)) + code.slice(-2) : mask(code)
}

export type PresentedOrder = {
  readonly orderId: string
  readonly referenceId: string
  readonly status: TransactionStatus
  readonly [property: string]: unknown
}

export function presentOrder(context: Context, order: Order, view: View): PresentedOrder {
  const { line } = order
  const status = statusOf(order, view.nowMs, context.faults)
  if (isTerminal(status)) noteTerminalRead(order, context.faults)
  return {
    orderId: order.id,
    referenceId: order.referenceId,
    ordersType: line.ordersType,
    quantity: line.quantity,
    currency: isSettledInEur(order, status, context.faults) ? 'EUR' : line.currency,
    price: moneyNumber(line.priceMinor + surcharge(order, status, context.faults)),
    ...(context.variants.has('orders-show-totals') && {
      totalPrice: { amount: moneyNumber(line.priceMinor), currency: line.currency },
    }),
    status,
    createdAt: presentCreatedAt(context, order, status),
    result: presentResult(context, order, { ...view, status }),
  }
}

/** Only a fault changes the currency when an eSIM is issued. */
function isSettledInEur({ line }: Order, status: TransactionStatus, faults: FaultSet): boolean {
  return line.ordersType === 'esim' && isTerminal(status) && faults.has('esim-issued-in-eur')
}

/** Only a fault changes the price when what came later has ended. */
function surcharge({ line }: Order, status: TransactionStatus, faults: FaultSet): number {
  const isLater = line.delivery.asynchronous && isTerminal(status)
  return isLater && faults.has('price-moves-at-the-end') ? 1 : 0
}

/** Only a fault gives all orders the time of the oldest. */
function createdMs(orders: Context['orders'], faults: FaultSet, order: Order): number {
  const isOldest = faults.has('created-at-of-oldest-order')
  return (isOldest ? orders.oldestAtWallMs : undefined) ?? order.createdAtWallMs
}

function presentCreatedAt(
  { faults, orders, variants }: Context,
  order: Order,
  status: TransactionStatus,
): string | undefined {
  const aheadMs = faults.has('created-at-local-time') ? ZONE_MS : 0
  const text = createdAtOf(createdMs(orders, faults, order) + aheadMs)
  if (status === 'IN_PROGRESS' && variants.has('created-at-absent-while-pending')) return undefined
  if (variants.has('created-at-micros')) return text.replace('Z', '123Z')
  if (variants.has('created-at-offset')) return text.replace('Z', '+00:00')
  const isBare = faults.has('created-at-without-zone')
  return isBare ? text.slice(0, -1).replace('T', ' ') : text
}

/** A pending eSIM has no payload, whatever status a fault gives it. */
function isPendingEsim({ line, readyAtMs }: Order, { nowMs }: View): boolean {
  return line.ordersType === 'esim' && nowMs < readyAtMs
}

function pendingResult({ faults, variants }: Context, { line }: Order): object | null | undefined {
  if (line.ordersType === 'esim') return pendingEsim(faults)
  if (variants.has('pending-result-empty')) return {}
  return variants.has('pending-result-null') ? null : undefined
}

function pendingEsim(faults: FaultSet): object | null {
  return faults.has('esim-pending-placeholder') ? { esim: { qrCodeText: '' } } : null
}

function presentTopUp(context: Context, order: Order): object {
  const { faults } = context
  const { isCounted = false } = order.line
  if (isCounted && faults.has('units-without-attributes')) return {}
  const attributes = presentAttributes(context, order)
  if (!faults.has(isCounted ? 'units-with-vouchers' : 'dtu-with-vouchers')) return { attributes }
  return { attributes, vouchers: [{ pin: context.identifiers.code(order.serial, 0) }] }
}

/** Null while an eSIM payload is pending; absent while another order is. */
function presentResult(
  context: Context,
  order: Order,
  view: View & Shown,
): object | null | undefined {
  const { status } = view
  const { ordersType } = order.line
  if (ordersType === 'platform-gift') return presentGift(order, status, context.faults)
  if (status === 'IN_PROGRESS' && ordersType === 'shop' && isShownEarly(context.faults, view))
    return { vouchers: presentVouchers(context, order, { status, reveal: true }) }
  if (status === 'IN_PROGRESS' || isPendingEsim(order, view)) return pendingResult(context, order)
  if (ordersType === 'dtu') return presentTopUp(context, order)
  if (ordersType === 'esim')
    return status === 'SUCCESS' ? esimResult(context, order, view.reveal) : {}
  if (context.faults.has('finished-result-null') && !view.reveal) return null
  if (context.faults.has('shop-delivers-attributes')) return { attributes: {} }
  if (context.faults.has('async-codes-missing') && order.line.delivery.asynchronous)
    if (status === 'SUCCESS') return { vouchers: [] }
  if (status === 'PARTIALLY_COMPLETED' && context.variants.has('partial-result-null'))
    if (deliveredCount(order, status, context) === 0) return null
  const isKept = status === 'PARTIALLY_COMPLETED' && context.faults.has('partial-codes-hidden')
  const shown = { status, reveal: view.reveal && !isKept }
  return { vouchers: presentVouchers(context, order, shown) }
}

/** Only a fault shows the codes of an order that has not ended. */
function isShownEarly(faults: FaultSet, { reveal }: Pick<View, 'reveal'>): boolean {
  return faults.has('pending-unmasked') || (reveal && faults.has('pending-codes-with-unhide'))
}

function esimResult(context: Context, order: Order, reveal: boolean): object {
  const esim = presentEsim(context, order, reveal)
  const isBare = order.line.delivery.rawPayload && context.variants.has('esim-raw-at-result')
  if (isBare) return esim
  const isTwice = !order.line.delivery.rawPayload && context.faults.has('esim-delivers-two')
  return { esim: isTwice ? [esim, esim] : esim }
}

function presentAttributes({ identifiers }: Context, { line, serial }: Order): object {
  return {
    account: line.topUp?.account,
    amount: line.topUp?.amount,
    operatorReference: identifiers.digits(serial, 0, 12),
  }
}

/** A partial order delivers half of its codes, here one at least; a cancelled one delivers none. */
function deliveredCount(order: Order, status: TransactionStatus, context: Context): number {
  const { faults, variants } = context
  const { quantity, isLong, delivery } = order.line
  if (status === 'CANCELLED') return 0
  if (isLong === true && faults.has('long-order-delivers-half')) return Math.ceil(quantity / 2)
  if (faults.has('checkout-delivers-one-each') && isOfCheckout(context, order)) return 1
  if (faults.has('checkout-last-delivers-one') && isLastOfCheckout(context, order)) return 1
  const isLater = isLong !== true && delivery.asynchronous && status === 'SUCCESS'
  if (isLater && quantity > 1 && faults.has('later-order-lacks-one')) return quantity - 1
  if (faults.has('quantity-delivers-ten')) return Math.min(quantity, 10)
  if (status !== 'PARTIALLY_COMPLETED') return quantity
  const mayBeEmpty = variants.has('partial-of-one-empty') || variants.has('partial-result-null')
  const countMin = mayBeEmpty ? 0 : 1
  return Math.max(countMin, Math.floor(quantity / 2))
}

function isLastOfCheckout({ orders }: Pick<Context, 'orders'>, order: Order): boolean {
  const purchase = orders.purchase(order.key, order.referenceId, 'checkout')
  return purchase?.kind === 'checkout' && purchase.orders.at(-1) === order
}

function isOfCheckout(
  { orders }: Pick<Context, 'orders'>,
  { key, referenceId }: Pick<Order, 'key' | 'referenceId'>,
): boolean {
  return orders.purchase(key, referenceId, 'checkout')?.kind === 'checkout'
}

/** Only faults show other codes than those that are asked for. */
function shows(
  { faults, orders }: Context,
  { key, line, referenceId }: Order,
  { reveal, index }: { readonly reveal: boolean; readonly index: number },
): boolean {
  if (faults.isEmpty) return reveal
  const { delivery } = line
  if (reveal && line.isLong === true && faults.has('long-order-stays-masked')) return false
  if (reveal && index > 0 && faults.has('unhide-reveals-first-code')) return false
  if (reveal && index > 9 && faults.has('unhide-reveals-ten-codes')) return false
  return (
    reveal ||
    (index > 9 && faults.has('eleventh-code-unmasked')) ||
    (delivery.outcome === 'PARTIALLY_COMPLETED' && faults.has('partial-unmasked')) ||
    (faults.has('checkout-unmasked') && isOfCheckout({ orders }, { key, referenceId })) ||
    (delivery.asynchronous &&
      faults.has('later-checkout-unmasked') &&
      isOfCheckout({ orders }, { key, referenceId }))
  )
}

/** Faults write the code in another way and mask nothing, or hide two characters of it. */
function maskedAs({ faults, variants }: Context, code: string): string | null | undefined {
  if (faults.has('masked-but-for-two')) return code.slice(0, -2) + mask(code.slice(-2))
  if (faults.has('masked-codes-backwards')) return Array.from(code).toReversed().join('')
  if (faults.has('masked-codes-in-hex')) return Buffer.from(code).toString('hex')
  return faults.has('masked-codes-in-groups')
    ? code.replaceAll('-', '').replaceAll(/.{3}/g, '$& ')
    : maskedPin(variants, code)
}

/** What a voucher has beside its pin; variants make it null, or leave it out. */
function optional(variants: VariantSet, text: string): string | null | undefined {
  if (variants.has('voucher-sparse')) return undefined
  return variants.has('voucher-nulls') ? null : text
}

/** Only faults give every piece of an order the same voucher. */
function hasOneCode({ faults, orders }: Context, order: Order): boolean {
  return (
    faults.has('vouchers-of-one-code') ||
    (order.line.isLong === true && faults.has('long-order-of-one-code')) ||
    (faults.has('checkout-vouchers-of-one-code') && isOfCheckout({ orders }, order))
  )
}

function presentVouchers(
  context: Context,
  order: Order,
  { status, reveal }: Pick<View, 'reveal'> & Shown,
): object[] {
  const { identifiers, faults, variants } = context
  const expiration = expirationOf(order.createdAtWallMs + VOUCHER_LIFETIME_MS)
  const isOne = hasOneCode(context, order)
  return Array.from({ length: deliveredCount(order, status, context) }, (_, piece) => {
    const isAgain = piece === 2 && faults.has('third-voucher-repeats-second')
    const index = isOne ? 0 : isAgain ? 1 : piece
    const code = identifiers.code(order.serial, index)
    const voucher = {
      pin: shows(context, order, { reveal, index }) ? code : maskedAs(context, code),
      serialNumber: optional(variants, `SN${identifiers.digits(order.serial, index, 10)}`),
      expiration: optional(variants, expiration),
    }
    return faults.has('masked-code-in-note') ? { ...voucher, note: `Redeem ${code}` } : voucher
  })
}

/** Declared fields and what the supplier adds. A payload without a usable qrCodeText is passed on as it is. */
function presentEsim(
  { identifiers, faults, variants }: Context,
  order: Order,
  reveal: boolean,
): object {
  const { serial } = order
  const matching = identifiers.code(serial, 0)
  const shown = reveal ? matching : mask(matching)
  const smdpAddress = 'smdp.supplier.example'
  if (order.line.delivery.rawPayload) {
    const raw = { lpa: `1$${smdpAddress}$${shown}`, profile: 'held' }
    if (faults.has('esim-payload-invented')) return { ...raw, qrCodeText: `LPA:${raw.lpa}` }
    return variants.has('esim-raw-code-null') ? { ...raw, qrCodeText: null } : raw
  }
  const qrCodeText = `LPA:1$${smdpAddress}$${shown}`
  if (variants.has('esim-sparse')) return { qrCodeText }
  return {
    qrCodeText,
    iccid: `89${identifiers.digits(serial, 0, 17)}`,
    smdpAddress,
    activationCode: shown,
    ...(variants.has('esim-fields-empty') && { iosInstallUrl: '' }),
    supplierPlan: 'traveller',
  }
}
