/** Generated from schemas/iso-date-time.schema.json by `npm run generate`. Do not edit. */

/**
 * An ISO 8601 date-time: date and time of day, extended or basic form, with or without an offset.
 */
export type IsoDateTime = string
