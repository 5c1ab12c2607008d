/** POST /api/v1/orders */
import { ORDERS_TYPES, type OrdersType } from '../../contract/wire.ts'
import type { ApiKey } from '../model/accounts.ts'
import { scopeMissing } from '../auth/scopes.ts'
import type { Context } from '../model/context.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
import { CROWDED } from '../faults/under-load.ts'
import { Fields, type JsonObject, peekJson, requireJson } from '../http/body.ts'
import type { Call } from '../model/call.ts'
import { type Answer, type FieldError, Refusal, invalid, refusal } from '../http/answer.ts'
import { requireJsonDeclared } from './content-type.ts'
import { CODES } from '../http/status-codes.ts'
import { type GiftOrder, canonicalGiftOf, readGiftLine } from '../gifts/read-line.ts'
import { answerCreated, answerReplayed } from './answer.ts'
import { answerCheck, answerOfCheck } from './check.ts'
import { chargeAgain } from './charge-faults.ts'
import { type OrderLine, type Purchase, isEsim } from '../model/order.ts'
import { type PurchasePlan, purchase } from './purchase.ts'
import { isOfGift, isOfUnits, readCatalogLine } from './read-line.ts'
import { asRefusedBefore } from './refused-before.ts'

/** What faults charge. */
export const UNIT_MINOR = 100

/** What one fault keeps of a reference. */
const REFERENCE_CUT = 32

export const REFERENCE_RULE = { max: 64, pattern: /^[\w.:-]+$/ }

/** Whether a body asks for the check of a top-up, which has a bucket of its own. */
export function isCheck(body: JsonObject | undefined): boolean {
  return body?.['ordersType'] === 'dtu' && body['checkOnly'] === true
}

export function createOrder(call: Call): Promise<Answer> {
  const body = requireJson(call.body)
  const isMeant = isCheck(body) || isTakenForCheck(call, body)
  return isMeant ? answerCheck(call, body) : inTurn(call, body, placeOrder)
}

/** Only a fault does not look at what checkOnly says. */
function isTakenForCheck({ context: { faults } }: Call, body: JsonObject): boolean {
  const names = body['ordersType'] === 'dtu' && Object.hasOwn(body, 'checkOnly')
  return names && faults.has('check-only-by-presence')
}

function placeOrder(call: Call, body: JsonObject): Promise<Answer> {
  return asRefusedBefore(call, body, { kind: 'order', act: place })
}

async function place(call: Call, body: JsonObject): Promise<Answer> {
  const earlier = earlierPurchase(call, body, 'order')
  if (earlier !== undefined) return replay(call, body, earlier)
  const ofCheck = answerOfCheck(call, body)
  if (ofCheck !== undefined) return ofCheck
  const plan = readPlan(call, body)
  requireJsonDeclared(call)
  return buy(call, plan)
}

/** Creates what a call asks for, and answers it. */
export async function buy({ context, key, isGone }: Call, plan: PurchasePlan): Promise<Answer> {
  const bought = await purchase(context, key, plan)
  if (isGone?.() === true)
    for (const name of lostFaults(bought)) context.faults.note(name, lostName(bought))
  return answerCreated(context, bought)
}

/** Faults that forget a purchase of one kind whose client went away. */
const LOST_ANSWERS = {
  dtu: 'lost-top-up-buys-again',
  esim: 'lost-esim-buys-again',
  'platform-gift': 'gift-lost-answer-buys-again',
  shop: 'lost-answer-buys-again',
} as const

function lostFaults({ kind, orders }: Purchase): readonly FaultName[] {
  if (kind === 'checkout') return ['checkout-lost-answer-buys-again']
  return ['lost-answer-buys-again', LOST_ANSWERS[orders[0]?.line.ordersType ?? 'shop']]
}

function lostName({ key, referenceId }: Purchase): string {
  return `${key.account.id}|${referenceId}`
}

type Act = (call: Call, body: JsonObject) => Promise<Answer>

