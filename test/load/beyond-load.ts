import type { FaultName } from '../../reference/faults.ts'

const MESSAGE = 'evidence keeps no message, and one answer shows it'
const CODES = 'evidence keeps no code of a voucher, which is a secret'
const ALONE = 'it shows to one client as well, without any load'
const ONE_ANSWER = 'it is wrong in every answer of its kind, and one client sees it'
const NO_VOUCHERS = 'evidence keeps no vouchers and no attributes of an order'
const ONE_KEY = 'scenarios buy this kind with one key of an account'
const NO_GIFTS = 'scenarios buy no platform gifts: each needs a quote first, and a recipient'
const QUANTITIES =
  'scenarios buy no long orders and no amounts, whose sizes the catalog would have to tell first'

const REPLAY_CHARGES =
  'replays of this kind are sent with a key without a cap, and one client sees what they charge'
const NO_BALANCE = 'scenarios read no balance'
const WHOLE_PRICES = 'scenarios buy vouchers, whose price is a whole number as a rule'
const VOUCHERS_ONLY = 'scenarios read orders of vouchers in clear'
const ONE_CHECK = 'scenarios check one amount of one product'
const ENDPOINTS =
  'scenarios spend the window of one endpoint beside few others, and one client sees which are one'

/** Faults that no load scenario finds, with the reason; conformance checks find them. */
export const BEYOND_LOAD: Readonly<Partial<Record<FaultName, string>>> = {
  'check-bucket-unnamed': MESSAGE,
  'cap-message-without-amounts': MESSAGE,
  'cap-message-without-headroom': MESSAGE,
  'cap-message-without-limit': MESSAGE,
  'async-codes-missing': CODES,
  'checkout-entry-without-result': CODES,
  'cap-forgets-gifts': NO_GIFTS,
  'cap-adds-floats': 'scenarios buy vouchers, whose price adds up exactly as a rule',
  'filtered-both-counted-apart': 'scenarios name an order by one of its two names at a time',
  'check-needs-reference': ALONE,
  'reference-optional': ALONE,
  'lost-answer-buys-again':
    'k6 goes away by a time-out only, which falls between request and answer by chance',
  'unhide-counter-per-address':
    'each order is read by one virtual user of k6, which has one address',
  'cap-checkouts-tell-nothing': MESSAGE,
  'cap-top-ups-as-rate-limit': 'a 429 on a capped key may be contention, which is settled in vain',
  'check-bucket-blocks-vouchers': 'what spends the check bucket buys nothing beside it',
  'partial-replay-success': 'scenarios replay orders that have succeeded',
  'cancelled-replay-failed': 'scenarios replay orders that have succeeded',
  'partial-reference-forgotten': 'scenarios replay orders that have succeeded',
  'cancelled-reference-forgotten': 'scenarios replay orders that have succeeded',
  'later-replay-created-at-end': 'evidence keeps no createdAt, and one client sees it',
  'replay-lacks-vouchers': NO_VOUCHERS,
  'replay-without-result': NO_VOUCHERS,
  'top-up-replay-without-attributes': NO_VOUCHERS,
  'unhide-reveals-first-code':
    'evidence keeps no codes, and tells no more than whether any is shown',
  'long-order-buys-again': QUANTITIES,
  'long-order-answers-200': QUANTITIES,
  'top-up-replay-needs-same-body': 'top-ups are replayed as they were bought',
  'top-up-answers-202': ONE_ANSWER,
  'checkout-replay-total-zero': ONE_ANSWER,
  'cart-ignores-quantity': ONE_ANSWER,
  'esim-reverts': 'scenarios read no eSIM twice',
  'esim-reference-per-key': ONE_KEY,
  'top-up-reference-per-key': ONE_KEY,
  'gift-answers-200': NO_GIFTS,
  'gift-copies-race': NO_GIFTS,
  'gift-replay-other-code': NO_GIFTS,
  'gift-replay-without-snapshot': NO_GIFTS,
  'gift-reverts': NO_GIFTS,
  'cap-message-tells-used': MESSAGE,
  'replay-created-now': 'evidence keeps no createdAt, and one client sees it',
  'cap-charges-count-of-units': QUANTITIES,
  'cap-forgets-long-orders': QUANTITIES,
  'replay-debits-again': 'scenarios read no balance',
  'async-status-success':
    'evidence keeps the status of the order, not that of the envelope; one answer shows it',
  'top-up-replay-charges': REPLAY_CHARGES,
  'gift-replay-charges': REPLAY_CHARGES,
  'esim-replay-charges': REPLAY_CHARGES,
  'later-replay-charges': REPLAY_CHARGES,
  'checkout-replay-charges': REPLAY_CHARGES,
  'top-up-replay-debits': NO_BALANCE,
  'gift-replay-debits': NO_BALANCE,
  'esim-replay-debits': NO_BALANCE,
  'checkout-replay-debits': NO_BALANCE,
  'cap-checkouts-as-rate-limit':
    'a 429 on a capped key may be contention, which is settled in vain',
  'cap-checkouts-answer-402':
    'a 402 without a mark of the cap is an order that failed, and ends a lane as such',
  'validation-charges': 'scenarios validate no top-ups',
  'cap-compares-whole-units': WHOLE_PRICES,
  'cap-adds-single-floats': WHOLE_PRICES,
  'cap-charges-whole-units': WHOLE_PRICES,
  'cap-per-kind': 'lanes with a cap buy vouchers, and other kinds with what is left of it',
  'cap-per-product': 'lanes with a cap buy one product',
  'unhide-completed-sliding':
    'a budget of one read slides as it rolls over, and wider ones take an account of their own',
  'gift-quotes-counted-as-orders': ENDPOINTS,
  'validations-counted-as-checks': ENDPOINTS,
  'carts-counted-as-orders': ENDPOINTS,
  'items-counted-as-services': ENDPOINTS,
  'validations-counted-as-orders': ENDPOINTS,
  'ledger-counted-as-balance': ENDPOINTS,
  'unhide-counts-as-listing': ENDPOINTS,
  'listing-blocks-orders': ENDPOINTS,
  'listing-counted-as-filtered': ENDPOINTS,
  'checkouts-counted-per-key': ENDPOINTS,
  'lookups-counted-for-everyone': ENDPOINTS,
  'carts-limit-answers-503': ENDPOINTS,
  'validation-limit-status-code': ENDPOINTS,
  'listing-shows-first-state': 'lanes read orders by their names, and list none',
  'refused-reveal-shows-codes': CODES,
  'both-filters-stay-masked': CODES,
  'unhide-esims-uncounted': VOUCHERS_ONLY,
  'gift-unhide-uncounted': VOUCHERS_ONLY,
  'unhide-checkouts-are-completed':
    'checkouts are read once one of their orders has ended, and one client sees what counts before',
  'unhide-child-spends-checkout': 'orders of a checkout are read after the checkout',
  'check-bucket-per-product': ONE_CHECK,
  'check-bucket-per-amount': ONE_CHECK,
  'admission-sliding': 'lanes make no account with windows of its own for admission to slide in',
}
