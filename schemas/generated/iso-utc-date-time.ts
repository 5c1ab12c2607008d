/** Generated from schemas/iso-utc-date-time.schema.json by `npm run generate`. Do not edit. */

/** An ISO 8601 date-time in UTC: with Z or an offset of zero. */
export type IsoUtcDateTime = string
