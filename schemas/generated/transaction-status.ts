/** Generated from schemas/transaction-status.schema.json by `npm run generate`. Do not edit. */

/** Status of an order, of a checkout, and of an envelope. A closed set. */
export type TransactionStatus = 'SUCCESS' | 'IN_PROGRESS' | 'PARTIALLY_COMPLETED' | 'CANCELLED'
