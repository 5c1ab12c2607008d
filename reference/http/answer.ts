/** What a handler decides, before it becomes an envelope on the wire. */
import type { FieldErrorCode, TransactionStatus } from '../../contract/wire.ts'
import { CODES } from './status-codes.ts'

export type FieldError = {
  readonly code: FieldErrorCode
  readonly field: string
  readonly message: string
}

export type Answer = {
  readonly httpStatus: number
  readonly statusCode: number
  readonly status: TransactionStatus
  readonly message: string
  readonly data?: object
  readonly errorCode?: string
  readonly errors?: readonly FieldError[]
  readonly headers?: readonly (readonly [name: string, value: string])[]
}

/** Whether a request was refused for a body that is no JSON object. */
export function isBrokenBody({ errors = [] }: Answer): boolean {
  return errors.some(({ field }) => field === 'body')
}

/** Ends a request early with the answer it carries. It has no stack, which would cost more than the request. */
export class Refusal extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(answer.message)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Refusal'
    this.answer = answer
  }
}

/** HTTP 200 with `data`. */
export function success(data: object, message = 'OK'): Answer {
  return { httpStatus: 200, statusCode: CODES.success, status: 'SUCCESS', message, data }
}

/** An answer that says no. The envelope status of every refusal is CANCELLED (CHOICES.md). */
export function refusal(
  httpStatus: number,
  statusCode: number,
  message: string,
  more: Pick<Answer, 'errorCode' | 'errors' | 'headers'> = {},
): Refusal {
  return new Refusal({ httpStatus, statusCode, status: 'CANCELLED', message, ...more })
}

/** HTTP 422 with one entry for each offending field. */
export function invalid(errors: readonly FieldError[]): Refusal {
  const fields = errors.map((error) => error.field).join(', ')
  return refusal(422, CODES.validationFailed, `The request is not valid: ${fields}.`, {
    errorCode: 'validation_failed',
    errors,
  })
}

/** The same by HTTP 400: only faults answer so what is not valid. */
export function by400({ answer }: Refusal): Refusal {
  return new Refusal({ ...answer, httpStatus: 400 })
}

/** The same without what is wrong: only faults leave it out. */
export function withoutErrors({ answer }: Refusal): Refusal {
  const { errors: _none, ...others } = answer
  return new Refusal(others)
}

/** Error code of a path that no endpoint has. */
export const UNKNOWN_PATH = 'unknown_path'

export function notFound(message: string, errorCode = 'not_found'): Refusal {
  return refusal(404, CODES.notFound, message, { errorCode })
}
