/** The transaction limit of a key. */
import { ERROR_CODE_TRANSACTION_LIMIT, HEADER } from '../../contract/wire.ts'
import type { ApiKey } from '../model/accounts.ts'
import type { Context } from '../model/context.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
import { type Answer, Refusal, refusal } from '../http/answer.ts'
import { CODES } from '../http/status-codes.ts'
import { limitReached } from '../model/limiter.ts'
import { formatMoney } from '../base/money.ts'
import { natureOf, type Charge, type Nature } from './charge.ts'
import { fitsInFloats, fitsOtherwise } from './cap-sums.ts'

const INVENTED_CAP_MINOR = 500
const WHOLE_MINOR = 100
/** Ten units, counted as `countMinor` does. */
const TEN_UNITS = 1000

const FORGETTING: Readonly<Partial<Record<Charge['kind'], FaultName>>> = {
  dtu: 'cap-forgets-top-ups',
  esim: 'cap-forgets-esims',
  'platform-gift': 'cap-forgets-gifts',
  checkout: 'cap-forgets-checkouts',
}

/** Only faults leave a kind of purchase out of the cap. */
function isForgotten(faults: FaultSet, kind: Charge['kind']): boolean {
  const name = FORGETTING[kind]
  return name !== undefined && faults.has(name)
}

/** What a purchase adds to the counter: its amount, but for faults. */
export function chargedMinor(faults: FaultSet, charge: Charge): number {
  const { kind, isAsynchronous } = charge
  if (faults.has('purchase-uncharged') || isForgotten(faults, kind)) return 0
  if (kind === 'shop' && isAsynchronous && faults.has('cap-forgets-asynchronous')) return 0
  if (kind === 'shop' && isAsynchronous && faults.has('cap-charges-asynchronous-twice'))
    return 2 * charge.amountMinor
  if (charge.isLong === true && faults.has('cap-forgets-long-orders')) return 0
  if (charge.countMinor !== undefined && faults.has('cap-charges-count-of-units'))
    return charge.countMinor
  if (kind === 'esim' && faults.has('cap-charges-esims-less')) return charge.amountMinor - 10
  if (charge.countMinor !== undefined && faults.has('cap-charges-ten-units'))
    return Math.round(charge.amountMinor * Math.min(1, TEN_UNITS / charge.countMinor))
  if (faults.has('cap-charges-one-unit')) return charge.unitMinor
  if (kind === 'checkout' && faults.has('checkout-charges-dearest-position'))
    return charge.largestMinor
  if (kind === 'checkout' && faults.has('checkout-charges-vouchers-alone'))
    return charge.vouchersMinor ?? 0
  return faults.has('cap-charges-whole-units')
    ? charge.amountMinor - (charge.amountMinor % WHOLE_MINOR)
    : charge.amountMinor
}

/** The key whose cap and counter hold for a purchase: its own, but for faults. */
export function payingKey({ accounts, faults }: Context, key: ApiKey): ApiKey {
  const isCapped = key.limitMinor !== undefined
  if (!faults.has(isCapped ? 'cap-shared-by-capped-keys' : 'cap-shared-by-account')) return key
  return accounts.keysOf(key.account).find((other) => other.limitMinor !== undefined) ?? key
}

function limitMinorOf(faults: FaultSet, { limitMinor }: ApiKey): number | undefined {
  if (limitMinor === 0 && faults.has('cap-of-zero-is-none')) return undefined
  return limitMinor ?? (faults.has('cap-on-every-key') ? INVENTED_CAP_MINOR : undefined)
}

/** A purchase, the key that pays for it, and what is held against its cap: all that it used, if nothing else is said. */
type Wanted = { readonly key: ApiKey; readonly charge: Charge; readonly usedMinor?: number }