/** A variant lets requests with one reference wait for each other. */
export async function inTurn(call: Call, body: JsonObject, act: Act): Promise<Answer> {
  const { context, key } = call
  const { referenceId } = body
  if (context.variants.has('contention-queued') && typeof referenceId === 'string')
    while (context.orders.isClaimed(key, referenceId)) await context.clock.sleep(1)
  return act(call, body)
}

/** What was bought under the reference of a body, whatever else the body says. */
export function earlierPurchase(
  { context, key }: Call,
  body: JsonObject,
  kind: Purchase['kind'],
): Purchase | undefined {
  const { faults, orders } = context
  const { referenceId } = body
  if (typeof referenceId !== 'string' || faults.has('replay-creates-second-order')) return undefined
  const earlier =
    orders.purchase(key, referenceId, kind) ??
    ofOtherAccount(context, referenceId, kind) ??
    ofReferenceCut(context, key, referenceId) ??
    ofOtherCase(context, key, referenceId)
  if (earlier === undefined || isOfOtherKey(faults, earlier, key)) return undefined
  return isForgotten({ context, key }, earlier, body) || isCrowdedOut(context, earlier)
    ? undefined
    : earlier
}

/** Only a fault takes a checkout of another account for the one that is asked for. */
function ofOtherAccount(
  { accounts, faults, orders }: Context,
  referenceId: string,
  kind: Purchase['kind'],
): Purchase | undefined {
  if (kind !== 'checkout' || !faults.has('checkout-reference-shared-by-accounts')) return undefined
  for (const account of accounts.all())
    for (const key of accounts.keysOf(account).slice(0, 1)) {
      const earlier = orders.purchase(key, referenceId, kind)
      if (earlier !== undefined) return earlier
    }
  return undefined
}

/** Only a fault compares the beginnings of references. */
function ofReferenceCut(
  { faults, orders }: Context,
  key: ApiKey,
  referenceId: string,
): Purchase | undefined {
  if (referenceId.length <= REFERENCE_CUT || !faults.has('reference-cut')) return undefined
  const start = referenceId.slice(0, REFERENCE_CUT)
  const other = orders
    .newest(key, { limit: 50, offset: 0 })
    .find((order) => order.referenceId.startsWith(start))
  return other && orders.purchase(key, other.referenceId, 'order')
}

/** Only faults compare references without case, or without hyphens. */
function ofOtherCase(
  { faults, orders }: Context,
  key: ApiKey,
  referenceId: string,
): Purchase | undefined {
  if (faults.isEmpty) return undefined
  const normal = (text: string): string => {
    const hyphened = faults.has('reference-case-ignored') ? text.toLowerCase() : text
    return faults.has('reference-hyphens-ignored') ? hyphened.replaceAll('-', '') : hyphened
  }
  if (normal('-A') === '-A') return undefined
  const other = orders
    .newest(key, { limit: 50, offset: 0 })
    .find((order) => normal(order.referenceId) === normal(referenceId))
  return other && orders.purchase(key, other.referenceId, 'order')
}

/** Only faults forget what was bought. */
function isForgotten(
  { context, key }: Pick<Call, 'context' | 'key'>,
  earlier: Purchase,
  body: JsonObject,
): boolean {
  const { faults, clock } = context
  const { kind, orders } = earlier
  if (faults.has('replay-needs-same-body') && differs(earlier, body)) return true
  if (faults.has('checkout-replay-buys-again') && kind === 'checkout') return true
  if (faults.has('esim-replay-buys-again') && isEsim(earlier)) return true
  if (faults.has('top-up-replay-buys-again') && orders[0]?.line.ordersType === 'dtu') return true
  if (faults.has('long-order-buys-again') && orders[0]?.line.isLong === true) return true
  if (faults.has('top-up-replay-needs-same-body') && orders[0]?.line.ordersType === 'dtu')
    return differs(earlier, body)
  if (faults.has('esim-replay-needs-same-body') && isEsim(earlier)) return differs(earlier, body)
  if (isForgottenEnd(earlier, faults, clock.nowMs())) return true
  if (isForgottenByTime(earlier, key, context)) return true
  if (faults.has('replay-of-same-kind-only') && isOfOtherKind(earlier, body)) return true
  if (earlier.key !== key && faults.has('sibling-reference-of-same-kind-only'))
    return isOfOtherKind(earlier, body)
  if (lostFaults(earlier).some((name) => faults.hasNoted(name, lostName(earlier)))) return true
  return (
    faults.has('finished-reference-forgotten') &&
    orders.every(({ line, readyAtMs }) => line.delivery.asynchronous && clock.nowMs() >= readyAtMs)
  )
}

