/** Faults of charges, of how caps add up, of what each window counts, and of what stands beside that. */
import { type FaultFact, fault } from './fact.ts'

export const CHARGE_FAULTS = {
  'cap-checkouts-as-rate-limit': fault(
    'CAP-17',
    'a checkout beyond the cap gets the 429 of a rate limit',
  ),
  'cap-checkouts-answer-402': fault('CAP-03', 'a checkout beyond the cap gets 402 without a mark'),
  'cap-refused-checkout-burns-reference': fault(
    'CAP-10',
    'the reference of a checkout that the cap refused cannot be used again',
  ),
  'cap-refused-esim-burns-reference': fault(
    'CAP-10',
    'the reference of an eSIM that the cap refused cannot be used again',
  ),
  'cap-refused-checkout-leaks': fault('CAP-11', 'a refused checkout keeps its reservation'),
  'cap-refused-top-up-leaks': fault('CAP-11', 'a refused top-up keeps its reservation'),
  'cap-refused-top-up-debits': fault('CAP-11', 'a top-up that the cap refuses takes its price off'),
  'gift-cap-refused-debits': fault('CAP-11', 'a gift that the cap refuses takes its price off'),
  'cap-refused-esim-debits': fault('CAP-11', 'an eSIM that the cap refuses takes its price off'),
  'cap-refused-checkout-debits': fault(
    'CAP-11',
    'a checkout that the cap refuses takes its price off',
  ),
  'cap-refused-esim-leaks': fault('CAP-11', 'a refused eSIM keeps its reservation'),
  'gift-cap-refused-leaks': fault('CAP-11', 'a gift that the cap refuses keeps its reservation'),
  'invalid-top-up-burns-reference': fault(
    'VAL-03',
    'a referenceId that came with the 422 of a top-up cannot be used again',
  ),
  'invalid-top-up-takes-reference': fault(
    'VAL-03',
    'a top-up under a referenceId that came with a 422 is answered as bought, and is not',
  ),
  'invalid-checkout-burns-reference': fault(
    'VAL-03',
    'a referenceId that came with the 422 of a checkout cannot be used again',
  ),
  'cap-charges-invalid-checkouts': fault('CAP-01', 'a checkout with a 422 uses the cap up'),
  'checkout-made-despite-415': fault('CTYPE-04', 'a checkout that gets 415 is made all the same'),
  'checkout-reference-shared-by-accounts': fault(
    'CART-01',
    'a checkout under a reference of another account is taken for a replay',
  ),
  'validation-charges': fault('CAP-01', 'a validation of a top-up uses the cap up'),
  'check-timeout-debits': fault(
    'CHECK-09',
    'a check of a silent provider takes its price off the balance',
  ),
  'top-up-replay-charges': fault('IDEM-09', 'the replay of a top-up uses the cap up once more'),
  'esim-replay-charges': fault('IDEM-09', 'the replay of an eSIM uses the cap up once more'),
  'gift-replay-charges': fault('IDEM-09', 'the replay of a gift uses the cap up once more'),
  'checkout-replay-charges': fault('IDEM-09', 'the replay of a checkout uses the cap up once more'),
  'later-replay-charges': fault(
    'IDEM-09',
    'the replay of vouchers that come later uses the cap up once more',
  ),
  'top-up-replay-debits': fault('IDEM-09', 'the replay of a top-up takes its price off again'),
  'esim-replay-debits': fault('IDEM-09', 'the replay of an eSIM takes its price off again'),
  'gift-replay-debits': fault('IDEM-09', 'the replay of a gift takes its price off again'),
  'checkout-replay-debits': fault('IDEM-09', 'the replay of a checkout takes its price off again'),
  'cap-compares-whole-units': fault(
    'CAP-12',
    'what would be used is rounded to whole units before it is held against the cap',
  ),
  'cap-charges-asynchronous-twice': fault(
    'CAP-12',
    'an asynchronous purchase uses the cap up by twice its price',
  ),
  'cap-passes-large': fault('CAP-03', 'a purchase of more than USD 2,000 passes any cap'),
  'cap-charges-whole-units': fault('CAP-12', 'what lies behind the point is not charged'),
  'cap-forgotten-by-turns': fault(
    'CAP-12',
    'what a key used of its cap is forgotten when it buys after another key of the account with a cap',
  ),
  'cap-per-kind': fault('CAP-12', 'the cap holds for each kind of purchase by itself'),
  'cap-per-product': fault('CAP-12', 'the cap holds for each price of a piece by itself'),
  'admission-sliding': fault('RATE-03', 'the windows of admission slide'),
  'unhide-completed-sliding': fault('RATE-03', 'the windows of completed budgets slide'),
  'unhide-pending-restarted': fault('RATE-03', 'each read begins the pending window anew'),
  'unhide-completed-restarted': fault('RATE-03', 'each read begins the completed window anew'),
  'admission-restarted': fault('RATE-03', 'each read begins the admission window anew'),
  'carts-counted-as-orders': fault('RATE-11', 'checkouts and orders share one window'),
  'gift-quotes-counted-as-orders': fault(
    'RATE-11',
    'requests for a quote and orders share one window',
  ),
  'validations-counted-as-orders': fault('RATE-11', 'validations and orders share one window'),
  'validations-counted-as-checks': fault('RATE-11', 'validations count in the check bucket'),
  'lookups-counted-as-services': fault('RATE-11', 'lookups and the services share one window'),
  'items-counted-as-services': fault('RATE-11', 'single items and the services share one window'),
  'ledger-counted-as-balance': fault('RATE-11', 'balance and ledger share one window'),
  'listing-counted-as-filtered': fault(
    'RATE-15',
    'the listing counts in the window of masked reads',
  ),
  'listing-blocks-orders': fault('RATE-11', 'orders are refused while the listing is spent'),
  'unhide-counts-as-listing': fault(
    'UNHIDE-23',
    'unhide reads are refused while the listing is spent',
  ),
  'check-bucket-blocks-carts': fault(
    'RATE-24',
    'checkouts are refused while the check bucket is spent',
  ),
  'check-bucket-blocks-esims': fault(
    'RATE-24',
    'eSIMs are refused while the check bucket is spent',
  ),
  'gift-blocked-while-checks-spent': fault(
    'RATE-24',
    'gifts are refused while the check bucket is spent',
  ),
  'keys-compared-without-case': fault('AUTH-02', 'a key passes in any case of its letters'),
  'allowlist-forgotten-on-funds': fault('ALLOW-02', 'the funds are shown to every address'),
  'dead-keys-read-funds': fault('AUTH-03', 'keys that are revoked or expired read the funds', {
    also: ['AUTH-04'],
  }),
  'trace-id-empty': fault('ENV-09', 'the traceId is an empty text'),
  'pending-price-missing': fault('ORD-07', 'a pending order is answered without a price'),
  'carts-contend-as-502': fault('BUSY-01', 'a checkout that meets contention is answered by 502'),
  'checkout-charges-dearest-position': fault(
    'CAP-21',
    'a checkout uses the cap up by the price of its dearest order alone',
  ),
  'checkout-charges-vouchers-alone': fault(
    'CAP-21',
    'the top-ups and eSIMs of a checkout do not use the cap up',
  ),
  'services-total-from-offset': fault('CAT-14', 'total counts what is left from the offset on'),
  'services-offset-from-one': fault('CAT-10', 'offset counts from one'),
  'services-later-pages-unfiltered': fault('CAT-13', 'filters hold for the first page only'),
  'sibling-replay-charges-owner': fault(
    'IDEM-09',
    'a replay by another key of the account is charged to the key that bought',
  ),
  'sibling-replay-charges-itself': fault(
    'IDEM-09',
    'a replay by another key of the account is charged to that key',
  ),
  'codes-spent-block-masked': fault(
    'UNHIDE-23',
    'an order whose codes were read as often as permitted is not read masked either',
  ),
  'checkout-lost-answer-buys-again': fault(
    'CART-04',
    'the reference of a checkout whose client went away is forgotten',
  ),
  'listing-empty': fault('GET-07', 'the listing shows no order, whatever was bought'),
  'listing-omits-top-ups': fault('GET-07', 'the listing has no top-ups'),
  'listing-omits-checkouts': fault('GET-07', 'the listing has no orders of checkouts'),
  'listing-omits-cancelled': fault('GET-07', 'the listing has no cancelled orders'),
  'checkout-reference-omits-cancelled': fault(
    'GET-05',
    'the reference of a checkout does not find those of its orders that were cancelled',
  ),
  'listing-lags-by-one': fault('GET-07', 'the listing lacks the order that was bought last'),
  'listing-shows-first-state': fault('STATE-03', 'the listing shows orders as they were at first'),
} as const satisfies Record<string, FaultFact>
