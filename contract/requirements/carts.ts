import { entries } from './entries.ts'

const OPERATION = 'Endpoints > POST /carts'

/** Buying several items at once. */
export const CARTS = entries('Resources and their fields > CheckoutResponse', 'cart', {
  'CART-01': {
    section: OPERATION,
    source: ['paragraph 1 sentence 1', 'What the service does: bullet 4'],
    text: 'A checkout creates as many orders as the cart has positions.',
  },
  'CART-02': {
    section: OPERATION,
    source: [
      'paragraph 1 sentence 1',
      'What the service does: bullet 4',
      'Resources and their fields > CheckoutResponse: row referenceId',
    ],
    text: 'The orders of a checkout stand under one reference: the referenceId of the answer finds all of them.',
  },
  'CART-03': {
    source: ['row referenceId'],
    text: 'The answer to a checkout has a referenceId, a string.',
  },
  'CART-04': {
    source: ['row referenceId'],
    text: 'The reference of a checkout is an idempotency key: sending the checkout again under it creates no further orders.',
  },
  'CART-05': {
    source: ['row currency'],
    text: 'The answer to a checkout has a currency, a string.',
  },
  'CART-06': {
    source: ['row totalPrice'],
    text: 'The answer to a checkout has a totalPrice, a number.',
  },
  'CART-07': {
    source: ['row totalPrice'],
    text: 'totalPrice of a checkout equals the sum of the prices of its orders.',
  },
  'CART-08': {
    source: ['row status'],
    text: 'The answer to a checkout has a status, one of SUCCESS, IN_PROGRESS, PARTIALLY_COMPLETED, CANCELLED.',
  },
  'CART-09': {
    source: ['row orders'],
    text: 'The answer to a checkout has orders, an array with one entry for each order that was created.',
  },
  'CART-10': {
    source: ['row orders', 'Endpoints > POST /carts: paragraph 1 sentence 1'],
    text: 'Each entry of orders has the shape of the answer to a single purchase.',
  },
  'CART-11': {
    section: OPERATION,
    source: ['paragraph 1 sentence 2', 'Authentication: row orders:write'],
    text: 'A key with the scopes for orders can create a checkout.',
  },
})