/** Only faults of a busy service lose references. */
function isCrowdedOut({ faults, orders }: Context, { orders: [first] }: Purchase): boolean {
  if (first === undefined || faults.isEmpty) return false
  const isOld = orders.serial - first.serial >= CROWDED.references
  return (
    (isOld && faults.has('busy-references-evicted')) ||
    faults.hasNoted('busy-references-unstored', first.id)
  )
}

/** Faults that keep references of one kind for each key. */
const PER_KEY = {
  dtu: 'top-up-reference-per-key',
  esim: 'esim-reference-per-key',
  shop: undefined,
  'platform-gift': 'gift-reference-per-key',
  checkout: 'checkout-reference-per-key',
} as const

function isOfOtherKey(faults: FaultSet, earlier: Purchase, key: ApiKey): boolean {
  const { kind, orders } = earlier
  const name = PER_KEY[kind === 'checkout' ? kind : (orders[0]?.line.ordersType ?? 'shop')]
  return earlier.key !== key && name !== undefined && faults.has(name)
}

/** Faults that forget the reference of what ended otherwise than in SUCCESS. */
const FORGOTTEN = {
  CANCELLED: 'cancelled-reference-forgotten',
  PARTIALLY_COMPLETED: 'partial-reference-forgotten',
  SUCCESS: undefined,
  IN_PROGRESS: undefined,
} as const

function isForgottenEnd({ orders }: Purchase, faults: FaultSet, nowMs: number): boolean {
  const name = FORGOTTEN[orders[0]?.line.delivery.outcome ?? 'SUCCESS']
  return (
    name !== undefined && faults.has(name) && orders.every(({ readyAtMs }) => nowMs >= readyAtMs)
  )
}

function isForgottenByTime(
  { key, orders }: Purchase,
  sender: ApiKey,
  { faults, clock }: Context,
): boolean {
  const [first] = orders
  const isMeant =
    faults.has('reference-forgotten-with-window') ||
    (sender !== key && faults.has('sibling-reference-forgotten-with-window')) ||
    (orders[0]?.line.ordersType === 'dtu' && faults.has('top-ups-forgotten-with-window'))
  if (first === undefined || !isMeant) return false
  const ageMs = clock.wallMs() - first.createdAtWallMs
  return ageMs > key.account.limits.default.windowSeconds * 1000
}

function isOfOtherKind({ kind, orders }: Purchase, { ordersType }: JsonObject): boolean {
  return kind === 'order' && orders.every(({ line }) => line.ordersType !== ordersType)
}

function differs({ requestText }: Purchase, body: JsonObject): boolean {
  return requestText !== undefined && requestText !== textOf(body)
}

function textOf(body: JsonObject): string {
  return JSON.stringify(body)
}

export async function replay(call: Call, body: JsonObject, earlier: Purchase): Promise<Answer> {
  const { context, key } = call
  const { faults } = context
  const { variants } = context
  if (earlier.key !== key && variants.has('foreign-reference-conflict'))
    throw refusal(409, CODES.conflict, 'The referenceId was used by another key.', {
      errorCode: 'reference_taken',
    })
  // Read for what is wrong with it only.
  if (earlier.kind === 'order' && variants.has('replay-validates-body')) readPlan(call, body)
  if (conflicts(context, body, earlier)) {
    if (faults.has('gift-conflict-buys')) await purchase(context, key, readPlan(call, body))
    throw giftConflict(faults)
  }
  const isOther = differs(earlier, body)
  if (!faults.isEmpty) chargeAgain(faults, earlier, { replayer: key, isOther })
  return answerReplayed(context, earlier, key, isOther)
}

