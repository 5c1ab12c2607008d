/** Generated from schemas/voucher.schema.json by `npm run generate`. Do not edit. */
import type { IsoDateTime } from './iso-date-time.ts'

/** One delivered code. */
export interface Voucher {
  pin: string
  serialNumber?: string
  expiration?: IsoDateTime
}
