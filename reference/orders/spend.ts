/** Paying for a purchase: quote, transaction limit, balance. Overspending is impossible: what is reserved counts as spent. */
import { ERROR_CODE_TRANSACTION_LIMIT } from '../../contract/wire.ts'
import type { ApiKey } from '../auth/accounts.ts'
import type { Context } from '../context.ts'
import type { FaultSet } from '../faults.ts'
import { refusal } from '../http/answer.ts'
import type { Refusal } from '../http/answer.ts'
import { CODES } from '../http/status-codes.ts'
import { contended, limitReached } from '../limits/limiter.ts'
import { settleRefunds } from '../funds/settle.ts'
import { formatMoney } from '../money.ts'

/**
 * Takes the quote, reserves the amount, lets `deliver` create the orders and commits. Throws the refusal of a contended key, of a
 * shop service that relays its own rate limit, of the transaction limit or of the balance; then nothing stays reserved.
 */
export async function pay<T>(
  context: Context,
  key: ApiKey,
  amountMinor: number,
  deliver: () => T,
): Promise<T> {
  const { clock, faults, settings } = context
  enterCounter(faults, key, amountMinor, deliver)
  const usedBeforeMinor = key.usedMinor
  try {
    const checksEarly = faults.has('spend-check-then-act')
    if (checksEarly) requireHeadroom(faults, key, key.usedMinor, amountMinor)
    if (settings.quoteLatencyMs > 0) await clock.sleep(settings.quoteLatencyMs)
    requireQuote(faults, key)
    const usedMinor = faults.has('spend-lost-update') ? usedBeforeMinor : key.usedMinor
    if (!checksEarly) requireHeadroom(faults, key, usedMinor, amountMinor)
    settleRefunds(key.account, clock.nowMs())
    const chargedMinor = faults.has('purchase-uncharged') ? 0 : amountMinor
    return commit(key, usedMinor, { amountMinor, chargedMinor }, deliver)
  } finally {
    key.ordersInFlight--
  }
}

/** One order at a time holds a capped key between quote and commit; the others are told to come back. */
function enterCounter(
  faults: FaultSet,
  key: ApiKey,
  amountMinor: number,
  deliver: () => unknown,
): void {
  const races = faults.has('spend-check-then-act') || faults.has('spend-lost-update')
  if (key.limitMinor !== undefined && key.ordersInFlight > 0 && !races) {
    if (faults.has('contention-leaks-reservation')) key.reservedMinor += amountMinor
    if (faults.has('contention-creates-order')) deliver()
    throw contended(faults)
  }
  key.ordersInFlight++
}

function requireQuote(faults: FaultSet, key: ApiKey): void {
  const { shopRefusals } = key.account
  if (shopRefusals.left <= 0) return
  shopRefusals.left--
  const message = 'The shop service reached its rate limit; the order was not created.'
  throw limitReached(faults, message, String(shopRefusals.retryAfterSeconds))
}

/** transaction_used + quote_amount <= transaction_limit, where what is reserved counts as used. */
function requireHeadroom(
  faults: FaultSet,
  key: ApiKey,
  usedMinor: number,
  amountMinor: number,
): void {
  if (key.limitMinor === undefined) return
  const neededMinor = usedMinor + key.reservedMinor + amountMinor
  const fits = faults.has('cap-strictly-less')
    ? neededMinor < key.limitMinor
    : neededMinor <= key.limitMinor
  if (fits) return
  const remainingMinor = key.limitMinor - usedMinor - key.reservedMinor
  if (faults.has('cap-refusal-leaks-reservation')) key.reservedMinor += amountMinor
  if (faults.has('cap-refusal-suspends-key')) key.status = 'revoked'
  throw limitExceeded(faults, { amountMinor, remainingMinor, limitMinor: key.limitMinor })
}

type CapFigures = {
  readonly amountMinor: number
  readonly remainingMinor: number
  readonly limitMinor: number
}

function limitExceeded(faults: FaultSet, figures: CapFigures): Refusal {
  const [amount, remaining, limit] = [
    figures.amountMinor,
    Math.max(0, figures.remainingMinor),
    figures.limitMinor,
  ].map(formatMoney)
  const message = faults.has('cap-message-without-amounts')
    ? 'The transaction limit of this API key is exceeded.'
    : `The transaction limit of this API key is exceeded: ${[
        `attempted ${amount} USD`,
        ...(faults.has('cap-message-without-headroom') ? [] : [`remaining ${remaining} USD`]),
        ...(faults.has('cap-message-without-limit') ? [] : [`limit ${limit} USD`]),
      ].join(', ')}.`
  if (faults.has('cap-answers-429')) return limitReached(faults, message, '60')
  if (faults.has('cap-error-code-missing'))
    return refusal(409, CODES.apiKeyLimitExceeded, message, {})
  const statusCode = faults.has('cap-status-code') ? CODES.conflict : CODES.apiKeyLimitExceeded
  return refusal(409, statusCode, message, { errorCode: ERROR_CODE_TRANSACTION_LIMIT })
}

/** Runs without an await, so nothing comes between the check, the orders and the counter. */
function commit<T>(
  key: ApiKey,
  usedMinor: number,
  { amountMinor, chargedMinor }: { readonly amountMinor: number; readonly chargedMinor: number },
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
    key.usedMinor = usedMinor + chargedMinor
    return delivered
  } finally {
    key.reservedMinor -= amountMinor
  }
}
