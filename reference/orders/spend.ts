/** Paying for a purchase: quote, transaction limit, balance. Overspending is impossible: what is reserved counts as spent. */
import type { ApiKey } from '../model/accounts.ts'
import type { Context } from '../model/context.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
import { CROWDED } from '../faults/under-load.ts'
import { Refusal, refusal } from '../http/answer.ts'
import { CODES } from '../http/status-codes.ts'
import { contended, limitReached } from '../model/limiter.ts'
import { settleRefunds } from '../model/settle.ts'
import { noteCharge } from './cap-sums.ts'
import { chargedMinor, payingKey, requireHeadroom } from './cap.ts'
import { natureOf, type Charge, type Nature } from './charge.ts'

/** How often an order that waits looks again. */
const QUEUE_STEP_MS = 1

/** How long an order waits for its turn where it does not wait for ever. */
const BRIEF_WAIT_MS = 12

/** How long a fault holds a key after an order. */
const LINGER_MS = 300

type Payment<T> = {
  readonly context: Context
  /** The key whose cap and counter hold. */
  readonly key: ApiKey
  readonly charge: Charge
  /** Creates the orders, as of a moment. */
  readonly deliver: (nowMs: number) => T
}

/**
 * Takes the quote, reserves the amount, delivers the orders and commits. Throws the refusal of a contended key, of a
 * shop service that relays its own rate limit, of the transaction limit or of the balance; then nothing stays reserved.
 */
export function pay<T>(
  context: Context,
  buyer: ApiKey,
  charge: Charge,
  deliver: Payment<T>['deliver'],
): Promise<T> {
  const payment = { context, key: payingKey(context, buyer), charge, deliver }
  if (context.variants.has('shop-limit-relayed')) relayAtTimes(context, payment.key)
  if (context.variants.has('contention-queued')) return payQueued(payment, Infinity)
  if (context.variants.has('contention-queued-briefly')) return payQueued(payment, BRIEF_WAIT_MS)
  return payAtOnce(payment)
}

/** Purchases so far by key, counted for one variant alone. */
const attempts = new WeakMap<ApiKey, number>()

/** Of one variant, the shop service refuses each eleventh purchase of a key, beginning with the second, for its own rate limit. */
function relayAtTimes({ faults }: Context, key: ApiKey): void {
  const count = (attempts.get(key) ?? 0) + 1
  attempts.set(key, count)
  if (count % 11 === 2) throw limitReached(faults, 'The shop service is busy.', '2')
}

/** Variants let orders on a capped key wait for each other: until it is their turn, or so long. */
async function payQueued<T>(payment: Payment<T>, waitMsMax: number): Promise<T> {
  const { key } = payment
  const { clock } = payment.context
  const untilMs = clock.nowMs() + waitMsMax
  while (key.limitMinor !== undefined && key.ordersInFlight > 0 && clock.nowMs() < untilMs)
    await clock.sleep(QUEUE_STEP_MS)
  return payAtOnce(payment)
}

async function payAtOnce<T>(payment: Payment<T>): Promise<T> {
  const { context, key, charge } = payment
  const { clock, faults, settings } = context
  const isRacing = checksFirst(faults, charge, key)
  if (isRacing) requireHeadroom(faults, { key, charge })
  enterCounter(payment, isRacing)
  noteKind(faults, key, charge.kind)
  const usedBeforeMinor = key.usedMinor
  if (settings.quoteLatencyMs > 0) await clock.sleep(settings.quoteLatencyMs)
  return settle(payment, { usedBeforeMinor, isRacing })
}

/** Only faults look at the cap before the quote and charge after it. */
function checksFirst(faults: FaultSet, charge: Charge, key: ApiKey): boolean {
  const { kind } = charge
  if (faults.isEmpty) return false
  if (faults.has('spend-check-then-act')) return true
  if (faults.has('kinds-overspend')) return !kindsInFlight.get(key)?.includes(kind)
  const natures: readonly Nature[] = [kind, natureOf(charge)]
  return OVERSPENDING.some(([name, overspent]) => natures.includes(overspent) && faults.has(name))
}

const OVERSPENDING: readonly (readonly [FaultName, Nature])[] = [
  ['later-overspend', 'later'],
  ['long-orders-overspend', 'long'],
  ['units-overspend', 'units'],
  ['checkouts-overspend', 'checkout'],
  ['top-ups-overspend', 'dtu'],
  ['esims-overspend', 'esim'],
  ['gift-orders-overspend', 'platform-gift'],
]

/** What is being paid for with a key; only a fault keeps it. */
const kindsInFlight = new WeakMap<ApiKey, Charge['kind'][]>()

function noteKind({ isEmpty }: FaultSet, key: ApiKey, kind: Charge['kind']): void {
  if (!isEmpty) kindsInFlight.set(key, [...(kindsInFlight.get(key) ?? []), kind])
}

