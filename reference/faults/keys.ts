/** Faults of single scopes at single endpoints and kinds, and of the order of a key's checks at some of them. */
import { type FaultFact, fault } from './fact.ts'

export const KEY_FAULTS = {
  'scope-funds-reads-orders': fault('SCOPE-05', 'funds:read opens the reading of orders'),
  'scope-funds-writes-orders': fault('SCOPE-03', 'funds:read opens the creation of orders'),
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
  'put-looked-into': fault('CTYPE-05', 'a PUT without a media type is refused for its body'),
  'key-in-cookie': fault('AUTH-01', 'a key passes in a cookie too'),
} as const satisfies Record<string, FaultFact>
