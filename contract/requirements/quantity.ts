import type { Requirement } from './types.ts'

const SECTION = 'Resources and their fields > ProductItem'

/** Buying by the unit, and long orders. */
export const QUANTITY = [
  {
    id: 'QTY-01',
    section: SECTION,
    source: ['row amountIsQuantity'],
    level: 'must',
    text: 'For a quantity-mode item an order takes amount as a number of units: an integer within the limits of the item is accepted.',
    capability: 'quantity-items',
    needs: { roles: ['full'], products: ['quantity'], purchase: true },
  },
  {
    id: 'QTY-02',
    section: SECTION,
    source: ['row amountIsQuantity'],
    level: 'must',
    text: 'An order for a quantity-mode item whose amount is no integer is refused and creates no order.',
    capability: 'quantity-items',
    needs: { roles: ['full'], products: ['quantity'] },
  },
  {
    id: 'QTY-03',
    section: SECTION,
    source: ['row minQuantity', 'Limits: row Quantity items'],
    level: 'must',
    text: 'An order for fewer units than minQuantity is refused and creates no order.',
    capability: 'quantity-items',
    needs: { roles: ['full'], products: ['quantity'] },
  },
  {
    id: 'QTY-04',
    section: SECTION,
    source: ['row maxQuantity', 'Limits: row Quantity items'],
    level: 'must',
    text: 'An order for more units than maxQuantity is refused and creates no order.',
    capability: 'quantity-items',
    needs: { roles: ['full'], products: ['quantity'] },
  },
  {
    id: 'QTY-05',
    section: SECTION,
    source: ['row stepQuantity', 'Limits: row Quantity items'],
    level: 'must',
    text: 'An order for a number of units that no step of stepQuantity reaches is refused and creates no order.',
    capability: 'quantity-items',
    needs: { roles: ['full'], products: ['quantity'] },
  },
  {
    id: 'QTY-06',
    section: SECTION,
    source: ['row unitPrice'],
    level: 'must',
    text: 'The price of a quantity-mode order is its units times unitPrice, in USD, with any tariff markup on top: it grows with the units and is never below that product.',
    capability: 'quantity-items',
    needs: { roles: ['full'], products: ['quantity'], purchase: true },
  },
  {
    id: 'LONG-01',
    section: SECTION,
    source: ['row isLongOrder'],
    level: 'must',
    text: 'A shop order of a product whose isLongOrder is true may itself set isLongOrder, and is accepted.',
    capability: 'long-orders',
    needs: { roles: ['full'], products: ['voucher-long'], purchase: true },
  },
  {
    id: 'LONG-02',
    section: SECTION,
    source: ['row minQtyToLongOrder'],
    level: 'must',
    text: 'minQtyToLongOrder is the smallest quantity of a long order: one with exactly that quantity is accepted.',
    capability: 'long-orders',
    needs: { roles: ['full'], products: ['voucher-long'], purchase: true },
  },
] as const satisfies readonly Requirement[]
