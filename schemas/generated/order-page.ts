/** Generated from schemas/order-page.schema.json by `npm run generate`. Do not edit. */
import type { TransactionStatus } from './transaction-status.ts'

/**
 * Data of GET /api/v1/orders. Fields of an item beyond its status, and of the page beyond its items, are not shown.
 */
export interface OrderPage {
  page: {
    items: OrderListItem[]
  }
}
export interface OrderListItem {
  status: TransactionStatus
  [k: string]: unknown
}
