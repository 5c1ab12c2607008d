import { entries } from './entries.ts'

/** Fields of a catalog item, wherever one is returned. */
export const PRODUCT_ITEM = entries('Resources and their fields > ProductItem', 'catalog', {
  'PROD-01': {
    source: ['row id'],
    text: 'A product item has an id, a string.',
  },
  'PROD-02': {
    source: ['row currency'],
    text: 'A product item has a currency, a string.',
  },
  'PROD-03': {
    source: ['row price'],
    text: 'A product item has a price, a number.',
  },
  'PROD-04': {
    source: ['row inStock'],
    text: 'A product item has inStock with a numeric value.',
  },
  'PROD-05': {
    source: ['row name'],
    text: 'The name of a product item is a string, null, or left out.',
  },
  'PROD-06': {
    source: ['row amountIsQuantity'],
    text: 'amountIsQuantity of a product item is a boolean or left out, which means false.',
  },
  'PROD-07': {
    source: ['row amountIsQuantity'],
    text: 'amountIsQuantity is true on a top-up item that is sold by the unit.',
    capability: 'quantity-items',
  },
  'PROD-08': {
    source: ['row minQuantity'],
    text: 'minQuantity, where a product item has it, is an integer.',
    capability: 'quantity-items',
  },
  'PROD-09': {
    source: ['row minQuantity'],
    text: 'No product item has minQuantity unless its amountIsQuantity is true.',
  },
  'PROD-10': {
    source: ['row maxQuantity'],
    text: 'maxQuantity, where a product item has it, is an integer.',
    capability: 'quantity-items',
  },
  'PROD-11': {
    source: ['row maxQuantity'],
    text: 'No product item has maxQuantity unless its amountIsQuantity is true.',
  },
  'PROD-12': {
    source: ['row stepQuantity'],
    text: 'stepQuantity, where a product item has it, is an integer.',
    capability: 'quantity-items',
  },
  'PROD-13': {
    source: ['row stepQuantity'],
    text: 'No product item has stepQuantity unless its amountIsQuantity is true.',
  },
  'PROD-14': {
    source: ['row unitPrice'],
    text: 'unitPrice, where a product item has it, is a string that holds an amount.',
    capability: 'quantity-items',
  },
  'PROD-15': {
    source: ['row unitPrice'],
    text: 'No product item has unitPrice unless its amountIsQuantity is true.',
  },
  'PROD-16': {
    source: ['row isLongOrder'],
    text: 'isLongOrder of a product item is a boolean or left out.',
  },
  'PROD-17': {
    source: ['row isLongOrder'],
    text: 'isLongOrder is true on a product that can be bought as a long order.',
    capability: 'long-orders',
  },
  'PROD-18': {
    source: ['row minQtyToLongOrder'],
    text: 'minQtyToLongOrder, where a product item has it, is an integer.',
    capability: 'long-orders',
  },
  'PROD-19': {
    source: ['row minQtyToLongOrder'],
    text: 'No product item has minQtyToLongOrder unless its isLongOrder is true.',
  },
})
