/** What was bought. State is never stored: it follows from the clock. */
import { type OrdersType, TERMINAL_STATUSES, type TransactionStatus } from '../../contract/wire.ts'
import type { ApiKey } from './accounts.ts'
import type { Delivery } from './catalog.ts'
import type { FaultSet } from '../faults/faults.ts'

/** One position as validated and priced. */
export type OrderLine = {
  readonly ordersType: OrdersType
  readonly quantity: number
  readonly priceMinor: number
  readonly currency: string
  readonly delivery: Delivery
  /** Direct top-up: whom it tops up, and with how much. */
  readonly topUp?: { readonly account: string; readonly amount: number }
  readonly gift?: GiftLine
  readonly isLong?: true
  /** Whether the amount of a top-up is a count of units. */
  readonly isCounted?: true
}

export type GiftLine = {
  readonly editionName: string
  readonly productName: string
  readonly recipientRegion: string
}

export type Order = {
  readonly id: string
  /** Identifiers and codes derive from it. */
  readonly serial: number
  readonly line: OrderLine
  readonly key: ApiKey
  readonly referenceId: string
  readonly createdAtWallMs: number
  /** Monotonic moment from which the outcome holds. */
  readonly readyAtMs: number
  /** Monotonic moment from which it can be read: that of its creation, but for a variant. */
  readonly foundAtMs: number
}

/** All that was bought under one reference: one order, or the children of a checkout. */
export type Purchase = {
  readonly kind: 'order' | 'checkout'
  readonly referenceId: string
  readonly key: ApiKey
  readonly orders: readonly Order[]
  /** Platform gifts: what a replay must repeat. */
  readonly canonicalPayload: string | undefined
  /** Text of the request, kept only for the fault that compares it. */
  readonly requestText: string | undefined
}

export function statusOf(order: Order, nowMs: number, faults: FaultSet): TransactionStatus {
  if (nowMs < order.readyAtMs || faults.has('async-never-finishes')) return notYet(order, faults)
  if (order.line.isLong === true && faults.has('long-order-never-finishes'))
    return notYet(order, faults)
  if (faults.hasNoted('busy-orders-stay-pending', order.id)) return notYet(order, faults)
  if (faults.hasNoted('async-second-never-finishes', order.id)) return notYet(order, faults)
  const { outcome } = order.line.delivery
  return faults.isEmpty ? outcome : afterReading(order, outcome, faults)
}

/** To be told of each reading that showed a terminal state: faults look at them. */
export function noteTerminalRead(order: Order, faults: FaultSet): void {
  if (!faults.isEmpty) faults.countRead(order.id)
}

/** Only faults change the state of an order that was read as finished. */
function afterReading(
  order: Order,
  outcome: TransactionStatus,
  faults: FaultSet,
): TransactionStatus {
  const reads = faults.reads(order.id)
  if (reads === 0) return outcome
  if (faults.has('terminal-state-reverts')) return notYet(order, faults)
  const isReadAgain = !order.line.delivery.asynchronous && reads > 1
  if (isReadAgain && faults.has('success-at-once-reverts')) return 'IN_PROGRESS'
  if (outcome === 'CANCELLED' && faults.has('cancelled-reverts')) return 'SUCCESS'
  if (outcome === 'PARTIALLY_COMPLETED' && faults.has('partial-reverts')) return 'SUCCESS'
  return isTurned(order.line, faults) ? 'CANCELLED' : outcome
}

/** Faults that turn finished orders of one kind. */
const TURNED = {
  esim: 'esim-reverts',
  'platform-gift': 'gift-reverts',
  dtu: 'top-up-reverts',
  shop: undefined,
} as const

function isTurned({ ordersType }: OrderLine, faults: FaultSet): boolean {
  const name = TURNED[ordersType]
  return name !== undefined && faults.has(name)
}

/** What an order shows before it is ready; one that completes at once is ready from the start. */
function notYet({ line }: Order, faults: FaultSet): TransactionStatus {
  const { asynchronous, outcome } = line.delivery
  if (line.ordersType === 'esim' && faults.has('esim-pending-partial')) return 'PARTIALLY_COMPLETED'
  return asynchronous ? 'IN_PROGRESS' : outcome
}

export function isEsim({ orders }: Purchase): boolean {
  return orders.every((order) => order.line.ordersType === 'esim')
}

export function isTerminal(status: TransactionStatus): boolean {
  return (TERMINAL_STATUSES as readonly TransactionStatus[]).includes(status)
}

/** One status for several orders (CHOICES.md): pending while any is, equal where all agree, partial otherwise. */
export function aggregateStatus(statuses: readonly TransactionStatus[]): TransactionStatus {
  const [first = 'SUCCESS'] = statuses
  if (statuses.includes('IN_PROGRESS')) return 'IN_PROGRESS'
  return statuses.every((status) => status === first) ? first : 'PARTIALLY_COMPLETED'
}

export function totalMinor(lines: readonly OrderLine[]): number {
  return lines.reduce((sum, line) => sum + line.priceMinor, 0)
}
