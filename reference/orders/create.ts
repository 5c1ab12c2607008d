/** POST /api/v1/orders */
import { ORDERS_TYPES } from '../../contract/wire.ts'
import type { OrdersType } from '../../contract/wire.ts'
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
import type { Purchase } from './order.ts'
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
  const earlier = earlierPurchase(call, body)
  if (earlier !== undefined) return replay(call, body, earlier)
  const plan = readPlan(call, body)
  requireJsonDeclared(call)
  try {
    return answerCreated(call.context, await purchase(call.context, call.key, plan))
  } catch (error) {
    giveBackWhenContended(call, error)
    throw error
  }
}

/** A contended order consumes no quota, the rate limit's included. */
export function giveBackWhenContended({ giveBack }: Call, error: unknown): void {
  if (error instanceof Error && isContention(error)) giveBack()
}

function isContention(error: Error): boolean {
  return 'answer' in error && (error.answer as Answer).errorCode === 'contention'
}

/** What was bought under the reference of a body, whatever else the body says. */
export function earlierPurchase({ context, key }: Call, body: JsonObject): Purchase | undefined {
  const { faults, orders } = context
  const { referenceId } = body
  if (typeof referenceId !== 'string' || faults.has('replay-creates-second-order')) return undefined
  const earlier = orders.purchase(key, referenceId)
  const differs = earlier?.requestText !== undefined && earlier.requestText !== textOf(body)
  return differs && faults.has('replay-needs-same-body') ? undefined : earlier
}

function textOf(body: JsonObject): string {
  return JSON.stringify(body)
}

export function replay({ context, key }: Call, body: JsonObject, earlier: Purchase): Answer {
  const { faults } = context
  const { canonicalPayload } = earlier
  const conflict = refusal(409, CODES.conflict, 'The referenceId belongs to a different gift.', {
    errorCode: 'reference_payload_conflict',
  })
  if (canonicalPayload !== undefined && !faults.has('gift-conflict-replayed'))
    if (canonicalGiftOf(context, body) !== canonicalPayload) throw conflict
  const differs = earlier.requestText !== undefined && earlier.requestText !== textOf(body)
  if (differs && faults.has('replay-refuses-other-body')) throw conflict
  if (faults.has('replay-charges-again'))
    earlier.key.usedMinor += earlier.orders.reduce((sum, order) => sum + order.line.priceMinor, 0)
  return answerReplayed(context, earlier, key)
}

function readPlan({ context, key }: Call, body: JsonObject): PurchasePlan {
  const fields = new Fields(body)
  const ordersType = readOrdersType(fields, context.faults)
  const referenceId = readReference(fields, context.faults.has('reference-optional'))
  if (fields.boolean('checkOnly') === true)
    fields.fail('NOT_ALLOWED', 'checkOnly', 'Only orders of type dtu can be checked.')
  const order =
    ordersType === undefined ? undefined : readLine({ context, key }, fields, ordersType)
  if (fields.errors.length > 0 || order === undefined || referenceId === undefined)
    throw invalid(fields.errors)
  const comparesBodies =
    context.faults.has('replay-needs-same-body') || context.faults.has('replay-refuses-other-body')
  return {
    kind: 'order',
    referenceId,
    lines: [order.line],
    ...(order.canonicalPayload !== undefined && { canonicalPayload: order.canonicalPayload }),
    ...(comparesBodies && { requestText: textOf(body) }),
  }
}

function readOrdersType(fields: Fields, faults: FaultSet): OrdersType | undefined {
  const isKnown = ORDERS_TYPES.some((known) => known === fields.value('ordersType'))
  if (!isKnown && faults.has('orders-type-defaulted')) return 'shop'
  return fields.oneOf('ordersType', ORDERS_TYPES)
}

function readReference(fields: Fields, optional: boolean): string | undefined {
  if (optional && fields.value('referenceId') === undefined) return `none-${crypto.randomUUID()}`
  return fields.requiredText('referenceId', REFERENCE_RULE)
}

type PricedOrder = Pick<GiftOrder, 'line'> & Partial<GiftOrder>

function readLine(
  { context }: Pick<Call, 'context' | 'key'>,
  fields: Fields,
  ordersType: OrdersType,
): PricedOrder | undefined {
  if (ordersType === 'platform-gift') return readGiftLine(context, fields)
  const line = readCatalogLine(fields, ordersType)
  return line && { line }
}

/** The bucket of POST /orders depends on the body, which is read before anything is known to be valid. */
export function asksForCheck(body: string | Uint8Array): boolean {
  return isCheck(peekJson(body))
}
