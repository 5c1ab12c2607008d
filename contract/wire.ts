/** Closed sets, header names and numbers that the interface fixes on the wire. Facts only: no algorithm lives here. */

/** Envelope and order status (interface, Envelope and States). */
export const TRANSACTION_STATUSES = [
  'SUCCESS',
  'IN_PROGRESS',
  'PARTIALLY_COMPLETED',
  'CANCELLED',
] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** States at which polling stops (interface, States). */
export const TERMINAL_STATUSES = ['SUCCESS', 'PARTIALLY_COMPLETED', 'CANCELLED'] as const
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number]

/** Whether it is the status of an order at which polling stops. */
export function isTerminal(status: unknown): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly unknown[]).includes(status)
}

/** What the result of an order may have (interface, PurchaseResponse, fields of `result`). */
export const RESULT_MEMBERS = ['attributes', 'esim', 'platformGift', 'vouchers'] as const

/** FieldError codes (interface, FieldError). */
export const FIELD_ERROR_CODES = [
  'MISSING',
  'OUT_OF_RANGE',
  'INVALID_FORMAT',
  'INVALID_VALUE',
  'NOT_ALLOWED',
  'TOO_LONG',
  'TOO_SHORT',
] as const
export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number]

/** Item lookup errors (interface, ItemLookupResponse). */
export const ITEM_LOOKUP_ERRORS = ['service_not_found', 'item_not_found', 'upstream_error'] as const

/** Values of `ordersType` (interface, POST /api/v1/orders). */
export const ORDERS_TYPES = ['shop', 'dtu', 'esim', 'platform-gift'] as const
export type OrdersType = (typeof ORDERS_TYPES)[number]

/** Values of the services filter `type` (interface, GET /api/v1/services). */
export const SERVICE_TYPES = ['voucher', 'direct_topup', 'esim'] as const

/** The numbers of `statusCode` that the interface names (Errors). Others in 0..14 are not shown. */
export const STATUS_CODE = {
  limitReached: 8,
  apiKeyLimitExceeded: 13,
  providerUnavailable: 14,
  min: 0,
  max: 14,
} as const

/** `errorCode` of a purchase that does not fit in the key's transaction limit (Authentication 5). */
export const ERROR_CODE_TRANSACTION_LIMIT = 'api_key_transaction_limit_exceeded'

export const HEADER = {
  apiKey: 'X-API-Key',
  contentType: 'Content-Type',
  retryAfter: 'Retry-After',
} as const

/** Names that a client goes by in turns: limits are kept per account (Limits, paragraph 1), never by what a client calls itself. */
export const USER_AGENTS = ['ordering-harness', 'ordering-harness (another client)'] as const

/** Such a name with the id of the run, by which whoever serves it finds its requests. */
export function signedBy(run: string | undefined, name: string = USER_AGENTS[0]): string {
  return run === undefined ? name : `${name} run/${run}`
}

export const MEDIA_TYPE_JSON = 'application/json'

/** Seconds that the interface states literally for Retry-After. */
export const RETRY_AFTER_SECONDS = {
  contentionTypical: 1,
  providerUnavailable: 2,
  esimPending: 15,
  checkBucket: 60,
} as const

/** Scopes of an API key (Authentication 3). */
export const SCOPES = ['product:read', 'orders:write', 'orders:read', 'funds:read'] as const
export type Scope = (typeof SCOPES)[number]
