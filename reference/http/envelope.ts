/** The envelope that wraps every answer. */
import type { FaultSet } from '../faults.ts'
import type { Identifiers } from '../identifiers.ts'
import type { ServiceResponse } from '../types.ts'
import type { Answer } from './answer.ts'
import { distorted } from './distort.ts'

const STATUS_CODE_BEYOND_RANGE = 15

export function render(
  answer: Answer,
  identifiers: Identifiers,
  faults: FaultSet,
): ServiceResponse {
  const isRefusal = answer.httpStatus >= 400
  if (isRefusal && faults.has('error-without-envelope'))
    return respond(answer, 'text/plain; charset=utf-8', answer.message)
  const isBare = !isRefusal && faults.has('envelope-missing')
  const whole = isBare ? (answer.data ?? {}) : envelopeOf(answer, identifiers, faults)
  const content = faults.shapes().reduce(distorted, whole)
  const ending = faults.has('body-not-json') ? ',' : ''
  return respond(answer, 'application/json; charset=utf-8', JSON.stringify(content) + ending)
}

function envelopeOf(answer: Answer, identifiers: Identifiers, faults: FaultSet): object {
  return {
    data: answer.data ?? null,
    errorCode: answer.errorCode ?? null,
    errors: errorsOf(answer, faults),
    status: faults.has('envelope-status-unknown') ? 'OK' : answer.status,
    statusCode: statusCodeOf(answer, faults),
    statusMessage: faults.has('status-message-missing') ? undefined : answer.message,
    traceId: faults.has('trace-id-missing') ? undefined : identifiers.traceId(),
  }
}

function statusCodeOf({ statusCode }: Answer, faults: FaultSet): number | undefined {
  if (faults.has('status-code-missing')) return undefined
  return faults.has('status-code-out-of-range') ? STATUS_CODE_BEYOND_RANGE : statusCode
}

function errorsOf({ errors }: Answer, faults: FaultSet): object[] | null {
  if (errors === undefined || faults.has('validation-without-errors')) return null
  return errors.map((error) => ({
    ...error,
    ...(faults.has('field-error-code-unknown') && { code: 'INVALID' }),
    ...(faults.has('field-error-unnamed') && { field: 'body' }),
  }))
}

function respond(answer: Answer, contentType: string, body: string): ServiceResponse {
  return {
    status: answer.httpStatus,
    headers: [
      ['Content-Type', contentType],
      ['Cache-Control', 'no-store'],
      ...(answer.headers ?? []).map(([name, value]): [string, string] => [name, value]),
    ],
    body,
  }
}
