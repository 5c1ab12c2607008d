/** Faults of keys, scopes, allowlists, catalog and validation. */
import { fault } from './fault-fact.ts'
import type { FaultFact } from './fault-fact.ts'

export const ACCESS_FAULTS = {
  'services-without-version': fault('VER-01', 'the listing of services stands at /services only'),
  'forbidden-cured-by-repeating': fault(
    'ERR-03',
    'a 403 for a missing scope is not repeated: the next call passes',
  ),
  'missing-key-accepted': fault('AUTH-01', 'a call without a key is served as a guest'),
  'unknown-key-accepted': fault('AUTH-02', 'a call with an unknown key is served as a guest'),
  'authorization-needed': fault('AUTH-05', 'a call needs an Authorization header besides its key'),
  'unknown-key-after-scope': fault(
    'SEQ-01',
    'an unknown key gets 403 where a scope is needed, 401 elsewhere',
  ),
  'refused-purchase-created': fault(
    'SEQ-07',
    'a purchase that was refused by 403 is made all the same',
  ),
  'scope-before-expiry': fault('SEQ-08', 'scopes are decided before expiry'),
  'limit-before-expiry': fault('SEQ-09', 'the rate limit is decided before expiry'),
  'scope-forgotten-on-lookup': fault('SCOPE-02', 'items can be looked up without product:read'),
  'scope-forgotten-on-carts': fault('SCOPE-04', 'checkouts can be created without orders:write'),
  'scope-forgotten-on-funds': fault('SCOPE-06', 'the funds can be read without funds:read'),
  'lookup-needs-orders-read': fault('SCOPE-08', 'a lookup needs orders:read besides product:read'),
  'orders-need-funds-read': fault('SCOPE-09', 'creating an order needs funds:read too'),
  'reading-needs-orders-write': fault('SCOPE-10', 'reading orders needs orders:write too'),
  'funds-need-product-read': fault('SCOPE-11', 'the funds need product:read besides funds:read'),
  'scope-read-implies-write': fault('SCOPE-13', 'orders:read includes orders:write'),
  'scope-product-implies-orders': fault('SCOPE-14', 'product:read includes orders:read'),
  'scope-orders-imply-product': fault('SCOPE-15', 'the scopes of orders include product:read'),
  'scope-orders-imply-funds': fault('SCOPE-16', 'orders:read includes funds:read'),
  'esim-needs-funds-read': fault('SCOPE-17', 'an eSIM is sold to keys with funds:read only'),
  'carts-need-funds-read': fault('CART-11', 'creating a checkout needs funds:read too'),
  'allowlist-first-entry-only': fault('ALLOW-03', 'only the first entry of an allowlist counts'),
  'allowlist-names-other-caller': fault('WHO-02', 'the allowlist 403 names the caller as 0.0.0.0'),
  'services-omit-sold-product': fault('CAT-01', 'the listing lacks a service that is sold'),
  'services-topup-type-ignored': fault('CAT-04', 'type=direct_topup has no effect'),
  'services-esim-type-ignored': fault('CAT-05', 'type=esim has no effect'),
  'services-search-ignored': fault('CAT-07', 'the parameter search has no effect'),
  'services-total-ignores-filters': fault('CAT-13', 'total counts the whole catalog always'),
  'services-last-page-empty': fault('CAT-14', 'a page that would not be full is empty'),
  'esim-priced-in-eur': fault('CAT-15', 'eSIM products are listed in EUR'),
  'item-is-never-by-quantity': fault(
    'PROD-07',
    'no product is said to be sold by the unit; what goes with that is absent',
  ),
  'item-is-never-long-order': fault('PROD-17', 'no product is said to support long orders'),
  'lookup-omits-missing': fault('LOOK-07', 'a pair that is not found has no element in the answer'),
  'lookup-answers-first-pair': fault('LOOK-07', 'a lookup of several pairs answers the first'),
  'single-item-wrapped': fault('LOOK-08', 'the single item stands at data.item'),
  'validation-error-sticks': fault(
    'VAL-03',
    'after a 422 for a missing referenceId a key gets 422 for every purchase',
  ),
  'content-type-refusal-burns-reference': fault(
    'CTYPE-04',
    'a referenceId that came with a wrong media type cannot be used again',
  ),
} as const satisfies Record<string, FaultFact>