function forgetKind({ isEmpty }: FaultSet, key: ApiKey, kind: Charge['kind']): void {
  if (isEmpty) return
  const kinds = kindsInFlight.get(key) ?? []
  const at = kinds.indexOf(kind)
  kindsInFlight.set(
    key,
    kinds.filter((_, index) => index !== at),
  )
}

/** How things stood before the quote. */
type Before = {
  readonly usedBeforeMinor: number
  /** Only by a fault: the cap was looked at then, and is not again. */
  readonly isRacing: boolean
}

/** From the quote to the commit. Runs without an await, so nothing comes in between. */
function settle<T>(payment: Payment<T>, { usedBeforeMinor, isRacing }: Before): T {
  const { context, key, charge, deliver } = payment
  const { clock, faults } = context
  try {
    if (faults.hasNoted('contention-livelock', key.id)) throw contended(context)
    requireQuote(faults, key)
    const nowMs = clock.nowMs()
    forgetUsed(faults, key, nowMs)
    freeCancelled(key, nowMs)
    const usedMinor = faults.has('spend-lost-update') ? usedBeforeMinor : key.usedMinor
    if (!isRacing) requireHeadroom(faults, { key, charge, usedMinor })
    settleRefunds(key.account, nowMs)
    key.paidAtMs = nowMs
    return commit(payment, usedMinor + chargedMinor(faults, charge), nowMs)
  } catch (error) {
    if (isCapRefusal(error) && faults.has('cap-refusal-leaves-order')) deliver(clock.nowMs())
    throw error
  } finally {
    key.ordersInFlight--
    forgetKind(faults, key, charge.kind)
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

/** The key with a cap that bought last in its account; only a fault keeps it. */
const lastBuyers = new WeakMap<ApiKey['account'], ApiKey>()

/** Only faults take the counter back by themselves. */
function forgetUsed(faults: FaultSet, key: ApiKey, nowMs: number): void {
  const windowMs = key.account.limits.default.windowSeconds * 1000
  if (faults.has('cap-resets-with-window') && nowMs - key.paidAtMs > windowMs) key.usedMinor = 0
  if (!faults.has('cap-forgotten-by-turns') || key.limitMinor === undefined) return
  if ((lastBuyers.get(key.account) ?? key) !== key) key.usedMinor = 0
  lastBuyers.set(key.account, key)
}

/** Only a fault of a busy service loses a charge. */
function isChargeLost(faults: FaultSet, nowMs: number): boolean {
  const fault = 'busy-charges-lost'
  return faults.has(fault) && faults.crowd.isFull(fault, nowMs, CROWDED.queue)
}

/** One order at a time holds a capped key between quote and commit; the others are refused with a Retry-After. */
function enterCounter(
  { context, key, charge, deliver }: Payment<unknown>,
  isRacing: boolean,
): void {
  const { clock, faults, variants } = context
  const races = isRacing || faults.has('spend-lost-update')
  const lingers =
    faults.has('contention-for-ever') ||
    (faults.has('contention-lingers') && clock.nowMs() - key.paidAtMs < LINGER_MS)
  const contends = key.limitMinor !== undefined || variants.has('contention-for-all')
  if (contends && (key.ordersInFlight > 0 || lingers) && !races) {
    const { amountMinor, kind } = charge
    if (kind === 'checkout' && faults.has('contended-checkout-debits'))
      key.account.balanceMinor -= amountMinor
    if (
      faults.has('contention-leaks-reservation') ||
      (kind === 'esim' && faults.has('contended-esim-leaks'))
    )
      key.reservedMinor += amountMinor
    if (
      faults.has('contention-creates-order') ||
      (kind === 'dtu' && faults.has('contended-top-up-created'))
    )
      deliver(clock.nowMs())
    if (key.ordersInFlight > 0) faults.note('contention-livelock', key.id)
    if (
      (kind === 'checkout' && faults.has('carts-contend-as-502')) ||
      (kind === 'dtu' && faults.has('top-ups-contend-as-502'))
    )
      throw refusal(502, CODES.upstreamError, 'Another order is being created.')
    const refused = contended(context)
    if (kind === 'checkout' && faults.has('contended-checkout-without-wait'))
      throw new Refusal({ ...refused.answer, headers: [] })
    throw refused
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

function commit<T>(payment: Payment<T>, usedAfterMinor: number, nowMs: number): T {
  const { key, charge, deliver, context } = payment
  const { faults } = context
  const { account } = key
  const { amountMinor } = charge
  if (amountMinor > account.balanceMinor)
    throw refusal(409, CODES.conflict, 'The balance of the account does not cover the order.', {
      errorCode: 'insufficient_funds',
    })
  key.reservedMinor += amountMinor
  try {
    const delivered = deliver(nowMs)
    account.balanceMinor -= amountMinor
    if (!isChargeLost(faults, nowMs)) key.usedMinor = usedAfterMinor
    if (!faults.isEmpty) noteCharge(faults, key, charge)
    return delivered
  } finally {
    key.reservedMinor -= amountMinor
  }
}