function giftConflict(faults: FaultSet): Refusal {
  const isOfCap = faults.has('gift-conflict-status-code-cap')
  const statusCode = isOfCap ? CODES.apiKeyLimitExceeded : CODES.conflict
  return refusal(409, statusCode, 'The referenceId belongs to a different gift.', {
    errorCode: 'reference_payload_conflict',
  })
}

function conflicts(context: Context, body: JsonObject, earlier: Purchase): boolean {
  const { faults } = context
  const { canonicalPayload, referenceId } = earlier
  if (differs(earlier, body) && faults.has('replay-refuses-other-body')) return true
  if (canonicalPayload === undefined || faults.has('gift-conflict-replayed')) return false
  if (faults.has('gift-conflict-until-finished') && hasEnded(earlier, context)) return false
  if (faults.has('gift-replay-by-text')) return differs(earlier, body)
  const canonical = canonicalGiftOf(context, body)
  if (canonical === canonicalPayload) return false
  if (
    faults.has('gift-conflict-of-regions-only') &&
    regionOf(canonical) === regionOf(canonicalPayload)
  )
    return false
  if (faults.hasNoted('gift-conflict-passes', referenceId)) return false
  faults.note('gift-conflict-passes', referenceId)
  return true
}

function hasEnded({ orders }: Purchase, { clock }: Context): boolean {
  return orders.every(({ readyAtMs }) => clock.nowMs() >= readyAtMs)
}

/** What one fault compares of a canonical payload. */
function regionOf(canonical: string | undefined): unknown {
  return (JSON.parse(canonical ?? '[]') as unknown[])[1]
}

function readPlan({ context, key }: Call, body: JsonObject): PurchasePlan {
  const fields = new Fields(body)
  const { faults } = context
  const ordersType = readOrdersType(fields, faults)
  const isNull = body['referenceId'] === null && ordersType === 'dtu'
  const isOptional =
    needsNoReference(ordersType, faults) ||
    (isNull && faults.has('top-up-reference-null')) ||
    (body['checkOnly'] === false && faults.has('unchecked-reference-optional'))
  const referenceId = readReference(fields, isOptional)
  if (referenceId === undefined) faults.note('validation-error-sticks', key.id)
  else if (faults.hasNoted('validation-error-sticks', key.id)) fields.missing('referenceId')
  if (fields.boolean('checkOnly') === true)
    fields.fail('NOT_ALLOWED', 'checkOnly', 'Only orders of type dtu can be checked.')
  const order =
    ordersType === undefined ? undefined : readLine({ context, key }, fields, ordersType)
  if (fields.errors.length > 0 || order === undefined || referenceId === undefined) {
    const isCharged = ordersType === 'dtu' && faults.has('cap-charges-invalid-top-ups')
    if (isCharged || faults.has('cap-charges-invalid-orders')) key.usedMinor += UNIT_MINOR
    const isBurnt =
      faults.has('invalid-burns-reference') || faults.has('invalid-order-burns-reference')
    if (referenceId !== undefined && isBurnt) context.orders.burn(key, referenceId)
    const isTopUp = ordersType === 'dtu' && referenceId !== undefined
    if (isTopUp) faults.note('invalid-top-up-takes-reference', `${key.account.id}|${referenceId}`)
    if (isTopUp && faults.has('invalid-top-up-burns-reference'))
      context.orders.burn(key, referenceId)
    throw refusedFor(fields.errors, ordersType, faults)
  }
  return {
    kind: 'order',
    referenceId,
    lines: [order.line],
    canonicalPayload: order.canonicalPayload,
    requestText: comparesBodies(faults) ? textOf(body) : undefined,
  }
}

