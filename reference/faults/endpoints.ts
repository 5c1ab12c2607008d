import { type FaultFact, fault } from './fact.ts'

/** What holds for the usual request, but was forgotten for another form, kind of order or endpoint. */
export const ENDPOINT_FAULTS = {
  'content-type-ignored-by-validation': fault(
    'CTYPE-01',
    'the media type of top-up validations is not looked at',
    { also: ['CTYPE-02'] },
  ),
  'gift-quote-media-type-ignored': fault(
    'CTYPE-01',
    'the media type of requests for a quote is not looked at',
    { also: ['CTYPE-02'] },
  ),
  'content-type-of-bodies-only': fault('CTYPE-01', 'a POST without a body needs no Content-Type'),
  'scope-forgotten-on-checks': fault('SCOPE-03', 'checks of top-ups need no orders:write'),
  'scope-forgotten-on-unhide': fault('SCOPE-05', 'reads with unhide=true need no orders:read'),
  'scope-forgotten-on-types': fault(
    'SCOPE-01',
    'the catalog is shown by type without product:read',
  ),
  'missing-key-accepted-on-lookup': fault('AUTH-01', 'items can be looked up without a key'),
  'validation-status-code-rate-limit': fault('ERR-05', 'a 422 has statusCode 8'),
  'gift-conflict-status-code-cap': fault(
    'ERR-05',
    'the conflict of a gift replay has statusCode 13',
  ),
  'created-at-local-time': fault('ORD-09', 'createdAt is local time, marked as UTC'),
  'check-only-by-presence': fault('DTU-01', 'a top-up with checkOnly=false is only checked'),
  'top-up-replay-buys-again': fault('IDEM-05', 'a top-up that is sent again is made again', {
    also: ['IDEM-03'],
  }),
  'replay-debits-again': fault('IDEM-09', 'a replay takes its price off the balance, not the cap'),
  'checkouts-race': fault('CART-04', 'copies of a checkout that arrive together are all bought'),
  'checkout-replay-adds-positions': fault(
    'CART-04',
    'a checkout that is sent again with a further position buys that one',
  ),
  'checkout-orders-visible-to-account': fault(
    'GET-09',
    'other keys of the account find the orders of a checkout',
    { also: ['GET-08'] },
  ),
  'cap-charges-count-of-units': fault(
    'CAP-12',
    'a top-up by units uses the cap up by the number of its units',
  ),
  'cap-forgets-long-orders': fault('CAP-12', 'long orders use nothing of the cap up'),
  'unhide-both-filters-counted-apart': fault(
    'UNHIDE-13',
    'a read by orderId and referenceId together has a counter of its own',
    { also: ['UNHIDE-16'] },
  ),
  'unhide-reveals-first-child': fault(
    'UNHIDE-01',
    'of the orders of a checkout unhide reveals the first only',
  ),
  'partial-codes-hidden': fault('UNHIDE-01', 'the codes of a partial order are never revealed'),
  'cap-adds-floats': fault('CAP-02', 'what is used of the cap is added up in floating point'),
  'cap-shared-by-capped-keys': fault('CAP-15', 'keys with a cap count what all of them spend'),
  'checkouts-overspend': fault(
    'CAP-21',
    'checkouts are held to the cap before the quote and charged after it',
  ),
  'top-ups-race': fault('IDEM-12', 'copies of a top-up that arrive together are all made'),
  'filtered-both-counted-apart': fault(
    'RATE-16',
    'masked reads by orderId and referenceId together have a window of their own',
  ),
  'unhide-other-kinds-alias-apart': fault(
    'UNHIDE-13',
    'unhide reads of what is no voucher are counted apart by referenceId',
  ),
  'unhide-pending-alias-counted-apart': fault(
    'UNHIDE-13',
    'reads of pending orders by referenceId have a budget of their own',
  ),
  'esims-visible-to-account': fault('GET-08', 'other keys of the account find eSIM orders', {
    also: ['GET-09'],
  }),
  'services-pages-ignore-filters': fault(
    'CAT-13',
    'pages and their total are of the whole catalog',
  ),
  'broken-json-plain': fault('ERR-01', 'a body that is no JSON is answered by plain text'),
  'broken-json-crashes': fault('VAL-01', 'a body that is no JSON object is answered by 500'),
  'whoami-believes-header': fault('WHO-02', 'whoami tells the address of X-Forwarded-For', {
    also: ['WHO-01'],
  }),
  'services-search-wildcards': fault('CAT-07', 'search takes _ and % for wildcards'),
  'services-search-pattern': fault('CAT-07', 'search takes its text for a regular expression'),
  'services-search-any-word': fault('CAT-07', 'search finds names with any of its words'),
  'services-search-words': fault('CAT-07', 'search finds names with the same words in any order'),
  'lookup-item-other': fault('LOOK-07', 'a looked-up element holds another item of its service'),
  'single-item-other': fault('LOOK-08', 'the single item is another one of its service'),
  'lookup-forgets-units': fault('PROD-07', 'a looked-up item says nothing of its units'),
  'single-item-forgets-units': fault('PROD-07', 'a single item says nothing of its units'),
  'single-item-quantity-unflagged': fault(
    'PROD-09',
    'a single item by quantity does not say amountIsQuantity',
    { also: ['PROD-11', 'PROD-13', 'PROD-15'] },
  ),
  'lookup-quantities-as-text': fault('PROD-08', 'looked-up items have quantities as texts', {
    also: ['PROD-10', 'PROD-12'],
  }),
  'services-pages-ignore-type': fault('CAT-03', 'the type filter does not hold for pages', {
    also: ['CAT-04', 'CAT-05', 'CAT-13'],
  }),
  'services-topups-without-quantity': fault(
    'CAT-04',
    'type=direct_topup leaves out top-ups by quantity',
  ),
  'services-total-zero-beyond': fault('CAT-13', 'total is 0 where an offset leaves no product'),
  'services-empty-total-missing': fault('CAT-11', 'a page without products has no total'),
  'services-total-on-first-page': fault('CAT-13', 'only the page at offset 0 has a total'),
  'services-searched-after-paging': fault(
    'CAT-13',
    'search looks at the page that was cut out of the whole catalog',
  ),
  'lookup-stops-at-missing': fault(
    'LOOK-07',
    'a lookup ends with the first pair that is not there',
  ),
  'services-pages-mind-case': fault('CAT-08', 'a search for a page minds upper and lower case'),
  'esim-priced-in-eur-on-pages': fault('CAT-15', 'pages list eSIM products in EUR'),
  'looked-up-esims-in-eur': fault('CAT-15', 'eSIM items are looked up in EUR'),
  'masked-codes-in-groups': fault('GET-12', 'masked codes are codes in clear, in other groups'),
  'masked-codes-backwards': fault('GET-12', 'masked codes are codes in clear, written backwards'),
  'masked-codes-in-hex': fault('GET-12', 'masked codes are codes in clear, in hexadecimal digits'),
  'masked-but-for-two': fault('GET-12', 'masked codes hide their last two characters alone'),
  'refused-reveal-shows-codes': fault(
    'UNHIDE-10',
    'the 429 of a spent completed budget has the order with its codes',
  ),
  'both-filters-unmasked': fault(
    'GET-12',
    'reads by orderId and referenceId together are not masked',
  ),
  'both-filters-stay-masked': fault(
    'UNHIDE-01',
    'unhide=true has no effect on reads by orderId and referenceId together',
  ),
  'cart-skips-invalid-positions': fault(
    'CART-01',
    'positions that are not valid are left out of a cart',
  ),
  'cart-skips-invalid-last-position': fault(
    'CART-01',
    'the last position of a cart is left out if it is not valid',
  ),
  'refused-carts-keep-first': fault(
    'CART-01',
    'a cart that is refused for a position makes orders of those before it',
  ),
  'gift-conflict-replayed-to-siblings': fault(
    'GIFT-19',
    'another payload under the referenceId of a gift of another key gets its replay',
  ),
  'gift-conflict-until-finished': fault(
    'GIFT-19',
    'another payload under the referenceId of a gift that has ended gets its replay',
  ),
  'gift-upstream-guesses-product': fault(
    'GIFT-11',
    'the error of a quote that the upstream cannot give has a productId',
  ),
  'gift-upstream-fails-open': fault(
    'GIFT-11',
    'a quote is given although the upstream lacks its quote route',
  ),
  'list-status-cancelled': fault('ENV-11', 'lists of orders say CANCELLED'),
  'services-say-in-progress': fault('ENV-11', 'the catalog says IN_PROGRESS'),
  'services-status-code-other': fault(
    'ERR-05',
    'the catalog is answered with a statusCode of its own',
  ),
  'missing-keys-answer-403': fault('AUTH-01', 'no key gets 403, and not the stated 401'),
  'unknown-keys-answer-403': fault('AUTH-02', 'an unknown key gets 403, and not the stated 401'),
  'revoked-keys-answer-403': fault('AUTH-03', 'a revoked key gets 403, and not the stated 401'),
  'expired-keys-answer-404': fault('AUTH-04', 'an expired key gets 404, and not the stated 401'),
} as const satisfies Record<string, FaultFact>
