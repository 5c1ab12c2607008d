/** Faults of single scopes at single endpoints and kinds, and of the order of a key's checks at some of them. */
import { type FaultFact, fault } from './fact.ts'

export const KEY_FAULTS = {
  'scope-forgotten-on-listing-unhide': fault(
    'SCOPE-05',
    'a listing with unhide=true needs no orders:read',
  ),
  'scope-funds-reads-orders': fault('SCOPE-05', 'funds:read opens the reading of orders'),
  'scope-funds-writes-orders': fault('SCOPE-03', 'funds:read opens the creation of orders'),
  'scope-funds-checks-out': fault('SCOPE-04', 'funds:read opens the creation of checkouts'),
  'scope-funds-lists': fault('SCOPE-01', 'funds:read opens the catalog'),
  'scope-product-buys-esims': fault('SCOPE-14', 'product:read opens the purchase of eSIMs', {
    also: ['SCOPE-03'],
  }),
  'scope-read-tops-up': fault('SCOPE-13', 'orders:read opens top-ups', { also: ['SCOPE-03'] }),
  'scope-write-reveals': fault('SCOPE-12', 'orders:write opens reads with unhide=true', {
    also: ['SCOPE-05'],
  }),
  'carts-need-product-read': fault('CART-11', 'creating a checkout needs product:read too'),
  'carts-need-orders-read': fault('CART-11', 'creating a checkout needs orders:read too'),
  'orders-limit-before-scope': fault(
    'SEQ-05',
    'the rate limit of POST /orders is decided before scopes',
  ),
  'carts-limit-before-key-status': fault(
    'SEQ-03',
    'the rate limit of checkouts is decided before revocation',
  ),
  'services-limit-before-expiry': fault(
    'SEQ-09',
    'the rate limit of the catalog is decided before expiry',
  ),
  'checks-limit-before-allowlist': fault(
    'SEQ-06',
    'the check bucket is asked before the allowlist',
  ),
  'key-in-authorization': fault('AUTH-01', 'a key passes in Authorization: Bearer too'),
  'key-in-address': fault('AUTH-01', 'a key passes as the parameter api_key too'),
  'key-in-authorization-of-orders': fault(
    'AUTH-01',
    'a key in Authorization: Bearer passes at POST /orders',
  ),
  'key-in-authorization-of-carts': fault(
    'AUTH-01',
    'a key in Authorization: Bearer passes at POST /carts',
  ),
  'key-in-basic-authorization': fault('AUTH-01', 'a key passes in Authorization: Basic too'),
  'key-in-authorization-of-reads': fault(
    'AUTH-01',
    'a key in Authorization: Bearer passes at GET /orders',
  ),
  'key-in-address-of-reads': fault('AUTH-01', 'a key as parameter passes at GET /orders'),
  'put-looked-into': fault('CTYPE-05', 'a PUT without a media type is refused for its body'),
  'scope-forgotten-on-searches': fault('SCOPE-01', 'searches of the catalog need no product:read'),
  'gift-scope-forgotten': fault('SCOPE-03', 'gifts need no orders:write'),
  'lookups-scope-before-revocation': fault(
    'SEQ-02',
    'item lookups ask for the scope of a revoked key before its status',
  ),
  'reveals-scope-before-expiry': fault(
    'SEQ-08',
    'reads of orders with unhide=true ask for the scope of an expired key before its status',
  ),
  'allowlist-reworded-to-posts': fault('ALLOW-09', 'the allowlist 403 of a POST has other words'),
  'key-echoed': fault('AUTH-07', 'the refusal of a key for its scopes shows the key'),
  'missing-item-plain': fault('ERR-01', 'an item that is not there is answered by plain text', {
    also: ['ENV-01', 'ENV-02'],
  }),
  'top-ups-uncounted': fault('RATE-02', 'top-ups do not count in the window of POST /orders'),
  'gift-orders-uncounted': fault('RATE-02', 'gifts do not count in the window of POST /orders'),
  'gift-quotes-counted-as-validations': fault(
    'RATE-11',
    'validations of top-ups and quotes of gifts share one window',
  ),
  'services-long-vouchers-as-top-ups': fault(
    'CAT-04',
    'type=direct_topup finds vouchers with long orders too',
  ),
  'services-type-esim-first': fault('CAT-05', 'type=esim finds the first eSIM only', {
    also: ['CAT-13'],
  }),
  'services-searched-without-limit': fault('CAT-09', 'limit has no effect beside search'),
  'top-up-reference-null': fault('IDEM-01', 'a top-up with referenceId null is made'),
  'key-in-cookie': fault('AUTH-01', 'a key passes in a cookie too'),
} as const satisfies Record<string, FaultFact>
