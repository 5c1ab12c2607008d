import { STATUS_CODE } from '../../contract/wire.ts'

/** Numbers of `statusCode`. Those that the interface names come from the contract; the others are this service's choice (CHOICES.md). */
export const CODES = {
  success: 0,
  idempotencyReplay: 1,
  validationFailed: 2,
  unauthenticated: 3,
  forbidden: 4,
  notFound: 5,
  conflict: 6,
  unsupportedMediaType: 7,
  limitReached: STATUS_CODE.limitReached,
  methodNotAllowed: 9,
  tooLarge: 10,
  internalError: 11,
  upstreamError: 12,
  apiKeyLimitExceeded: STATUS_CODE.apiKeyLimitExceeded,
  providerUnavailable: STATUS_CODE.providerUnavailable,
} as const
