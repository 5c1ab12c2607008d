/** The envelope that wraps every answer. */
import type { Context } from './model/context.ts'
import type { FaultSet } from './faults/faults.ts'
import type { Identifiers } from './base/identifiers.ts'
import { changedByVariants, headed, written } from './variants/envelope-changes.ts'
import { OTHER_CODES } from './variants/codes.ts'
import type { VariantSet } from './base/variants.ts'
import type { ServiceResponse } from './base/types.ts'
import type { FieldErrorCode } from '../contract/wire.ts'
import { type Answer, type FieldError, UNKNOWN_PATH, isBrokenBody } from './http/answer.ts'
import { distorted } from './http/distort.ts'
import { CODES } from './http/status-codes.ts'

const STATUS_CODE_BEYOND_RANGE = 15
const JSON_CONTENT = 'application/json; charset=utf-8'

export type Rendering = Pick<Context, 'identifiers' | 'faults' | 'variants'>

export function render(
  given: Answer,
  { identifiers, faults, variants }: Rendering,
): ServiceResponse {
  const answer = variants.size === 0 ? given : renumbered(given, variants)
  const isRefusal = answer.httpStatus >= 400
  const isPlain =
    faults.has('error-without-envelope') ||
    (faults.has('broken-json-plain') && isBrokenBody(answer)) ||
    (faults.has('missing-item-plain') && answer.errorCode === 'item_not_found') ||
    (answer.httpStatus === 405 && variants.has('other-methods-answered-elsewhere'))
  if (isRefusal && isPlain) return respond(answer, 'text/plain; charset=utf-8', answer.message)
  if (answer.errorCode === UNKNOWN_PATH && variants.has('unknown-paths-answered-elsewhere'))
    return respond(answer, 'text/html', '<html>Not here.</html>')
  const isBare = !isRefusal && faults.has('envelope-missing')
  const whole = isBare ? (answer.data ?? {}) : envelopeOf(answer, identifiers, faults)
  const content = faults.shapes().reduce(distorted, whole)
  if (variants.size > 0) return respondChanged(answer, content, variants)
  const start = faults.has('body-after-byte-order-mark') ? '\ufeff' : ''
  const ending = faults.has('body-not-json') ? ',' : ''
  return respond(answer, JSON_CONTENT, start + JSON.stringify(content) + ending)
}

function respondChanged(answer: Answer, content: object, variants: VariantSet): ServiceResponse {
  const body = written(changedByVariants(content, variants), variants)
  const plain = respond(answer, JSON_CONTENT, body)
  return { ...plain, headers: headed(plain.headers, variants, answer.httpStatus < 300) }
}

/** Other numbers where the interface gives none, and another status of refusals. */
function renumbered(answer: Answer, variants: VariantSet): Answer {
  const isOther = variants.has('codes-other') || variants.has('codes-other-undeclared')
  const saysSuccess = answer.httpStatus >= 400 && variants.has('refusals-say-success')
  return {
    ...answer,
    httpStatus:
      isCreation(answer) && variants.has('checkouts-answer-201') ? 201 : answer.httpStatus,
    statusCode: isOther
      ? (OTHER_CODES.get(answer.statusCode) ?? answer.statusCode)
      : answer.statusCode,
    status: saysSuccess ? 'SUCCESS' : answer.status,
  }
}

/** The first answer to a checkout that is complete. */
function isCreation({ httpStatus, statusCode, data }: Answer): boolean {
  const isFirst = httpStatus === 200 && statusCode === CODES.success
  return isFirst && data !== undefined && Object.hasOwn(data, 'orders')
}

function envelopeOf(answer: Answer, identifiers: Identifiers, faults: FaultSet): object {
  return {
    data: answer.data ?? null,
    errorCode: answer.errorCode ?? null,
    errors: errorsOf(answer, faults),
    status: faults.has('envelope-status-unknown') ? 'OK' : answer.status,
    statusCode: statusCodeOf(answer, faults),
    statusMessage: faults.has('status-message-missing') ? undefined : answer.message,
    traceId: traceIdOf(identifiers, faults),
  }
}

/** Answers so far, counted for one fault alone. */
const answered = new WeakMap<Identifiers, number>()

function traceOfTen(identifiers: Identifiers): string {
  const count = (answered.get(identifiers) ?? 0) + 1
  answered.set(identifiers, count)
  return `trace-${Math.floor(count / 10)}`
}

function traceIdOf(identifiers: Identifiers, faults: FaultSet): string | undefined {
  if (faults.has('trace-id-missing')) return undefined
  if (faults.has('trace-id-of-ten')) return traceOfTen(identifiers)
  return faults.has('trace-id-empty') ? '' : identifiers.traceId()
}

function statusCodeOf({ statusCode }: Answer, faults: FaultSet): number | undefined {
  if (faults.has('status-code-missing')) return undefined
  return faults.has('status-code-out-of-range') ? STATUS_CODE_BEYOND_RANGE : statusCode
}

function errorsOf({ errors }: Answer, faults: FaultSet): object[] | null {
  if (errors === undefined) return null
  return errors
    .filter((error) => isListed(error, faults))
    .map((error) => ({
      ...error,
      ...(isMisnamed(error, faults) && { code: 'WRONG_FORMAT' }),
    }))
}

/** Only faults leave some out. */
function isListed({ code, field }: FieldError, faults: FaultSet): boolean {
  if (faults.has('validation-lists-missing-only')) return code === 'MISSING'
  return field !== 'quantity' || !faults.has('invalid-quantities-unlisted')
}

const FORMAT_CODES: readonly FieldErrorCode[] = ['INVALID_FORMAT', 'TOO_LONG', 'TOO_SHORT']

/** Only a fault misnames. */
function isMisnamed({ code }: FieldError, faults: FaultSet): boolean {
  return faults.has('field-error-code-of-formats') && FORMAT_CODES.includes(code)
}

function respond(
  { httpStatus, headers }: Answer,
  contentType: string,
  body: string,
): ServiceResponse {
  const all = ['Content-Type', contentType, 'Cache-Control', 'no-store']
  if (headers !== undefined) for (const [name, value] of headers) all.push(name, value)
  return { status: httpStatus, headers: all, body }
}