/** transaction_used + quote_amount <= transaction_limit, where what is reserved counts as used. */
export function requireHeadroom(
  faults: FaultSet,
  { key, charge, usedMinor = key.usedMinor }: Wanted,
): void {
  const { kind } = charge
  const comparesPositions = kind === 'checkout' && faults.has('checkout-cap-per-position')
  const amountMinor = comparesPositions ? charge.largestMinor : charge.amountMinor
  const limitMinor = limitMinorOf(faults, key)
  if (limitMinor === undefined || isForgotten(faults, kind)) return
  if (kind === 'dtu' && faults.has('cap-passes-top-ups')) return
  if (isPassed(faults, charge)) return
  const remainingMinor = limitMinor - usedMinor - key.reservedMinor
  if (!faults.isEmpty && fitsOtherwise(faults, key, { ...charge, amountMinor, limitMinor })) return
  const leftMinor = remainingMinor - amountMinor
  const isWithin = fits(faults, charge, { leftMinor, limitMinor })
  const isCentOver = leftMinor === -1 && faults.has('cap-one-cent-more')
  if (isCentOver) return
  if (isWithin && fitsInFloats(faults, key, { amountMinor, limitMinor })) return
  const debits = DEBITING[kind]
  if (faults.has('cap-refusal-debits') || (debits !== undefined && faults.has(debits)))
    key.account.balanceMinor -= amountMinor
  if (leaks(faults, kind)) key.reservedMinor += amountMinor
  if (faults.has('cap-refusal-suspends-key')) key.status = 'revoked'
  if (faults.has('cap-refusals-suspend-key')) countRefusal(faults, key)
  const figures = {
    amountMinor: toldMinor(faults, charge, amountMinor),
    remainingMinor,
    limitMinor,
    kind,
  }
  throw otherwise(limitExceeded(faults, figures), faults, kind)
}

/** Faults that hold no checkout to the cap that has a position of one kind. */
const PASSING: readonly (readonly [FaultName, Nature])[] = [
  ['cap-passes-checkouts-with-top-ups', 'dtu'],
  ['cap-passes-checkouts-with-esims', 'esim'],
  ['cap-passes-checkouts-with-later', 'later'],
]

function isPassed(faults: FaultSet, { holds }: Charge): boolean {
  return PASSING.some(([name, nature]) => holds?.has(nature) === true && faults.has(name))
}

/** Only faults tell another amount than the one that was attempted. */
function toldMinor(faults: FaultSet, charge: Charge, amountMinor: number): number {
  if (charge.countMinor !== undefined && faults.has('cap-units-tell-count'))
    return charge.countMinor
  const isOnePiece = charge.isLong === true && faults.has('cap-long-orders-tell-one-piece')
  return isOnePiece ? charge.unitMinor : amountMinor
}

const REFUSALS_MAX = 6

/** Only a fault counts how often a key was refused. */
function countRefusal(faults: FaultSet, key: ApiKey): void {
  const counted = `cap refusals of ${key.id}`
  faults.countRead(counted)
  if (faults.reads(counted) >= REFUSALS_MAX) key.status = 'revoked'
}

const LEAKING: Readonly<Partial<Record<Charge['kind'], FaultName>>> = {
  dtu: 'cap-refused-top-up-leaks',
  esim: 'cap-refused-esim-leaks',
  'platform-gift': 'gift-cap-refused-leaks',
  checkout: 'cap-refused-checkout-leaks',
}

/** Faults that debit a refused purchase of one kind. */
const DEBITING: Readonly<Partial<Record<Charge['kind'], FaultName>>> = {
  esim: 'cap-refused-esim-debits',
  dtu: 'cap-refused-top-up-debits',
  'platform-gift': 'gift-cap-refused-debits',
  checkout: 'cap-refused-checkout-debits',
}

/** Only faults keep what a refused purchase had reserved. */
function leaks(faults: FaultSet, kind: Charge['kind']): boolean {
  const name = LEAKING[kind]
  return faults.has('cap-refusal-leaks-reservation') || (name !== undefined && faults.has(name))
}

/** Faults that refuse one kind of purchase where it would use up all of the cap. */
const STRICT: Readonly<Partial<Record<Nature, FaultName>>> = {
  dtu: 'cap-strict-top-ups',
  units: 'cap-strict-units',
  later: 'cap-strict-later',
  long: 'cap-strict-long-orders',
  esim: 'cap-strict-esims',
  'platform-gift': 'gift-cap-strict',
  checkout: 'cap-strict-checkouts',
}

function isStrict(faults: FaultSet, charge: Charge): boolean {
  const name = STRICT[natureOf(charge)]
  return faults.has('cap-strictly-less') || (name !== undefined && faults.has(name))
}

function fits(
  faults: FaultSet,
  charge: Charge,
  { leftMinor, limitMinor }: { readonly leftMinor: number; readonly limitMinor: number },
): boolean {
  if (faults.has('cap-refuses-early') && leftMinor > 0 && leftMinor * 10 < limitMinor) return false
  return isStrict(faults, charge) ? leftMinor > 0 : leftMinor >= 0
}

