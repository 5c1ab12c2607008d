/** Generated from schemas/envelope.schema.json by `npm run generate`. Do not edit. */
import type { FieldError } from './field-error.ts'
import type { TransactionStatus } from './transaction-status.ts'

/** Wraps every JSON response. */
export interface Envelope {
  /** Payload of the operation. */
  data?: {
    [k: string]: unknown
  } | null
  /** Machine-readable error code. */
  errorCode?: string | null
  /** Field-level validation problems. */
  errors?: FieldError[] | null
  status: TransactionStatus
  statusCode: number
  /** Human-readable message. */
  statusMessage: string
  /** Request trace identifier. */
  traceId: string
}
