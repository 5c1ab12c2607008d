/** Generated from schemas/product-item.schema.json by `npm run generate`. Do not edit. */

export type Numeric = number | string

/** One item of the catalog. */
export interface ProductItem {
  id: string
  /** Currency code; its format is not shown. */
  currency: string
  /** A number, or a text that holds one (the exact type is not shown). */
  price: Numeric
  /** Stock indicator: a number, or a text that holds one (the exact type is not shown). */
  inStock: Numeric
  name?: string | null
  /** The amount of an order is an integer count of units. Default false. */
  amountIsQuantity?: boolean
  minQuantity?: number
  maxQuantity?: number
  /** Allowed step between quantities. */
  stepQuantity?: number
  /** Base price of one unit, in USD. */
  unitPrice?: string
  /** Long orders are supported. */
  isLongOrder?: boolean
  minQtyToLongOrder?: number
}
