/** Checks of direct top-ups that create no order: dtu with checkOnly, and POST /dtu/validation. */
import { HEADER, RETRY_AFTER_SECONDS } from '../../contract/wire.ts'
import { FaultSet } from '../faults/faults.ts'
import { Fields, type JsonObject, requireJson } from '../http/body.ts'
import type { Call } from '../model/call.ts'
import { type Answer, Refusal, invalid, refusal, success, by400 } from '../http/answer.ts'
import { requireJsonDeclared } from './content-type.ts'
import { CODES } from '../http/status-codes.ts'
import { moneyNumber } from '../base/money.ts'
import { limitReached } from '../model/limiter.ts'
import { requireHeadroom } from './cap.ts'
import type { OrderLine } from '../model/order.ts'
import { purchase } from './purchase.ts'
import { type Enforcement, isOfUnits, readCatalogLine } from './read-line.ts'

const NO_CHARGE = {
  unitMinor: 0,
  largestMinor: 0,
  kind: 'dtu',
  isAsynchronous: false,
} as const
const ATTEMPTS_MAX = 2
/** Back-off before the retry: short, and jittered so that retries of several clients spread. */
const BACKOFF_MS_MIN = 5
const BACKOFF_MS_SPAN = 10

function readTopUp(body: JsonObject, faults: FaultSet, enforcement: Enforcement = {}): OrderLine {
  const fields = new Fields(body)
  const line = readCatalogLine('dtu', { fields, faults, enforcement })
  if (line !== undefined) return line
  const isSilent = isOfUnits(fields.errors) && faults.has('checked-units-without-errors')
  const refused = invalid(isSilent ? [] : fields.errors)
  if (faults.has('invalid-checks-answer-400')) throw by400(refused)
  throw refused
}

/** POST /api/v1/orders, dtu with checkOnly=true: forwarded to the provider, which is asked once more after a time-out. */
export async function answerCheck(call: Call, body: JsonObject): Promise<Answer> {
  const { context, key } = call
  const { faults } = context
  const line = readTopUp(body, faults, {
    isUnlimited: faults.has('checked-units-unlimited'),
    isStepless: faults.has('checked-units-off-step'),
    cutsTexts: faults.has('checked-units-as-text-cut'),
    isBoundless: faults.has('checked-units-below-minimum'),
  })
  requireJsonDeclared(call)
  refuseForNothing(faults, body)
  if (context.variants.has('check-needs-headroom'))
    requireHeadroom(faults, { key, charge: { ...NO_CHARGE, amountMinor: line.priceMinor } })
  if (faults.has('check-charges')) key.usedMinor += line.priceMinor
  if (context.variants.has('shop-limit-relayed-to-checks')) refuseAfterRest(call)
  await askProvider(call, body, line)
  if (faults.has(line.isCounted ? 'cap-charges-checks-of-units' : 'cap-charges-checks'))
    key.usedMinor += line.priceMinor
  const buysUnits = line.isCounted === true && faults.has('check-of-units-creates-order')
  if (buysUnits || faults.has('check-creates-order')) await createAnyway(call, body, line)
  const shown = context.variants.has('check-answers-bare') ? {} : presentCheck(line)
  const isUncounted = line.isCounted ? 'unit-checks-uncounted' : 'slow-checks-uncounted'
  const isMeant = line.isCounted === true || line.delivery.providerTimeouts === 1
  if (isMeant && faults.has(isUncounted)) call.giveBack()
  takeReference(call, body, 'check-takes-reference')
  const answer = success(shown, 'The top-up can be made. No order was created.')
  if (context.variants.has('check-outcome-replayed')) keepOutcome(call, body, answer)
  return faults.has('check-answers-202') ? { ...answer, httpStatus: 202 } : answer
}

/** When a key last asked for a check, counted for one variant alone. */
const askedMs = new WeakMap<object, number>()
const REST_WINDOWS = 5

