import { formatMoney, moneyNumber } from '../base/money.ts'
import type { FaultSet } from '../faults/faults.ts'
import type { CatalogService, Item } from '../model/catalog.ts'

/** A ProductItem; optional properties have a value only where the interface says so. */
export function presentItem(item: Item, faults: FaultSet, currency = item.currency): object {
  const isNeverCounted = faults.has('item-is-never-by-quantity')
  const quantityMode = isNeverCounted ? undefined : item.quantityMode
  const isNeverLong = faults.has('item-is-never-long-order')
  const minQtyToLongOrder = isNeverLong ? undefined : item.minQtyToLongOrder
  return {
    id: item.id,
    name: item.name,
    currency,
    price: moneyNumber(item.priceMinor),
    inStock: item.inStock,
    amountIsQuantity: quantityMode !== undefined,
    isLongOrder: minQtyToLongOrder !== undefined,
    minQtyToLongOrder,
    ...(quantityMode && {
      minQuantity: quantityMode.minQuantity,
      maxQuantity: quantityMode.maxQuantity,
      stepQuantity: quantityMode.stepQuantity,
      unitPrice: formatMoney(quantityMode.unitPriceMinor),
    }),
  }
}

/** Where a service is shown. */
type Place = 'whole' | 'page' | 'search'

/** Without faults a service is always shown alike. */
const presented = new WeakMap<CatalogService, object>()

export function presentService(
  service: CatalogService,
  faults: FaultSet,
  place: Place = 'whole',
): object {
  const before = faults.isEmpty ? presented.get(service) : undefined
  if (before !== undefined) return before
  const shown = shownAt(service, faults, place)
  if (faults.isEmpty) presented.set(service, shown)
  return shown
}

function shownAt(service: CatalogService, faults: FaultSet, place: Place): object {
  const isInEuro =
    faults.has('esim-priced-in-eur') ||
    (place === 'page' && faults.has('esim-priced-in-eur-on-pages')) ||
    (place === 'search' && faults.has('esim-priced-in-eur-in-searches'))
  const currency = service.type === 'esim' && isInEuro ? 'EUR' : undefined
  return {
    id: service.id,
    name: service.name,
    type: service.type,
    imageUrl: service.imageUrl,
    items: service.items.map((item) => presentItem(item, faults, currency)),
  }
}
