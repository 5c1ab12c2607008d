/** POST /api/v1/orders */
import { ORDERS_TYPES } from '../../contract/wire.ts'
import type { OrdersType } from '../../contract/wire.ts'
import { scopeMissing } from '../auth/scopes.ts'
import type { Context } from '../context.ts'
import type { FaultSet } from '../faults.ts'
import { Fields, peekJson, requireJson } from '../http/body.ts'
import type { JsonObject } from '../http/body.ts'
import type { Call } from '../http/call.ts'
import { invalid, refusal } from '../http/answer.ts'
import type { Answer } from '../http/answer.ts'
import { requireJsonDeclared } from '../http/content-type.ts'
import { CODES } from '../http/status-codes.ts'
import { canonicalGiftOf, readGiftLine } from '../gifts/read-line.ts'
import type { GiftOrder } from '../gifts/read-line.ts'
import { answerCreated, answerReplayed } from './answer.ts'
import { answerCheck } from './check.ts'
import { isEsim } from './order.ts'
import type { OrderLine, Purchase } from './order.ts'
import { purchase } from './purchase.ts'
import type { PurchasePlan } from './purchase.ts'
import { readCatalogLine } from './read-line.ts'

export const REFERENCE_RULE = { max: 64, pattern: /^[\w.:-]+$/ }

/** Whether a body asks for the check of a top-up, which has a bucket of its own. */
export function isCheck(body: JsonObject | undefined): boolean {
  return body?.['ordersType'] === 'dtu' && body['checkOnly'] === true
}

export async function createOrder(call: Call): Promise<Answer> {
  const body = requireJson(call.body)
  if (isCheck(body)) return answerCheck(call, body)
  await turn(call, body)
  const earlier = earlierPurchase(call, body, 'order')
  if (earlier !== undefined) return replay(call, body, earlier)
  const plan = readPlan(call, body)
  requireJsonDeclared(call)
  const { context, key } = call
  try {
    const bought = await purchase(context, key, plan)
    if (call.isGone?.() === true)
      context.faults.note('lost-answer-buys-again', `${key.account.id}|${bought.referenceId}`)
    return answerCreated(context, bought)
  } catch (error) {
    giveBackWhenContended(call, error)
    throw error
  }
}

/** A variant lets requests with one reference wait for each other. */
export async function turn({ context, key }: Call, { referenceId }: JsonObject): Promise<void> {
  const { clock, orders, variants } = context
  if (!variants.has('contention-queued') || typeof referenceId !== 'string') return
  while (orders.isClaimed(key, referenceId)) await clock.sleep(1)
}

/** A contended order consumes no quota, the rate limit's included. */
export function giveBackWhenContended({ giveBack, context }: Call, error: unknown): void {
  if (context.variants.has('contention-counted')) return
  if (error instanceof Error && isContention(error)) giveBack()
}

function isContention(error: Error): boolean {
  return 'answer' in error && (error.answer as Answer).errorCode === 'contention'
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
  const earlier = orders.purchase(key, referenceId, kind)
  return earlier !== undefined && isForgotten(context, earlier, body) ? undefined : earlier
}

/** Only faults forget what was bought. */
function isForgotten({ faults, clock }: Context, earlier: Purchase, body: JsonObject): boolean {
  const { kind, orders, referenceId, key } = earlier
  if (faults.has('replay-needs-same-body') && differs(earlier, body)) return true
  if (faults.has('checkout-replay-buys-again') && kind === 'checkout') return true
  if (faults.has('esim-replay-buys-again') && isEsim(earlier)) return true
  if (faults.hasNoted('lost-answer-buys-again', `${key.account.id}|${referenceId}`)) return true
  return (
    faults.has('finished-reference-forgotten') &&
    orders.every(({ line, readyAtMs }) => line.delivery.asynchronous && clock.nowMs() >= readyAtMs)
  )
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
    throw refusal(409, CODES.conflict, 'The referenceId belongs to a different gift.', {
      errorCode: 'reference_payload_conflict',
    })
  }
  if (faults.has('replay-charges-again'))
    earlier.key.usedMinor += earlier.orders.reduce((sum, order) => sum + order.line.priceMinor, 0)
  return answerReplayed(context, earlier, key, differs(earlier, body))
}

function conflicts(context: Context, body: JsonObject, earlier: Purchase): boolean {
  const { faults } = context
  const { canonicalPayload, referenceId } = earlier
  if (differs(earlier, body) && faults.has('replay-refuses-other-body')) return true
  if (canonicalPayload === undefined || faults.has('gift-conflict-replayed')) return false
  if (canonicalGiftOf(context, body) === canonicalPayload) return false
  if (faults.hasNoted('gift-conflict-passes', referenceId)) return false
  faults.note('gift-conflict-passes', referenceId)
  return true
}

function readPlan({ context, key }: Call, body: JsonObject): PurchasePlan {
  const fields = new Fields(body)
  const { faults } = context
  const ordersType = readOrdersType(fields, faults)
  const optional =
    faults.has('reference-optional') ||
    (faults.has('gift-reference-optional') && ordersType === 'platform-gift')
  const referenceId = readReference(fields, optional)
  if (referenceId === undefined) faults.note('validation-error-sticks', key.id)
  else if (faults.hasNoted('validation-error-sticks', key.id)) fields.missing('referenceId')
  if (fields.boolean('checkOnly') === true)
    fields.fail('NOT_ALLOWED', 'checkOnly', 'Only orders of type dtu can be checked.')
  const order =
    ordersType === undefined ? undefined : readLine({ context, key }, fields, ordersType)
  if (fields.errors.length > 0 || order === undefined || referenceId === undefined)
    throw invalid(fields.errors)
  const comparesBodies = !faults.isEmpty && COMPARING_FAULTS.some((name) => faults.has(name))
  return {
    kind: 'order',
    referenceId,
    lines: [order.line],
    ...(order.canonicalPayload !== undefined && { canonicalPayload: order.canonicalPayload }),
    ...(comparesBodies && { requestText: textOf(body) }),
  }
}

const COMPARING_FAULTS = [
  'replay-needs-same-body',
  'replay-refuses-other-body',
  'replay-other-body-unmarked',
] as const

function readOrdersType(fields: Fields, faults: FaultSet): OrdersType | undefined {
  const isKnown = ORDERS_TYPES.some((known) => known === fields.value('ordersType'))
  if (!isKnown && faults.has('orders-type-defaulted')) return 'shop'
  return fields.oneOf('ordersType', ORDERS_TYPES)
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
