/** Generated from schemas/purchase-response.schema.json by `npm run generate`. Do not edit. */
import type { EsimPayload } from './esim-payload.ts'
import type { IsoUtcDateTime } from './iso-utc-date-time.ts'
import type { PlatformGiftSnapshot } from './platform-gift-snapshot.ts'
import type { TransactionStatus } from './transaction-status.ts'
import type { Voucher } from './voucher.ts'

/** One order: data of POST /api/v1/orders, and each order of a checkout. */
export interface PurchaseResponse {
  orderId: string
  currency: string
  price: number
  status: TransactionStatus
  createdAt?: IsoUtcDateTime
  /** Null while an eSIM payload is pending. */
  result?: PurchaseResult | null
}
/**
 * What was delivered. Which members are present, and whether the others are null or absent, is not shown.
 */
export interface PurchaseResult {
  /** Top-up attributes of a dtu order; their contents are not shown. */
  attributes?: {
    [k: string]: unknown
  } | null
  esim?: EsimPayload | null
  platformGift?: PlatformGiftSnapshot | null
  vouchers?: Voucher[] | null
}
