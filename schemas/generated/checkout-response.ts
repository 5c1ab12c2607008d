/** Generated from schemas/checkout-response.schema.json by `npm run generate`. Do not edit. */
import type { PurchaseResponse } from './purchase-response.ts'
import type { TransactionStatus } from './transaction-status.ts'

/** Data of POST /carts: the orders that one checkout created. */
export interface CheckoutResponse {
  referenceId: string
  currency: string
  totalPrice: number
  status: TransactionStatus
  orders: PurchaseResponse[]
}
