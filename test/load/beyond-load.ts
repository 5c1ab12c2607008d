import type { FaultName } from '../../reference/faults/faults.ts'

const MESSAGE = 'evidence keeps no message, and one answer shows it'
const CODES = 'evidence keeps no code of a voucher, which is a secret'
const ALONE = 'it shows to one client as well, without any load'
const ONE_ANSWER = 'it is wrong in every answer of its kind, and one client sees it'
const NO_VOUCHERS = 'evidence keeps no vouchers and no attributes of an order'
const QUANTITIES =
  'scenarios buy no long orders and no amounts, whose sizes the catalog would have to tell first'

const FULL_KEYS = 'a key with one scope shows it, and the keys of scenarios have all scopes'
const LENGTHS = 'conformance measures how long a window lasts; scenarios count what it admits'

const SIBLINGS = 'what another key of the account sends again is not held against caps'
const NO_BALANCE = 'scenarios read no balance'
const WHOLE_PRICES = 'scenarios buy vouchers, whose price is a whole number as a rule'

/** Faults that no load scenario finds, with the reason; conformance checks find them. */
export const BEYOND_LOAD: Readonly<Partial<Record<FaultName, string>>> = {
  'top-up-reference-optional': ALONE,
  'esim-reference-optional': ALONE,
  'check-bucket-message-generic': MESSAGE,
  'carts-need-product-read': FULL_KEYS,
  'carts-need-orders-read': FULL_KEYS,
  'listing-window-half': LENGTHS,
  'check-window-half': LENGTHS,
  'pending-window-twice': LENGTHS,
  'admission-window-half': LENGTHS,
  'retry-after-milliseconds': 'its wait is longer than any scenario; the 429 itself is right',
  'reference-forgotten-with-window':
    'replays see it as a lost answer (IDEM-13) or a later replay (IDEM-15)',
  'cap-one-cent-more': WHOLE_PRICES,
  'cap-refusal-debits': NO_BALANCE,
  'cap-message-without-amounts': MESSAGE,
  'cap-message-without-headroom': MESSAGE,
  'cap-message-without-limit': MESSAGE,
  'async-codes-missing': CODES,
  'checkout-entry-without-result': CODES,
  'cap-adds-floats': 'scenarios buy vouchers, whose price adds up exactly as a rule',
  'check-needs-reference': ALONE,
  'reference-optional': ALONE,
  'cap-checkouts-tell-nothing': MESSAGE,
  'partial-replay-success': 'scenarios replay orders that have succeeded',
  'cancelled-replay-failed': 'scenarios replay orders that have succeeded',
  'partial-reference-forgotten': 'scenarios replay orders that have succeeded',
  'cancelled-reference-forgotten': 'scenarios replay orders that have succeeded',
  'later-replay-created-at-end': 'evidence keeps no createdAt, and one client sees it',
  'replay-lacks-vouchers': NO_VOUCHERS,
  'replay-without-result': NO_VOUCHERS,
  'top-up-replay-without-attributes': NO_VOUCHERS,
  'long-order-buys-again': QUANTITIES,
  'long-order-answers-200': QUANTITIES,
  'top-up-replay-needs-same-body': 'top-ups are replayed as they were bought',
  'top-up-answers-202': ONE_ANSWER,
  'checkout-replay-total-zero': ONE_ANSWER,
  'cart-ignores-quantity': ONE_ANSWER,
  'gift-answers-200': ONE_ANSWER,
  'gift-replay-without-snapshot': NO_VOUCHERS,
  'cap-message-tells-used': MESSAGE,
  'replay-created-now': 'evidence keeps no createdAt, and one client sees it',
  'cap-charges-count-of-units': QUANTITIES,
  'cap-forgets-long-orders': QUANTITIES,
  'replay-debits-again': 'scenarios read no balance',
  'async-status-success':
    'evidence keeps the status of the order, not that of the envelope; one answer shows it',
  'top-up-replay-debits': NO_BALANCE,
  'gift-replay-debits': NO_BALANCE,
  'esim-replay-debits': NO_BALANCE,
  'checkout-replay-debits': NO_BALANCE,
  'validation-charges': 'scenarios validate no top-ups on keys with a cap',
  'cap-adds-single-floats': WHOLE_PRICES,
  'cap-compares-whole-units': WHOLE_PRICES,
  'cap-charges-whole-units': WHOLE_PRICES,
  'listing-shows-first-state': 'scripts read orders by their names, and list none',
  'checkout-reference-shared-by-accounts': 'references of checkouts are used by one account each',
  'cap-refused-checkout-burns-reference':
    'what a cap refused of checkouts is not sent again smaller',
  'sibling-replay-charges-itself': SIBLINGS,
  'sibling-replay-charges-owner': SIBLINGS,
  'cart-skips-invalid-positions': 'scenarios send carts whose positions are valid',
}
