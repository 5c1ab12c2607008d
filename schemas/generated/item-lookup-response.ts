/** Generated from schemas/item-lookup-response.schema.json by `npm run generate`. Do not edit. */
import type { ProductItem } from './product-item.ts'

/** Data of an item lookup. The rule that ties found, item and error together is not shown. */
export interface ItemLookupResponse {
  items: ItemLookup[]
}
export interface ItemLookup {
  serviceId: string
  itemId: string
  found: boolean
  item?: ProductItem | null
  error?: 'service_not_found' | 'item_not_found' | 'upstream_error' | null
}
