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

export type PurchasePlan = {
  readonly kind: Purchase['kind']
  readonly referenceId: string
  readonly lines: readonly OrderLine[]
  readonly canonicalPayload?: string
  readonly requestText?: string
}

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
  if (!claimed && !faults.has('duplicates-race')) throw contended(faults)
  try {
    return await pay(context, key, totalMinor(plan.lines), () => deliver(context, key, plan))
  } catch (error) {
    if (error instanceof Refusal && burns(faults, error.answer)) orders.burn(key, referenceId)
    throw error
  } finally {
    orders.release(key, referenceId)
  }
}

/** Only faults keep a refused reference. */
function burns(faults: FaultSet, { httpStatus, errorCode }: Answer): boolean {
  if (errorCode === 'contention') return faults.has('contention-burns-reference')
  return httpStatus === 409 && faults.has('cap-refusal-burns-reference')
}

function deliver(context: Context, key: ApiKey, plan: PurchasePlan): Purchase {
  const { clock, orders } = context
  const created = plan.lines.map((line) => createOrder(context, key, plan.referenceId, line))
  const { kind, referenceId, canonicalPayload, requestText } = plan
  const stored: Purchase = {
    kind,
    referenceId,
    key,
    orders: created,
    ...(canonicalPayload !== undefined && { canonicalPayload }),
    ...(requestText !== undefined && { requestText }),
  }
  orders.add(stored, clock.nowMs())
  return stored
}

function createOrder(
  { clock, identifiers, orders, settings }: Context,
  key: ApiKey,
  referenceId: string,
  line: OrderLine,
): Order {
  const serial = orders.nextSerial()
  const waitMs = line.delivery.asynchronous ? settings.asyncCompletionMs : 0
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
  if (line.delivery.outcome === 'CANCELLED')
    key.account.refunds.push({ readyAtMs: order.readyAtMs, amountMinor: line.priceMinor })
  return order
}
