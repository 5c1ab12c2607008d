import { entries } from './entries.ts'

/** What each scope opens, and what it does not. */
export const SCOPES_CATALOGUE = entries('Authentication', 'base', {
  'SCOPE-01': {
    source: [
      'rule 2.3',
      'row product:read',
      'Endpoints > GET /api/v1/services: paragraph 1 sentence 2',
      'Errors: row 403',
    ],
    text: 'Listing the catalog with a key that lacks product:read is answered by HTTP 403.',
    capability: 'catalog',
  },
  'SCOPE-02': {
    source: ['rule 2.3', 'row product:read', 'Errors: row 403'],
    text: 'Looking up an item with a key that lacks product:read is answered by HTTP 403.',
    capability: 'item-lookup',
  },
  'SCOPE-03': {
    source: [
      'rule 2.3',
      'row orders:write',
      'Endpoints > POST /api/v1/orders: paragraph 1 sentence 2',
      'Errors: row 403',
    ],
    text: 'Creating an order with a key that lacks orders:write is answered by HTTP 403.',
  },
  'SCOPE-04': {
    source: [
      'rule 2.3',
      'row orders:write',
      'Endpoints > POST /carts: paragraph 1 sentence 2',
      'Errors: row 403',
    ],
    text: 'Creating a checkout with a key that lacks orders:write is answered by HTTP 403.',
    capability: 'cart',
  },
  'SCOPE-05': {
    source: [
      'rule 2.3',
      'paragraph 1 sentence 1',
      'Endpoints > GET /api/v1/orders: paragraph 1 sentence 2',
      'Endpoints > POST /api/v1/orders: paragraph 1 sentence 2',
      'Errors: row 403',
    ],
    text: 'Reading orders with a key that lacks orders:read is answered by HTTP 403.',
  },
  'SCOPE-06': {
    source: ['rule 2.3', 'row funds:read', 'What the service does: bullet 6', 'Errors: row 403'],
    text: 'Reading balances or the ledger with a key that lacks funds:read is answered by HTTP 403.',
    capability: 'funds',
  },
  'SCOPE-07': {
    source: ['row product:read', 'What the service does: bullet 1'],
    text: 'product:read alone is enough to list the catalog.',
    capability: 'catalog',
  },
  'SCOPE-08': {
    source: ['row product:read', 'What the service does: bullet 1'],
    text: 'product:read alone is enough to look up items and their prices.',
    capability: 'item-lookup',
  },
  'SCOPE-09': {
    source: ['row orders:write', 'Endpoints > POST /api/v1/orders: paragraph 1 sentence 2'],
    text: 'A key with orders:write, product:read and orders:read can create an order.',
  },
  'SCOPE-10': {
    source: ['paragraph 1 sentence 1', 'Endpoints > GET /api/v1/orders: paragraph 1 sentence 2'],
    text: 'orders:read opens the reading of orders.',
  },
  'SCOPE-11': {
    source: ['row funds:read', 'What the service does: bullet 6'],
    text: 'funds:read opens balances and the ledger.',
    capability: 'funds',
  },
  'SCOPE-12': {
    source: ['rule 3', 'paragraph 1 sentence 1'],
    text: 'orders:write does not include orders:read: a key that may only create orders gets 403 when it reads them.',
  },
  'SCOPE-13': {
    source: ['rule 3'],
    text: 'orders:read does not include orders:write: a key that may only read orders gets 403 when it creates one.',
  },
  'SCOPE-14': {
    source: ['rule 3'],
    text: 'product:read includes nothing of orders: a key that may only browse gets 403 when it reads or creates orders.',
  },
  'SCOPE-15': {
    source: ['rule 3'],
    text: 'Scopes of orders include nothing of the catalog: a key with orders:write or orders:read alone gets 403 when it lists products.',
    capability: 'catalog',
  },
  'SCOPE-16': {
    source: ['rule 3'],
    text: 'No other scope includes funds:read. A key with all scopes of orders and products, but without this one, gets 403 at balances and the ledger.',
    capability: 'funds',
  },
  'SCOPE-17': {
    source: ['paragraph 1 sentence 2'],
    text: 'An eSIM is bought with the scopes of any other order; no further scope is asked for.',
    capability: 'esim',
  },
  'SCOPE-18': {
    source: ['rule 3'],
    text: 'A scope is a pair of section and action that a key is given when it is created.',
    excluded: 'Scopes are assigned in the control plane; a client sees only what its key opens.',
  },
})