/** Faults that sell one kind without a reference. */
const REFERENCE_OPTIONAL = {
  dtu: 'top-up-reference-optional',
  esim: 'esim-reference-optional',
  'platform-gift': 'gift-reference-optional',
  shop: 'reference-optional',
} as const

function needsNoReference(ordersType: OrdersType | undefined, faults: FaultSet): boolean {
  return faults.has('reference-optional') || faults.has(REFERENCE_OPTIONAL[ordersType ?? 'shop'])
}

/** Faults that name no field where a kind lacks its reference. */
const UNNAMED = {
  dtu: 'top-up-reference-error-unnamed',
  esim: 'esim-reference-error-unnamed',
  'platform-gift': 'gift-reference-error-unnamed',
  shop: undefined,
} as const

function isUnnamed(ordersType: OrdersType | undefined, faults: FaultSet): boolean {
  const name = UNNAMED[ordersType ?? 'shop']
  return name !== undefined && faults.has(name)
}

function unnamed(error: FieldError): FieldError {
  return error.field === 'referenceId' ? { ...error, field: 'body' } : error
}

/** The 422 of a body; faults answer some by 400. */
function refusedFor(
  errors: readonly FieldError[],
  ordersType: OrdersType | undefined,
  faults: FaultSet,
): Refusal {
  const refused = invalid(isUnnamed(ordersType, faults) ? errors.map(unnamed) : errors)
  const is400 =
    (ordersType === 'dtu' && faults.has('invalid-top-ups-answer-400')) ||
    (ordersType === 'esim' && faults.has('invalid-esims-answer-400')) ||
    (isOfUnits(errors) && faults.has('units-answer-400')) ||
    (isOfGift(errors) && faults.has('gift-invalid-answers-400'))
  return is400 ? new Refusal({ ...refused.answer, httpStatus: 400 }) : refused
}

const COMPARING_FAULTS = [
  'replay-needs-same-body',
  'replay-refuses-other-body',
  'replay-other-body-unmarked',
  'top-up-replay-needs-same-body',
  'gift-replay-by-text',
  'esim-replay-needs-same-body',
  'other-body-replay-charges',
  'other-body-replay-debits',
] as const

function comparesBodies(faults: FaultSet): boolean {
  return !faults.isEmpty && COMPARING_FAULTS.some((name) => faults.has(name))
}

function readOrdersType(fields: Fields, faults: FaultSet): OrdersType | undefined {
  if (faults.has('orders-type-defaulted') && !namesOrdersType(fields)) return 'shop'
  return fields.oneOf('ordersType', ORDERS_TYPES)
}

function namesOrdersType(fields: Fields): boolean {
  return ORDERS_TYPES.some((known) => known === fields.value('ordersType'))
}

function readReference(fields: Fields, optional: boolean): string | undefined {
  if (optional && fields.value('referenceId') === undefined) return `none-${crypto.randomUUID()}`
  return fields.requiredText('referenceId', REFERENCE_RULE)
}

/** A variant completes long orders at once. */
function atOnce({ variants }: Context, line: OrderLine): OrderLine {
  return line.isLong === true && variants.has('long-orders-at-once')
    ? { ...line, delivery: { ...line.delivery, asynchronous: false } }
    : line
}

type PricedOrder = Pick<GiftOrder, 'line'> & Partial<GiftOrder>

function readLine(
  { context, key }: Pick<Call, 'context' | 'key'>,
  fields: Fields,
  ordersType: OrdersType,
): PricedOrder | undefined {
  if (ordersType === 'platform-gift') return readGiftLine(context, fields)
  const lacksScope = ordersType === 'esim' && !key.scopes.has('funds:read')
  if (lacksScope && context.faults.has('esim-needs-funds-read'))
    throw scopeMissing('funds:read', context.faults)
  const line = readCatalogLine(fields, ordersType, context.faults)
  return line && { line: atOnce(context, line) }
}

/** The bucket of POST /orders depends on the body, which is read before anything is known to be valid. */
export function asksForCheck(body: string | Uint8Array): boolean {
  return isCheck(peekJson(body))
}
