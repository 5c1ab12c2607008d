import { ERROR_CODE_TRANSACTION_LIMIT, STATUS_CODE } from '../../../contract/wire.ts'
import { decide, type Statement } from './statements.ts'

/** The two marks of a refusal by the cap. */
export function markStatements(
  place: { readonly name: string },
  {
    code,
    errorCode,
  }: { readonly code?: number | undefined; readonly errorCode?: string | undefined },
): Statement[] {
  const isLimit = code === STATUS_CODE.limitReached
  return [
    decide(
      'CAP-04',
      code === STATUS_CODE.apiKeyLimitExceeded,
      place,
      `409 with statusCode ${code ?? 'none'}`,
    ),
    decide(
      'CAP-05',
      errorCode === ERROR_CODE_TRANSACTION_LIMIT,
      place,
      `409 with errorCode ${errorCode ?? 'none'}`,
    ),
    decide('CAP-17', !isLimit, place, `409 with statusCode ${code ?? 'none'}`),
  ]
}
