/** Faults of keys, scopes, allowlists, catalog and validation. */
import { type FaultFact, fault } from './fact.ts'

export const ACCESS_FAULTS = {
  'whoami-fails': fault('WHO-01', '/whoami answers 500'),
  'services-whole-fails': fault('CAT-01', 'the listing without parameters answers 500'),
  'services-types-fail': fault('CAT-03', 'the listing by type answers 500', {
    also: ['CAT-04', 'CAT-05'],
  }),
  'services-search-fails': fault('CAT-06', 'the search answers 500', { also: ['CAT-07'] }),
  'lookup-fails': fault('LOOK-01', 'the item lookup answers 500'),
  'single-item-fails': fault('LOOK-08', 'the single item is never found'),
  'listing-fails': fault('GET-01', 'the unfiltered listing of orders answers 500'),
  'nothing-found-null': fault('GET-01', 'a read that finds no order has null in place of a list'),
  'unhide-fails': fault('UNHIDE-01', 'reading with unhide=true answers 500'),
  'esim-fails': fault('ESIM-01', 'an eSIM is never sold: 500'),
  'checkout-answer-empty': fault('CART-09', 'a checkout answers success without data'),
  'services-without-version': fault('VER-01', 'the listing of services stands at /services only'),
  'forbidden-cured-by-repeating': fault(
    'ERR-03',
    'a 403 for a missing scope is not repeated: the next call passes',
  ),
  'missing-key-accepted': fault('AUTH-01', 'a call without a key is served as a guest'),
  'unknown-key-accepted': fault('AUTH-02', 'a call with an unknown key is served as a guest'),
  'keys-compared-by-beginning': fault(
    'AUTH-02',
    'a key passes that only begins like an issued one',
  ),
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
  'content-type-json-suffix-accepted': fault(
    'CTYPE-02',
    'media types that end in +json pass for application/json',
  ),
  'content-type-ranges-accepted': fault(
    'CTYPE-02',
    'a range such as */* passes for application/json',
  ),
  'content-type-searched-for-json': fault(
    'CTYPE-02',
    'application/json may stand anywhere in Content-Type, even in a parameter',
  ),
  'client-ip-header-trusted': fault('ALLOW-02', "the caller's address is taken from X-Client-IP"),
  'allowlist-single-compares-beginnings': fault(
    'ALLOW-04',
    'a single address lets in every address whose text begins with it',
  ),
  'allowlist-wildcard-compares-beginnings': fault(
    'ALLOW-06',
    'the fixed part of a wildcard is compared as text, not by octets',
  ),
  'allowlist-first-entry-only': fault('ALLOW-03', 'only the first entry of an allowlist counts'),
  'allowlist-names-other-caller': fault('WHO-02', 'the allowlist 403 names the caller as 0.0.0.0'),
  'services-order-changes': fault('CAT-14', 'every page is of the catalog in another order', {
    also: ['CAT-10'],
  }),
  'services-offset-alone-ignored': fault('CAT-10', 'offset has no effect without limit'),
  'services-either-filter': fault('CAT-07', 'of two filters one is enough'),
  'services-omit-sold-product': fault('CAT-01', 'the listing lacks a service that is sold'),
  'services-esim-type-ignored': fault('CAT-05', 'type=esim has no effect'),
  'services-search-ignores-esim-type': fault('CAT-05', 'type=esim has no effect beside a search'),
  'services-search-ignored-for-esims': fault('CAT-07', 'search has no effect beside type=esim'),
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
  'missing-key-accepted-on-listing': fault('AUTH-01', 'orders can be listed without a key'),
  'missing-key-accepted-on-item': fault('AUTH-01', 'a single item is shown without a key'),
  'missing-key-accepted-on-validation': fault('AUTH-01', 'top-ups are validated without a key'),
  'missing-key-accepted-on-funds': fault('AUTH-01', 'the funds are shown without a key'),
  'missing-key-accepted-on-top-ups': fault('AUTH-01', 'top-ups are bought without a key'),
  'dead-keys-check-out': fault('AUTH-03', 'keys that are revoked or expired buy carts', {
    also: ['AUTH-04'],
  }),
  'dead-keys-look-up': fault('AUTH-03', 'keys that are revoked or expired look items up', {
    also: ['AUTH-04'],
  }),
  'dead-keys-list': fault('AUTH-03', 'keys that are revoked or expired list orders', {
    also: ['AUTH-04', 'SEQ-03', 'SEQ-09'],
  }),
  'dead-keys-reveal': fault('AUTH-03', 'keys that are revoked or expired read with unhide=true', {
    also: ['AUTH-04'],
  }),
  'dead-keys-validate': fault('AUTH-03', 'keys that are revoked or expired validate top-ups', {
    also: ['AUTH-04'],
  }),
  'dead-keys-replay': fault('AUTH-03', 'a dead key gets the order of a reference that was used', {
    also: ['AUTH-04'],
  }),
  'scope-forgotten-on-listing': fault('SCOPE-05', 'the listing of orders needs no orders:read'),
  'scope-forgotten-on-whole-catalog': fault(
    'SCOPE-01',
    'the catalog as a whole is shown without product:read',
  ),
  'scope-forgotten-on-top-up-replays': fault('SCOPE-03', 'replays of top-ups need no orders:write'),
  'scope-forgotten-on-esim-replays': fault('SCOPE-03', 'replays of eSIMs need no orders:write'),
  'scope-forgotten-on-checkout-replays': fault(
    'SCOPE-04',
    'replays of a checkout need no orders:write',
  ),
  'allowlist-forgotten-on-listing': fault('ALLOW-02', 'orders are listed to every address', {
    also: ['SEQ-06'],
  }),
  'allowlist-forgotten-on-whole-catalog': fault(
    'ALLOW-02',
    'the catalog as a whole is shown to every address',
  ),
  'allowlist-forgotten-on-item': fault('ALLOW-02', 'a single item is shown to every address'),
  'allowlist-forgotten-on-unhide': fault('ALLOW-02', 'codes are revealed to every address'),
  'allowlist-forgotten-on-checks': fault('ALLOW-02', 'top-ups are checked for every address'),
  'allowlist-forgotten-on-esims': fault('ALLOW-02', 'eSIMs are sold to every address'),
  'allowlist-forgotten-on-replays': fault('ALLOW-02', 'purchases are replayed to every address'),
  'key-header-in-lower-case-only': fault(
    'AUTH-05',
    'the header of the key is found only where its name is in lower case',
  ),
  'allowlist-wildcard-alone': fault(
    'ALLOW-03',
    'a wildcard counts only as the one entry of a list',
  ),
  'allowlist-searched-as-text': fault(
    'ALLOW-04',
    'a caller passes whose address stands anywhere in the text of the list',
  ),
  'allowlist-everyone-is-nobody': fault('ALLOW-05', 'a network of prefix 0 lets nobody in', {
    also: ['ALLOW-08'],
  }),
  'allowlist-ipv6-cidr-short-form-only': fault(
    'ALLOW-08',
    'an IPv6 network that is written in full lets nobody in',
  ),
  'allowlist-echoed-to-posts': fault('ALLOW-11', 'the allowlist 403 of a POST lists the entries'),
  'allowlist-echoed-if-ipv6-alone': fault(
    'ALLOW-11',
    'the allowlist 403 shows the entry of a list of one IPv6 entry',
  ),
  'content-type-header-in-lower-case-only': fault(
    'CTYPE-04',
    'Content-Type is found only where its name is in lower case',
  ),
  'content-type-ignored-by-lookup': fault(
    'CTYPE-01',
    'the media type of item lookups is not looked at',
    { also: ['CTYPE-02', 'CTYPE-03'] },
  ),
  'content-type-ignored-by-checks': fault(
    'CTYPE-01',
    'the media type of top-up checks is not looked at',
    { also: ['CTYPE-02'] },
  ),
  'content-type-ignored-by-replays': fault(
    'CTYPE-01',
    'the media type of replays is not looked at',
    { also: ['CTYPE-02'] },
  ),
  'cart-media-type-late': fault('CTYPE-03', 'a cart is read before its media type is looked at'),
  'services-filtered-total-missing': fault('CAT-11', 'pages of a filtered listing have no total'),
  'services-search-misses-beginnings': fault(
    'CAT-06',
    'a search does not find a name that begins with its text',
  ),
  'services-search-index-lags': fault(
    'CAT-06',
    'a search does not find a product that was added last, whose items have short names',
  ),
  'services-search-needs-three': fault('CAT-07', 'a search of fewer than three letters finds all'),
  'allowlist-decided-once': fault(
    'ALLOW-02',
    'the first call of a key decides for all of its callers',
    { also: ['ALLOW-03'] },
  ),
  'forms-taken-for-json': fault('CTYPE-02', 'forms are read as JSON, but for orders'),
  'invalid-top-ups-answer-400': fault('VAL-01', 'a top-up that is not valid is answered by 400'),
  'invalid-carts-answer-400': fault('VAL-01', 'a cart that is not valid is answered by 400'),
  'invalid-checks-answer-400': fault('VAL-01', 'a check that is not valid is answered by 400'),
  'gift-invalid-quotes-answer-400': fault(
    'VAL-01',
    'a request for a quote that is not valid gets 400',
  ),
  'invalid-carts-without-errors': fault('VAL-02', 'the 422 of a cart has no errors'),
  'allowlist-before-scope-of-posts': fault(
    'SEQ-04',
    'the allowlist of a POST is looked at before its scope',
  ),
  'allowlist-ignores-other-family': fault(
    'ALLOW-02',
    'a list of IPv6 networks alone restricts no IPv4 caller',
  ),
  'cluster-client-ip-trusted': fault(
    'ALLOW-02',
    'the address in the header X-Cluster-Client-IP is held against the allowlist',
  ),
  'forbidden-order-burns-reference': fault(
    'ORD-01',
    'a referenceId that came with the 403 of an order cannot be used again',
  ),
  'forbidden-cart-burns-reference': fault(
    'CART-01',
    'a referenceId that came with the 403 of a checkout cannot be used again',
  ),
} as const satisfies Record<string, FaultFact>
