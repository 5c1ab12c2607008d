/** From a validated plan to orders that are paid for and stored. */
import type { ApiKey } from '../auth/accounts.ts'
import type { Context } from '../context.ts'
import type { FaultSet } from '../faults.ts'
import { Refusal, refusal } from '../http/answer.ts'
import type { Answer } from '../http/answer.ts'
import { CODES } from '../http/status-codes.ts'
import { contended } from '../limits/limiter.ts'
import { totalMinor } from './order.ts'
import type { Order, OrderLine, Purchase } from './order.ts'
import { pay } from './spend.ts'
import type { Charge } from './cap.ts'

export type PurchasePlan = {
  readonly kind: Purchase['kind']
  readonly referenceId: string
  readonly lines: readonly OrderLine[]
  readonly canonicalPayload?: string
  readonly requestText?: string
}

/** How late one fault is. */
const LATE_MS = 5 * 60 * 1000

/** Creates the orders of a plan exactly once. Throws the refusal when it cannot; then the reference is free again. */
export async function purchase(
  context: Context,
  key: ApiKey,
  plan: PurchasePlan,
): Promise<Purchase> {
  const { faults, orders } = context
  const { referenceId } = plan
  if (orders.isBurnt(key, referenceId))
    throw refusal(409, CODES.conflict, 'The referenceId was used by a refused order.')
  const claimed = orders.claim(key, referenceId)
  if (!claimed && !faults.has('duplicates-race')) throw contended(context)
  try {
    return await pay(context, key, chargeOf(plan), () => deliver(context, key, plan))
  } catch (error) {
    if (error instanceof Refusal && burns(faults, error.answer)) orders.burn(key, referenceId)
    throw error
  } finally {
    orders.release(key, referenceId)
  }
}

function chargeOf({ kind, lines }: PurchasePlan): Charge {
  const unitsMinor = lines.map((line) => line.priceMinor / line.quantity)
  return {
    amountMinor: totalMinor(lines),
    largestMinor: Math.max(...lines.map((line) => line.priceMinor)),
    unitMinor: unitsMinor.reduce((sum, minor) => sum + minor, 0),
    kind: kind === 'checkout' ? kind : (lines[0]?.ordersType ?? 'shop'),
  }
}

/** Only faults keep a refused reference. */
function burns(faults: FaultSet, { httpStatus, errorCode }: Answer): boolean {
  if (errorCode === 'contention') return faults.has('contention-burns-reference')
  return httpStatus === 409 && faults.has('cap-refusal-burns-reference')
}

function deliver(context: Context, key: ApiKey, plan: PurchasePlan): Purchase {
  const { clock, faults, orders } = context
  const created = plan.lines.map((line, index) =>
    createOrder(context, key, referenceOf(plan, index, faults), line),
  )
  const { kind, referenceId, canonicalPayload, requestText } = plan
  const stored: Purchase = {
    kind,
    referenceId,
    key,
    orders: created,
    ...(canonicalPayload !== undefined && { canonicalPayload }),
    ...(requestText !== undefined && { requestText }),
  }
  if (!isLost(plan, faults)) orders.add(stored, clock.nowMs())
  return stored
}

/** Only a fault gives an order of a checkout another reference. */
function referenceOf({ kind, referenceId, lines }: PurchasePlan, index: number, faults: FaultSet) {
  const isApart = kind === 'checkout' && index > 0 && index === lines.length - 1
  return isApart && faults.has('checkout-order-apart') ? `${referenceId}-${index}` : referenceId
}

/** Only faults answer a purchase that they do not keep. */
function isLost({ kind, lines }: PurchasePlan, faults: FaultSet): boolean {
  const [line] = lines
  if (kind === 'checkout' || line === undefined) return false
  const { ordersType, quantity } = line
  if (ordersType === 'platform-gift') return faults.has('gift-order-lost')
  if (ordersType === 'dtu') return faults.has('top-up-lost')
  return ordersType === 'shop' && quantity === 1 && faults.has('purchase-lost')
}

function createOrder(
  { clock, faults, identifiers, orders, settings, variants }: Context,
  key: ApiKey,
  referenceId: string,
  line: OrderLine,
): Order {
  const serial = orders.nextSerial()
  const lateMs = line.ordersType === 'esim' && faults.has('esim-issued-late') ? LATE_MS : 0
  const waitMs = line.delivery.asynchronous ? settings.asyncCompletionMs + lateMs : 0
  const order: Order = {
    id: identifiers.orderId(serial),
    serial,
    line,
    key,
    referenceId,
    createdAtWallMs: clock.wallMs(),
    readyAtMs: clock.nowMs() + waitMs,
    terminalReads: 0,
  }
  if (line.delivery.outcome === 'CANCELLED') {
    const refund = { readyAtMs: order.readyAtMs, amountMinor: line.priceMinor }
    key.account.refunds.push(refund)
    if (variants.has('cancelled-frees-cap')) key.capRefunds.push(refund)
  }
  return order
}
