/** Paying for a purchase: quote, transaction limit, balance. Overspending is impossible: what is reserved counts as spent. */
import type { ApiKey } from '../auth/accounts.ts'
import type { Context } from '../context.ts'
import type { FaultSet } from '../faults.ts'
import { Refusal, refusal } from '../http/answer.ts'
import { CODES } from '../http/status-codes.ts'
import { contended, limitReached } from '../limits/limiter.ts'
import { settleRefunds } from '../funds/settle.ts'
import { chargedMinor, payingKey, requireHeadroom } from './cap.ts'
import type { Charge } from './cap.ts'

/** How often an order that waits looks again. */
const QUEUE_STEP_MS = 1

/** How long a fault holds a key after an order. */
const LINGER_MS = 300

/**
 * Takes the quote, reserves the amount, lets `deliver` create the orders and commits. Throws the refusal of a contended key, of a
 * shop service that relays its own rate limit, of the transaction limit or of the balance; then nothing stays reserved.
 */
export async function pay<T>(
  context: Context,
  buyer: ApiKey,
  charge: Charge,
  deliver: () => T,
): Promise<T> {
  const { clock, faults, settings, variants } = context
  const key = payingKey(context, buyer)
  if (variants.has('contention-queued'))
    while (key.limitMinor !== undefined && key.ordersInFlight > 0) await clock.sleep(QUEUE_STEP_MS)
  enterCounter(context, key, charge, deliver)
  const usedBeforeMinor = key.usedMinor
  try {
    const checksEarly = faults.has('spend-check-then-act')
    if (checksEarly) requireHeadroom(faults, key, key.usedMinor, charge)
    if (settings.quoteLatencyMs > 0) await clock.sleep(settings.quoteLatencyMs)
    if (faults.hasNoted('contention-livelock', key.id)) throw contended(context)
    requireQuote(faults, key)
    forgetUsed(context, key)
    freeCancelled(key, clock.nowMs())
    const usedMinor = faults.has('spend-lost-update') ? usedBeforeMinor : key.usedMinor
    if (!checksEarly) requireHeadroom(faults, key, usedMinor, charge)
    settleRefunds(key.account, clock.nowMs())
    key.paidAtMs = clock.nowMs()
    return commit(key, usedMinor + chargedMinor(faults, charge), charge, deliver)
  } catch (error) {
    if (isCapRefusal(error) && faults.has('cap-refusal-leaves-order')) deliver()
    throw error
  } finally {
    key.ordersInFlight--
    if (key.ordersInFlight === 0) faults.forget('contention-livelock', key.id)
  }
}

/** Only a variant keeps what cancelled orders gave back. */
function freeCancelled(key: ApiKey, nowMs: number): void {
  if (key.capRefunds.length === 0) return
  for (const { readyAtMs, amountMinor } of key.capRefunds)
    if (readyAtMs <= nowMs) key.usedMinor -= amountMinor
  key.capRefunds = key.capRefunds.filter((refund) => refund.readyAtMs > nowMs)
}

function isCapRefusal(error: unknown): boolean {
  return error instanceof Refusal && error.answer.statusCode === CODES.apiKeyLimitExceeded
}

/** Only a fault takes the counter back by itself. */
function forgetUsed({ clock, faults }: Context, key: ApiKey): void {
  const windowMs = key.account.limits.default.windowSeconds * 1000
  if (faults.has('cap-resets-with-window') && clock.nowMs() - key.paidAtMs > windowMs)
    key.usedMinor = 0
}

/** One order at a time holds a capped key between quote and commit; the others are told to come back. */
function enterCounter(
  context: Context,
  key: ApiKey,
  { amountMinor }: Charge,
  deliver: () => unknown,
): void {
  const { clock, faults, variants } = context
  const races = faults.has('spend-check-then-act') || faults.has('spend-lost-update')
  const lingers =
    faults.has('contention-for-ever') ||
    (faults.has('contention-lingers') && clock.nowMs() - key.paidAtMs < LINGER_MS)
  const contends = key.limitMinor !== undefined || variants.has('contention-for-all')
  if (contends && (key.ordersInFlight > 0 || lingers) && !races) {
    if (faults.has('contention-leaks-reservation')) key.reservedMinor += amountMinor
    if (faults.has('contention-creates-order')) deliver()
    if (key.ordersInFlight > 0) faults.note('contention-livelock', key.id)
    throw contended(context)
  }
  if (key.limitMinor === undefined && key.ordersInFlight > 0) failUncapped(faults)
  key.ordersInFlight++
}

/** Only a fault fails where orders overlap on a key without a cap. */
function failUncapped(faults: FaultSet): void {
  if (faults.has('contention-bad-gateway-uncapped'))
    throw refusal(502, CODES.internalError, 'Concurrent orders got in each other’s way.')
}

function requireQuote(faults: FaultSet, key: ApiKey): void {
  const { shopRefusals } = key.account
  if (shopRefusals.left <= 0) return
  shopRefusals.left--
  const message = 'The shop service reached its rate limit; the order was not created.'
  throw limitReached(faults, message, String(shopRefusals.retryAfterSeconds))
}

/** Runs without an await, so nothing comes between the check, the orders and the counter. */
function commit<T>(
  key: ApiKey,
  usedAfterMinor: number,
  { amountMinor }: Charge,
  deliver: () => T,
): T {
  const { account } = key
  if (amountMinor > account.balanceMinor)
    throw refusal(409, CODES.conflict, 'The balance of the account does not cover the order.', {
      errorCode: 'insufficient_funds',
    })
  key.reservedMinor += amountMinor
  try {
    const delivered = deliver()
    account.balanceMinor -= amountMinor
    key.usedMinor = usedAfterMinor
    return delivered
  } finally {
    key.reservedMinor -= amountMinor
  }
}
