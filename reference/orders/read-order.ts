/** What the body of an order asks for, and the 422 where it is not valid. */
import { ORDERS_TYPES, type OrdersType } from '../../contract/wire.ts'
import { scopeMissing } from '../auth/scopes.ts'
import type { Context } from '../model/context.ts'
import type { FaultSet } from '../faults/faults.ts'
import { Fields, type JsonObject, type TextRule } from '../http/body.ts'
import type { Call } from '../model/call.ts'
import { type FieldError, type Refusal, invalid, by400, withoutErrors } from '../http/answer.ts'
import { type GiftOrder, readGiftLine } from '../gifts/read-line.ts'
import type { OrderLine } from '../model/order.ts'
import type { PurchasePlan } from './purchase.ts'
import { isOfGift, isOfUnits, piecesOf, readCatalogLine } from './read-line.ts'
import { textOf } from './earlier-purchase.ts'
import { ruleOfReferences } from './filter-forms.ts'

export function readPlan({ context, key }: Call, body: JsonObject): PurchasePlan {
  const fields = new Fields(body)
  const { faults } = context
  const ordersType = readOrdersType(fields, faults)
  const isNull = body['referenceId'] === null && ordersType === 'dtu'
  const isOptional =
    needsNoReference(ordersType, faults) ||
    (isNull && faults.has('top-up-reference-null')) ||
    (body['checkOnly'] === false && faults.has('unchecked-reference-optional'))
  const referenceId = readReference(fields, isOptional, context)
  if (referenceId === undefined) faults.note('validation-error-sticks', key.id)
  else if (faults.hasNoted('validation-error-sticks', key.id)) fields.missing('referenceId')
  if (fields.boolean('checkOnly') === true)
    fields.fail('NOT_ALLOWED', 'checkOnly', 'Only orders of type dtu can be checked.')
  const order =
    ordersType === undefined ? undefined : readLine({ context, key }, fields, ordersType)
  if (fields.errors.length > 0 || order === undefined || referenceId === undefined) {
    const isTopUp = ordersType === 'dtu' && referenceId !== undefined
    if (isTopUp) faults.note('invalid-top-up-takes-reference', `${key.account.id}|${referenceId}`)
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
  shop: undefined,
} as const

function needsNoReference(ordersType: OrdersType | undefined, faults: FaultSet): boolean {
  const name = REFERENCE_OPTIONAL[ordersType ?? 'shop']
  return name !== undefined && faults.has(name)
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
    (ordersType === 'shop' &&
      isOfReference(errors) &&
      faults.has('unreferenced-vouchers-answer-400')) ||
    (isOfUnits(errors) && faults.has('units-answer-400')) ||
    isAnswered400(errors, ordersType, faults) ||
    (isOfGift(errors) && faults.has('gift-invalid-answers-400'))
  if (isSilent(errors, ordersType, faults)) return withoutErrors(refused)
  return is400 ? by400(refused) : refused
}

/** Fields that alone are wrong, and a fault that then answers by 400. */
const ANSWERED_400 = [
  ['gift-two-answers-400', 'platform-gift', /^gifts$/],
  ['gift-without-addresses-answers-400', 'platform-gift', /_url$/],
  ['two-esims-answer-400', 'esim', /^quantity$/],
  ['long-order-elsewhere-answers-400', undefined, /^isLongOrder$/],
] as const

function isAnswered400(
  errors: readonly FieldError[],
  ordersType: OrdersType | undefined,
  faults: FaultSet,
): boolean {
  return ANSWERED_400.some(
    ([name, kind, fields]) =>
      faults.has(name) &&
      (kind ?? ordersType) === ordersType &&
      errors.every(({ field }) => fields.test(field)),
  )
}

/** Only faults list nothing of what is wrong with one kind. */
function isSilent(
  errors: readonly FieldError[],
  ordersType: OrdersType | undefined,
  faults: FaultSet,
): boolean {
  return (
    (ordersType === 'dtu' && faults.has('invalid-top-ups-without-errors')) ||
    (ordersType === 'esim' && faults.has('invalid-esims-without-errors')) ||
    (ordersType === 'platform-gift' &&
      isOfGift(errors) &&
      faults.has('gift-invalid-without-errors'))
  )
}

/** Nothing is wrong but the reference. */
function isOfReference(errors: readonly FieldError[]): boolean {
  return errors.every(({ field }) => field === 'referenceId')
}

const COMPARING_FAULTS = [
  'replay-needs-same-body',
  'replay-refuses-other-body',
  'replay-other-body-unmarked',
  'top-up-replay-needs-same-body',
  'gift-replay-by-text',
  'esim-replay-needs-same-body',
  'later-replay-needs-same-body',
  'other-body-replay-charges',
  'other-body-replay-debits',
  'sibling-reference-of-same-body-only',
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

function readReference(fields: Fields, optional: boolean, context: Context): string | undefined {
  if (optional && fields.value('referenceId') === undefined) return `none-${crypto.randomUUID()}`
  return fields.requiredText('referenceId', ruleOfReference(context))
}

const ANY_LETTER = /^[\p{L}\w.:-]+$/u

/** A variant takes references of any letters. Faults take some, and then keep a part of them alone. */
function ruleOfReference({ faults, variants }: Context): TextRule {
  const rule = ruleOfReferences(variants)
  const isOfAnyLetter =
    variants.has('references-of-any-letter') || faults.has('reference-letters-lost')
  if (isOfAnyLetter) return { ...rule, pattern: ANY_LETTER }
  return faults.has('long-reference-cut') ? { ...rule, max: 120 } : rule
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
  const line = readCatalogLine(ordersType, {
    fields,
    faults: context.faults,
    enforcement: piecesOf(context),
  })
  return line && { line: atOnce(context, line) }
}
