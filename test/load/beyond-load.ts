import type { FaultName } from '../../reference/faults.ts'

const MESSAGE = 'evidence keeps no message, and one answer shows it'
const CODES = 'evidence keeps no code of a voucher, which is a secret'
const ALONE = 'it shows to one client as well, without any load'
const NO_GIFTS = 'scenarios buy no platform gifts: each needs a quote first, and a recipient'

const OTHER_FORM = 'scenarios send one form of it: none reads, buys or sends again in this way'

/** Faults that no load scenario finds, with the reason; conformance checks find them. */
export const BEYOND_LOAD: Readonly<Partial<Record<FaultName, string>>> = {
  'check-bucket-unnamed': MESSAGE,
  'cap-message-without-amounts': MESSAGE,
  'cap-message-without-headroom': MESSAGE,
  'cap-message-without-limit': MESSAGE,
  'unhide-without-effect': CODES,
  'async-codes-missing': CODES,
  'checkout-entry-without-result': CODES,
  'cap-forgets-gifts': NO_GIFTS,
  'check-needs-reference': ALONE,
  'reference-optional': ALONE,
  'lost-answer-buys-again':
    'k6 goes away by a time-out only, which falls between request and answer by chance',
  'unhide-counter-per-address': 'an order is read by one process, from one address',
  'cap-message-tells-used': MESSAGE,
  'replay-created-now': 'evidence keeps no createdAt, and one client sees it',
  'cap-charges-count-of-units': OTHER_FORM,
  'cap-forgets-long-orders': OTHER_FORM,
  'checkout-replay-adds-positions': OTHER_FORM,
  'checkouts-race': 'scenarios send no copies of one checkout at once',
  'top-up-replay-buys-again': OTHER_FORM,
  'replay-debits-again': 'scenarios read no balance',
  'partial-codes-hidden': CODES,
  'unhide-reveals-first-child': CODES,
  'unhide-of-vouchers-only': OTHER_FORM,
  'unhide-both-filters-counted-apart': OTHER_FORM,
  'async-status-success':
    'evidence keeps the status of the order, not that of the envelope; one answer shows it',
}
