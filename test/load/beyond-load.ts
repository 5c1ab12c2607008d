import type { FaultName } from '../../reference/faults.ts'

const MESSAGE = 'evidence keeps no message, and one answer shows it'
const CODES = 'evidence keeps no code of a voucher, which is a secret'
const ALONE = 'it shows to one client as well, without any load'
const NO_GIFTS = 'scenarios buy no platform gifts: each needs a quote first, and a recipient'
const QUANTITIES =
  'scenarios buy no long orders and no amounts, whose sizes the catalog would have to tell first'

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
  'cap-message-tells-used': MESSAGE,
  'replay-created-now': 'evidence keeps no createdAt, and one client sees it',
  'cap-charges-count-of-units': QUANTITIES,
  'cap-forgets-long-orders': QUANTITIES,
  'replay-debits-again': 'scenarios read no balance',
  'async-status-success':
    'evidence keeps the status of the order, not that of the envelope; one answer shows it',
}
