import { entries } from './entries.ts'

/** Buying by the unit, and long orders. */
export const QUANTITY = entries('Resources and their fields > ProductItem', 'quantity-items', {
  'QTY-01': {
    source: ['row amountIsQuantity'],
    text: 'For a quantity-mode item an order takes amount as a number of units. Each integer within the limits of the item is accepted, the largest too.',
  },
  'QTY-02': {
    source: ['row amountIsQuantity'],
    text: 'An order for a quantity-mode item whose amount is no integer is refused and creates no order; so is a check of one.',
  },
  'QTY-03': {
    source: ['row minQuantity', 'Limits: row Quantity items'],
    text: 'An order for fewer units than minQuantity is refused and creates no order; so is a check of one.',
  },
  'QTY-04': {
    source: ['row maxQuantity', 'Limits: row Quantity items'],
    text: 'An order for more units than maxQuantity is refused and creates no order; so is a check of one.',
  },
  'QTY-05': {
    source: ['row stepQuantity', 'Limits: row Quantity items'],
    text: 'An order for a number of units that no step of stepQuantity reaches is refused and creates no order; so is a check of one.',
  },
  'QTY-06': {
    source: ['row unitPrice'],
    text: 'The price of a quantity-mode order is its units times unitPrice in USD, plus any tariff markup. It grows with the units and is never below that product.',
  },
  'LONG-01': {
    source: ['row isLongOrder'],
    text: 'A shop order of a product whose isLongOrder is true may itself set isLongOrder, and is accepted.',
    capability: 'long-orders',
  },
  'LONG-02': {
    source: ['row minQtyToLongOrder'],
    text: 'minQtyToLongOrder is the smallest quantity of a long order: one with exactly that quantity is accepted, and fewer pieces make none.',
    capability: 'long-orders',
  },
  'LONG-03': {
    source: ['row isLongOrder'],
    text: 'isLongOrder is for shop orders of products that support long orders: set elsewhere it is refused, or changes nothing.',
    capability: 'base',
  },
})
