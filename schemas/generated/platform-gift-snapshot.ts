/** Generated from schemas/platform-gift-snapshot.schema.json by `npm run generate`. Do not edit. */
import type { IsoDateTime } from './iso-date-time.ts'

/**
 * Safe fields of a gift purchase. Only resolutionRequired is stated as required; whether the others may be null is not shown, so null passes. The state texts are examples, not closed sets.
 */
export interface PlatformGiftSnapshot {
  deliveryState?: string | null
  giftState?: string | null
  editionName?: string | null
  productName?: string | null
  recipientRegion?: string | null
  /** Normalized public code. */
  errorCode?: string | null
  /** Default false. */
  requiresCustomerAction?: boolean
  /** Operations have to review it. */
  resolutionRequired: boolean
  /** Default false. */
  retryable?: boolean
  updatedAt?: IsoDateTime | null
}
