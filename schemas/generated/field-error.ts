/** Generated from schemas/field-error.schema.json by `npm run generate`. Do not edit. */

/** One field-level validation problem. */
export interface FieldError {
  code:
    | 'MISSING'
    | 'OUT_OF_RANGE'
    | 'INVALID_FORMAT'
    | 'INVALID_VALUE'
    | 'NOT_ALLOWED'
    | 'TOO_LONG'
    | 'TOO_SHORT'
  /** Name of the offending field. */
  field: string
  message: string
}
