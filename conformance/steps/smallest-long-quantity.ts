import { itemOf } from './catalog-listing.ts'
import { type CheckContext, show, untested } from '../engine/kit.ts'

/** The smallest quantity of a long order, where the item states one. */
export async function smallestLongQuantity(context: CheckContext): Promise<number | undefined> {
  const { item } = await itemOf(context, 'voucher-long')
  if (item['isLongOrder'] !== true)
    untested('the item of product "voucher-long" does not say that it supports long orders')
  const quantity = item['minQtyToLongOrder'] ?? undefined
  if (quantity !== undefined && !Number.isSafeInteger(quantity))
    untested(`minQtyToLongOrder of the item is no integer: ${show(quantity)}`)
  return quantity as number | undefined
}
