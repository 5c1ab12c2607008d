/** Orders as clients see them: PurchaseResponse, with codes in the clear or masked. */
import type { TransactionStatus } from '../../contract/wire.ts'
import type { Context } from '../context.ts'
import { moneyNumber } from '../money.ts'
import { presentGift } from '../gifts/present.ts'
import { isTerminal, statusOf } from './order.ts'
import type { Order } from './order.ts'

export type View = {
  /** Moment that all states of one answer are read at. */
  readonly nowMs: number
  /** Whether codes are shown in the clear. */
  readonly reveal: boolean
}

const VOUCHER_LIFETIME_MS = 365 * 24 * 60 * 60 * 1000

/** A masked code keeps its shape only. */
export function mask(code: string): string {
  return code.replaceAll(/[\dA-Za-z]/g, '*')
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
  const result = presentResult(context, order, status, view)
  if (isTerminal(status)) order.terminalReads++
  return {
    orderId: order.id,
    referenceId: order.referenceId,
    ordersType: line.ordersType,
    quantity: line.quantity,
    currency: line.currency,
    price: moneyNumber(line.priceMinor),
    status,
    createdAt: presentCreatedAt(context, order),
    ...(result !== undefined && { result }),
  }
}

function presentCreatedAt({ faults }: Context, order: Order): string {
  const text = new Date(order.createdAtWallMs).toISOString()
  return faults.has('created-at-without-zone') ? text.slice(0, -1).replace('T', ' ') : text
}

/** A pending eSIM has no payload, whatever status a fault gives it. */
function isPendingEsim({ line, readyAtMs }: Order, { nowMs }: View): boolean {
  return line.ordersType === 'esim' && nowMs < readyAtMs
}

function pendingResult({ faults }: Context, { line }: Order): object | null | undefined {
  if (line.ordersType === 'esim') return faults.has('esim-pending-result-empty') ? {} : null
  return faults.has('pending-result-null') ? null : undefined
}

function presentTopUp(context: Context, order: Order): object {
  const attributes = presentAttributes(context, order)
  if (!context.faults.has('dtu-with-vouchers')) return { attributes }
  return { attributes, vouchers: [{ pin: context.identifiers.code(order.serial, 0) }] }
}

/** Null while an eSIM payload is pending; absent while another order is. */
function presentResult(
  context: Context,
  order: Order,
  status: TransactionStatus,
  view: View,
): object | null | undefined {
  const { ordersType } = order.line
  if (ordersType === 'platform-gift') return presentGift(order, status)
  if (status === 'IN_PROGRESS' || isPendingEsim(order, view)) return pendingResult(context, order)
  if (ordersType === 'dtu') return presentTopUp(context, order)
  if (ordersType === 'esim')
    return status === 'SUCCESS' ? { esim: presentEsim(context, order, view.reveal) } : {}
  if (context.faults.has('shop-delivers-attributes')) return { attributes: {} }
  if (context.faults.has('async-codes-missing') && order.line.delivery.asynchronous)
    if (status === 'SUCCESS') return { vouchers: [] }
  return { vouchers: presentVouchers(context, order, status, view.reveal) }
}

function presentAttributes({ identifiers }: Context, { line, serial }: Order): object {
  return {
    account: line.topUp?.account,
    amount: line.topUp?.amount,
    operatorReference: identifiers.digits(serial, 0, 12),
  }
}

/** A partial order delivers half of its codes, one at least; a cancelled one delivers none. */
function deliveredCount(order: Order, status: TransactionStatus): number {
  const { quantity } = order.line
  if (status === 'CANCELLED') return 0
  return status === 'PARTIALLY_COMPLETED' ? Math.max(1, Math.floor(quantity / 2)) : quantity
}

function presentVouchers(
  { identifiers, faults }: Context,
  order: Order,
  status: TransactionStatus,
  reveal: boolean,
): object[] {
  const expiration = new Date(order.createdAtWallMs + VOUCHER_LIFETIME_MS).toISOString()
  return Array.from({ length: deliveredCount(order, status) }, (_, index) => {
    const code = identifiers.code(order.serial, index)
    const voucher = {
      pin: reveal ? code : mask(code),
      serialNumber: `SN${identifiers.digits(order.serial, index, 10)}`,
      expiration,
    }
    return faults.has('masked-code-in-note') ? { ...voucher, note: `Redeem ${code}` } : voucher
  })
}

/** Declared fields and what the supplier adds. A payload without a usable qrCodeText is passed on as it is. */
function presentEsim({ identifiers, faults }: Context, order: Order, reveal: boolean): object {
  const { serial } = order
  const matching = identifiers.code(serial, 0)
  const shown = reveal ? matching : mask(matching)
  const smdpAddress = 'smdp.supplier.example'
  if (order.line.delivery.rawPayload) {
    const raw = { lpa: `1$${smdpAddress}$${shown}`, profile: 'held' }
    return faults.has('esim-payload-invented') ? { ...raw, qrCodeText: '' } : raw
  }
  return {
    qrCodeText: `LPA:1$${smdpAddress}$${shown}`,
    iccid: `89${identifiers.digits(serial, 0, 17)}`,
    smdpAddress,
    activationCode: shown,
    supplierPlan: 'traveller',
  }
}
