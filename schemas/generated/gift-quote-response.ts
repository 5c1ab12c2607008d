/** Generated from schemas/gift-quote-response.schema.json by `npm run generate`. Do not edit. */

/** Data of POST /api/v1/platform-gifts/quotes. Types and formats of its fields are not shown. */
export interface GiftQuoteResponse {
  /** Authorizes one gift order; its type is not shown. */
  quoteToken: unknown
  /** Compatibility metadata; its type is not shown. */
  productId?: unknown
}
