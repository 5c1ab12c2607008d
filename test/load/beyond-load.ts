import type { FaultName } from '../../reference/faults.ts'

const DEFAULTS =
  'it changes a default that GET /rate-limits then reports: scenarios reckon with what is reported'
const MESSAGE = 'evidence keeps no message, and one answer shows it'
const CODES = 'evidence keeps no code of a voucher, which is a secret'
const ALONE = 'it shows to one client as well, without any load'
const NO_GIFTS = 'scenarios buy no platform gifts: each needs a quote first, and a recipient'

/** Faults that no load scenario finds, with the reason; conformance checks find them. */
export const BEYOND_LOAD: Readonly<Partial<Record<FaultName, string>>> = {
  'unhide-completed-window-double': DEFAULTS,
  'unhide-pending-halved': DEFAULTS,
  'admission-one-less': DEFAULTS,
  'unhide-polling-refused': DEFAULTS,
  'default-window-halved': DEFAULTS,
  'listing-halved': DEFAULTS,
  'filtered-halved': DEFAULTS,
  'check-bucket-halved': DEFAULTS,
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
  'async-status-success':
    'evidence keeps the status of the order, not that of the envelope; one answer shows it',
}