/** Of one variant, the shop service refuses the first check of a key after a rest, for its own rate limit. */
function refuseAfterRest({ context: { clock, faults }, key }: Call): void {
  const restMs = clock.nowMs() - (askedMs.get(key) ?? Number.NEGATIVE_INFINITY)
  askedMs.set(key, clock.nowMs())
  const { windowSeconds } = key.account.limits.default
  if (restMs > REST_WINDOWS * windowSeconds * 1000)
    throw limitReached(faults, 'The shop service is busy.', '2')
}

/** Outcomes of checks by reference; only a variant keeps them. */
const outcomes = new WeakMap<object, Map<unknown, Answer>>()

function keepOutcome(
  { key: { account } }: Call,
  { referenceId }: JsonObject,
  answer: Answer,
): void {
  const kept = outcomes.get(account) ?? new Map<unknown, Answer>()
  outcomes.set(account, kept)
  if (referenceId !== undefined) kept.set(referenceId, answer)
}

/** Only faults refuse a check that is valid. */
function refuseForNothing(faults: FaultSet, { referenceId }: JsonObject): void {
  const lacksReference = faults.has('check-needs-reference') && typeof referenceId !== 'string'
  if (lacksReference || faults.has('check-refused'))
    throw invalid([{ code: 'MISSING', field: 'referenceId', message: 'A check needs it.' }])
}

type TakingFault = 'check-takes-reference' | 'check-timeout-takes-reference'

/** Only faults keep the reference of a check. */
function takeReference(
  { context, key }: Call,
  { referenceId }: JsonObject,
  name: TakingFault,
): void {
  if (typeof referenceId === 'string') context.faults.note(name, `${key.account.id}|${referenceId}`)
}

/** What a variant and faults answer to a purchase under the reference of a check, or of a top-up that was not valid. */
export function answerOfCheck({ context, key }: Call, body: JsonObject): Answer | undefined {
  const { faults } = context
  const outcome = outcomes.get(key.account)?.get(body['referenceId'])
  if (outcome) return { ...outcome, statusCode: CODES.idempotencyReplay }
  if (faults.isEmpty) return undefined
  const taken = `${key.account.id}|${String(body['referenceId'])}`
  const isTaken =
    faults.hasNoted('check-takes-reference', taken) ||
    faults.hasNoted('invalid-top-up-takes-reference', taken) ||
    faults.hasNoted('check-timeout-takes-reference', taken)
  if (!isTaken) return undefined
  return { ...success({ valid: true }), statusCode: CODES.idempotencyReplay }
}

async function createAnyway(
  { context, key }: Call,
  body: JsonObject,
  line: OrderLine,
): Promise<void> {
  const { referenceId } = body
  if (typeof referenceId === 'string')
    await purchase(context, key, { kind: 'order', referenceId, lines: [line] })
}

/** When a provider answers after all, where a fault still waits for it: before the client comes again. */
const LATE_MS = 1000

