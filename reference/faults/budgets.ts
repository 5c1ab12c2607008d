/** Faults of how long one window is, of what a counter is kept by, and of what is given back or forgotten. */
import { type FaultFact, fault } from './fact.ts'

export const BUDGET_FAULTS = {
  'window-counter-per-address': fault('RATE-10', 'each caller address has windows of its own'),
  'check-bucket-per-address': fault('RATE-19', 'each caller address has a check bucket'),
  'check-bucket-per-client': fault('RATE-19', 'each User-Agent has a check bucket'),
  'listing-unhide-false-counted-apart': fault(
    'RATE-02',
    'listings with unhide=false have a window of their own',
  ),
  'invalid-orders-refund': fault('CAP-03', 'a purchase that gets 422 gives a unit of the cap back'),
  'older-checkouts-forgotten': fault(
    'CART-04',
    'the reference of a checkout is forgotten with the next checkout',
  ),
  'unhide-budget-anew-by-replay': fault(
    'UNHIDE-10',
    'a purchase that is sent again gives its order the completed budget anew',
  ),
  'unhide-budget-anew-by-listing': fault(
    'UNHIDE-10',
    'a listing gives its orders the completed budget anew',
  ),
  'unhide-budget-anew-by-masked-read': fault(
    'UNHIDE-10',
    'a masked read gives an order the completed budget anew',
  ),
  'unhide-budget-forgotten-early': fault(
    'RATE-02',
    'what an order used of its completed budget is forgotten after ten seconds',
    { atDefaults: true },
  ),
  'unhide-other-kinds-share-counter': fault(
    'UNHIDE-14',
    'orders of an account that deliver no vouchers share one unhide counter',
  ),
  'listing-unhide-false-unmasked': fault(
    'GET-13',
    'a listing with unhide=false shows codes in clear',
  ),
  'default-window-double': fault('RATE-03', 'default windows are twice as long'),
  'listing-window-double': fault('RATE-03', 'the window of the listing is twice as long'),
  'filtered-window-double': fault('RATE-03', 'the window of masked reads is twice as long'),
  'check-window-double': fault('RATE-01', 'the window of checks is twice as long'),
  'admission-window-double': fault('RATE-01', 'the admission window is twice as long'),
  'default-window-half': fault('RATE-02', 'default windows are half as long'),
  'listing-window-half': fault('RATE-02', 'the window of the listing is half as long'),
  'filtered-window-half': fault('RATE-02', 'the window of masked reads is half as long'),
  'check-window-half': fault('RATE-02', 'the window of checks is half as long'),
  'admission-window-half': fault('RATE-02', 'the admission window is half as long'),
  'unhide-pending-window-half': fault('RATE-02', 'the pending window is half as long'),
  'unhide-completed-window-half': fault('RATE-02', 'the completed window is half as long'),
  'unhide-pending-window-twice': fault('RATE-01', 'the pending window is twice as long'),
  'unhide-completed-window-twice': fault(
    'RATE-01',
    'the completed window is twice as long as it is reported',
  ),
  'listing-retry-after-quarter': fault(
    'RATE-08',
    'the Retry-After of the listing is a quarter of what is left',
  ),
  'admission-one-more': fault('UNHIDE-19', 'admission takes one attempt more than is reported'),
  'carts-unlimited': fault('RATE-02', 'checkouts are never refused by a window'),
  'purchases-counted-late': fault('RATE-02', 'purchases that arrive together pass their window'),
  'checks-counted-late': fault('RATE-02', 'checks that arrive together pass their bucket'),
  'validations-counted-late': fault(
    'RATE-02',
    'validations that arrive together pass their window',
  ),
  'admission-prolonged': fault('RATE-03', 'each refused attempt begins the admission window anew'),
  'listing-counted-as-orders': fault(
    'RATE-11',
    'the listing counts in the window of purchases too',
  ),
  'masked-reads-counted-as-orders': fault(
    'RATE-11',
    'masked reads count in the window of purchases too',
  ),
  'lookups-restarted': fault('RATE-03', 'each lookup of items begins its window anew'),
  'lookups-open-early': fault(
    'RATE-02',
    'lookups of items are not refused in the last 2 s of their window',
  ),
  'invalid-validations-give-back': fault(
    'RATE-02',
    'a validation that gets 422 gives its window back more than it took',
  ),
  'unsupported-carts-give-back': fault(
    'RATE-02',
    'a checkout that gets 415 gives its window back more than it took',
  ),
  'throttled-lookups-give-back': fault(
    'RATE-02',
    'a lookup that its window refuses gives it one back',
  ),
  'unscoped-services-give-back': fault(
    'RATE-02',
    'a call of the catalog without the scope gives its window one back',
  ),
  'cap-refused-orders-give-back': fault(
    'RATE-02',
    'an order that the cap refuses gives its window back more than it took',
  ),
  'unhide-completed-larger-later': fault(
    'RATE-02',
    'from its second window on an order has one completed read more',
  ),
  'unhide-pending-larger-later': fault(
    'RATE-02',
    'from its second window on an order has one pending read more',
  ),
  'unhide-pending-larger-second': fault(
    'UNHIDE-05',
    'orders after the first of an account have one pending read more',
  ),
  'admission-larger-second': fault(
    'UNHIDE-19',
    'orders after the first of an account have one attempt more',
  ),
  'retry-after-milliseconds': fault('RATE-07', 'Retry-After counts milliseconds'),
  'admission-retry-after-milliseconds': fault(
    'RATE-07',
    'the Retry-After of admission counts milliseconds',
  ),
  'admission-retry-after-quarter': fault(
    'RATE-08',
    'the Retry-After of admission is a quarter of what is left',
  ),
  'carts-retry-after-milliseconds': fault(
    'RATE-07',
    'the Retry-After of a spent window of carts counts milliseconds',
  ),
  'unhide-retry-after-milliseconds': fault(
    'RATE-07',
    'the Retry-After of a spent unhide budget counts milliseconds',
  ),
} as const satisfies Record<string, FaultFact>