type CapFigures = {
  readonly amountMinor: number
  readonly remainingMinor: number
  readonly limitMinor: number
  readonly kind: Charge['kind']
}

/** Faults that leave one amount out where one kind is refused. */
const UNTOLD: Readonly<
  Record<'attempted' | 'remaining' | 'limit', Readonly<Partial<Record<Charge['kind'], FaultName>>>>
> = {
  attempted: { checkout: 'cap-checkouts-tell-no-attempt' },
  remaining: { dtu: 'cap-top-ups-tell-no-headroom', checkout: 'cap-checkouts-tell-no-headroom' },
  limit: { 'platform-gift': 'gift-cap-tells-no-limit', checkout: 'cap-checkouts-tell-no-limit' },
}

function isUntold(faults: FaultSet, part: keyof typeof UNTOLD, kind: Charge['kind']): boolean {
  const name = UNTOLD[part][kind]
  return name !== undefined && faults.has(name)
}

function messageOf(faults: FaultSet, figures: CapFigures): string {
  const exceeded = 'The transaction limit of this API key is exceeded'
  if (faults.has('cap-message-without-amounts')) return `${exceeded}.`
  const tellsUsed = faults.has('cap-message-tells-used')
  const { kind } = figures
  const part = kind === 'esim' && faults.has('cap-esims-tell-half') ? 0.5 : 1
  const remainingMinor = Math.max(0, figures.remainingMinor)
  const [amount, remaining, limit] = [
    figures.amountMinor * part,
    tellsUsed ? figures.limitMinor - remainingMinor : remainingMinor,
    figures.limitMinor,
  ].map(formatMoney)
  const parts = [
    ...(isUntold(faults, 'attempted', kind) ? [] : [`attempted ${amount} USD`]),
    ...(faults.has('cap-message-without-headroom') || isUntold(faults, 'remaining', kind)
      ? []
      : [`remaining ${remaining} USD`]),
    ...(faults.has('cap-message-without-limit') || isUntold(faults, 'limit', kind)
      ? []
      : [`limit ${limit} USD`]),
  ]
  return `${exceeded}: ${parts.join(', ')}.`
}

function limitExceeded(faults: FaultSet, figures: CapFigures): Refusal {
  const message = messageOf(faults, figures)
  if (faults.has('cap-answers-429')) return limitReached(faults, message, '60')
  if (faults.has('cap-error-code-missing'))
    return refusal(409, CODES.apiKeyLimitExceeded, message, {})
  return refusal(409, statusCodeOf(faults), message, { errorCode: ERROR_CODE_TRANSACTION_LIMIT })
}

type Reword = (answer: Answer) => Answer

/** Refusals of one kind of purchase that faults answer otherwise. */
const REWORDED: readonly (readonly [FaultName, Charge['kind'], Reword])[] = [
  ['cap-top-ups-as-rate-limit', 'dtu', (answer) => ({ ...answer, ...AS_RATE_LIMIT })],
  ['cap-esims-answer-402', 'esim', (answer) => ({ ...answer, httpStatus: 402 })],
  ['cap-top-ups-status-code', 'dtu', (answer) => ({ ...answer, statusCode: CODES.conflict })],
  ['cap-checkouts-as-rate-limit', 'checkout', (answer) => ({ ...answer, ...AS_RATE_LIMIT })],
  ['cap-checkouts-answer-402', 'checkout', (answer) => ({ ...answer, ...AS_UNPAID })],
  ['cap-checkouts-error-code', 'checkout', ({ errorCode: _none, ...answer }) => answer],
]

const AS_UNPAID = { httpStatus: 402, statusCode: CODES.conflict, errorCode: 'unpaid' } as const

const AS_RATE_LIMIT = {
  httpStatus: 429,
  statusCode: CODES.limitReached,
  errorCode: 'limit_reached',
  headers: [[HEADER.retryAfter, '60']],
} as const

function otherwise(refused: Refusal, faults: FaultSet, kind: Charge['kind']): Refusal {
  const found = REWORDED.find(([name, reworded]) => reworded === kind && faults.has(name))
  return found === undefined ? refused : new Refusal(found[2](refused.answer))
}

function statusCodeOf(faults: FaultSet): number {
  if (faults.has('cap-status-code-rate-limit')) return CODES.limitReached
  return faults.has('cap-status-code') ? CODES.conflict : CODES.apiKeyLimitExceeded
}