/** Only a fault of a busy service does so. What refuses this purchase too leaves nothing. */
async function buyLater(call: Call, body: JsonObject, line: OrderLine): Promise<void> {
  const { clock, orders } = call.context
  await clock.sleep(LATE_MS)
  if (orders.purchase(call.key, String(body['referenceId']), 'order')) return
  try {
    await createAnyway(call, body, line)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

function presentCheck({ topUp, currency, priceMinor }: OrderLine): object {
  const price = moneyNumber(priceMinor)
  return { valid: true, account: topUp?.account, amount: topUp?.amount, currency, price }
}

/** Throws the 504 when no attempt is answered. */
async function askProvider(call: Call, body: JsonObject, line: OrderLine): Promise<void> {
  const { clock, faults, settings } = call.context
  const timeouts = line.delivery.providerTimeouts ?? timeoutsAtTimes(call)
  const attemptsMax = faults.has('check-not-retried') ? 1 : ATTEMPTS_MAX
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    if (attempt > 0) await clock.sleep(BACKOFF_MS_MIN + jitterOf(call) * BACKOFF_MS_SPAN)
    if (attempt >= timeouts) return
    await clock.sleep(settings.providerTimeoutMs)
  }
  takeReference(call, body, 'check-timeout-takes-reference')
  if (faults.has('check-timeout-debits')) call.key.account.balanceMinor -= line.priceMinor
  if (faults.has('check-timeout-leaves-order')) await createAnyway(call, body, line)
  if (faults.hasWhileBusy('busy-check-timeouts-use-cap', clock.nowMs()))
    call.key.usedMinor += line.priceMinor
  if (faults.hasWhileBusy('busy-check-timeouts-buy-later', clock.nowMs()))
    void buyLater(call, body, line)
  throw providerUnavailable(faults, clock.nowMs())
}

const GOLDEN_RATIO = 0.618_033_988_749_895

/** Backoffs of a service so far. */
const backoffs = new WeakMap<object, number>()

/** From 0 to 1, spread evenly, and the same in every run of a service, so that tests in virtual time repeat. */
function jitterOf({ context }: Call): number {
  const count = (backoffs.get(context) ?? 0) + 1
  backoffs.set(context, count)
  return (count * GOLDEN_RATIO) % 1
}

/** Checks of an account so far, counted for one variant alone. */
const checks = new WeakMap<object, number>()

/** Of one variant, the provider does not answer the checks of an account that have these numbers. */
const SILENT_CHECKS: ReadonlySet<number> = new Set([2, 19])

function timeoutsAtTimes({ context: { variants }, key: { account } }: Call): number {
  if (!variants.has('provider-silent-at-times')) return 0
  const count = (checks.get(account) ?? 0) + 1
  checks.set(account, count)
  return SILENT_CHECKS.has(count) ? ATTEMPTS_MAX : 0
}

function providerUnavailable(faults: FaultSet, nowMs: number): Refusal {
  const isBare = faults.hasWhileBusy('busy-check-timeouts-bare', nowMs)
  const seconds = String(RETRY_AFTER_SECONDS.providerUnavailable)
  const statusCode =
    isBare || faults.has('check-timeout-status-code')
      ? CODES.upstreamError
      : CODES.providerUnavailable
  const headers: Answer['headers'] =
    isBare || faults.has('check-timeout-without-retry-after') ? [] : [[HEADER.retryAfter, seconds]]
  const is502 =
    faults.has('check-timeout-answers-502') ||
    faults.hasWhileBusy('busy-check-timeouts-answer-502', nowMs)
  const httpStatus = is502 ? 502 : 504
  return refusal(httpStatus, statusCode, 'The provider did not answer. Nothing was debited.', {
    errorCode: 'provider_unavailable',
    headers,
  })
}

/** Faults of purchases are none of the validation, which has its own. */
const NO_FAULTS = new FaultSet()

function readValidated(body: JsonObject, faults: FaultSet): OrderLine {
  try {
    return readTopUp(body, NO_FAULTS, {
      units: !faults.has('validation-quantity-as-money'),
      fractions: faults.has('validation-fraction-accepted'),
      isUnlimited: faults.has('validated-units-unlimited'),
      cutsTexts: faults.has('validated-units-as-text-cut'),
    })
  } catch (error) {
    const is400 =
      error instanceof Refusal &&
      isOfUnits(error.answer.errors ?? []) &&
      faults.has('validated-units-answer-400')
    throw is400 ? by400(error) : error
  }
}

/** POST /dtu/validation: the rules of a top-up without the provider. */
export async function validateDtu(call: Call): Promise<Answer> {
  const { context, key } = call
  const { faults } = context
  const line = readValidated(requireJson(call.body), faults)
  if (line.isCounted !== true && faults.has('validation-refuses'))
    throw invalid([{ code: 'NOT_ALLOWED', field: 'amount', message: 'Not at present.' }])
  if (faults.has('validation-charges')) key.usedMinor += line.priceMinor
  const plan = { kind: 'order', referenceId: crypto.randomUUID(), lines: [line] } as const
  const creates =
    faults.has('validation-creates-order') ||
    (line.isCounted === true && faults.has('validation-of-units-creates-order'))
  if (creates) await purchase(context, key, plan)
  return success(presentCheck(line), 'The top-up is valid.')
}
