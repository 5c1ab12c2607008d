/** Faults of windows, unhide budgets, spend caps and contention. */
import { type FaultFact, fault } from './fact.ts'

/** The service's own default is another one, reported and kept: no rule is broken but the default itself. */
const DEFAULTS_ONLY = { atDefaults: true } as const

export const LIMIT_FAULTS = {
  'endpoints-unlimited': fault('RATE-02', 'endpoints without a bucket of their own refuse nothing'),
  'listing-unlimited': fault('RATE-02', 'the unfiltered listing is never refused'),
  'filtered-unlimited': fault('RATE-02', 'masked reads are never refused'),
  'check-bucket-unlimited': fault('RATE-18', 'checks of top-ups are never refused', {
    also: ['RATE-02', 'RATE-21'],
  }),
  'check-bucket-answers-503': fault('RATE-21', 'a check beyond its bucket is answered by 503'),
  'unhide-answers-503': fault('UNHIDE-10', 'a spent unhide budget is answered by 503'),
  'unhide-status-code': fault('RATE-05', 'a spent unhide budget has statusCode 13'),
  'unhide-without-retry-after': fault(
    'RATE-06',
    'the 429 of a spent unhide budget has no Retry-After',
  ),
  'unhide-retry-after-fractional': fault(
    'RATE-07',
    'the Retry-After of a spent unhide budget is 1.5',
  ),
  'unhide-retry-after-one': fault(
    'RATE-08',
    'the Retry-After of a spent unhide budget is 1, however long its window',
  ),
  'unhide-pending-retry-after-half': fault(
    'RATE-08',
    'the Retry-After of a spent pending budget is half of what is left',
  ),
  'unhide-completed-window-short': fault(
    'RATE-02',
    'the completed window is shorter by a quarter than it is reported',
  ),
  'unhide-pending-window-short': fault(
    'RATE-02',
    'the pending window is shorter by a quarter than it is reported',
  ),
  'unhide-completed-opens-early': fault(
    'RATE-02',
    'the completed budget refuses nothing in the last 2 s of its window',
  ),
  'unhide-completed-window-double': fault(
    'UNHIDE-02',
    'the completed window is twice as long',
    DEFAULTS_ONLY,
  ),
  'unhide-pending-halved': fault('UNHIDE-03', 'half of the pending budget holds', DEFAULTS_ONLY),
  'admission-one-less': fault('UNHIDE-04', 'admission lets one request less in', {
    ...DEFAULTS_ONLY,
    also: ['LIMIT-03'],
  }),
  'unhide-pending-unlimited': fault('UNHIDE-05', 'no budget bounds reads of IN_PROGRESS orders'),
  'unhide-success-is-pending': fault('UNHIDE-07', 'SUCCESS counts in the pending budget'),
  'unhide-cancelled-is-pending': fault('UNHIDE-08', 'CANCELLED counts in the pending budget'),
  'unhide-first-completed-as-pending': fault(
    'UNHIDE-09',
    'the first read that finds an order completed that was pending counts as pending',
  ),
  'unhide-completed-once': fault('UNHIDE-11', 'a finished order is never read in clear again'),
  'unhide-child-shares-checkout': fault(
    'UNHIDE-16',
    'a child counts in the counter of its checkout',
  ),
  'unhide-pending-blocks-completed': fault('UNHIDE-20', 'completed reads need pending budget too'),
  'admission-fresh-on-completion': fault('UNHIDE-21', 'admission starts anew with completion'),
  'masked-read-spends-unhide': fault('UNHIDE-22', 'a masked read spends the completed budget'),
  'replay-spends-unhide': fault('UNHIDE-22', 'a replay of a purchase spends its completed budget'),
  'listing-spends-unhide': fault(
    'UNHIDE-22',
    'a listing spends the completed budget of each order',
  ),
  'unhide-polling-refused': fault(
    'UNHIDE-24',
    'pending reads less than ten seconds apart are refused, at the default budget',
    { atDefaults: true },
  ),
  'unhide-counter-per-address': fault('UNHIDE-25', 'each caller address has unhide budgets'),
  'unhide-counter-per-client': fault('UNHIDE-25', 'each User-Agent has unhide budgets'),
  'unhide-vanishes-after-read': fault(
    'UNHIDE-10',
    'an order that was read in clear is not found by the next unhide read',
  ),
  'window-counter-per-client': fault('RATE-10', 'each User-Agent has windows of its own'),
  'default-window-halved': fault('RATE-12', 'half of the default budget holds', DEFAULTS_ONLY),
  'listing-halved': fault('RATE-13', 'half of the listing budget holds', DEFAULTS_ONLY),
  'filtered-halved': fault('RATE-14', 'half of the masked budget holds', DEFAULTS_ONLY),
  'unhide-false-counted-apart': fault('RATE-17', 'reads with unhide=false have a window apart'),
  'check-bucket-halved': fault('RATE-18', 'half of the check budget holds', DEFAULTS_ONLY),
  'check-bucket-per-key': fault('RATE-19', 'each key has a check bucket'),
  'check-bucket-global': fault('RATE-20', 'all accounts share one check bucket'),
  'check-bucket-status-code': fault('RATE-21', 'a spent check bucket is answered by statusCode 13'),
  'check-bucket-long-wait': fault('RATE-23', 'the Retry-After of a check is ten windows'),
  'rate-limits-in-milliseconds': fault(
    'LIMIT-01',
    'the reported windows are a thousand times as long as those that hold, as in milliseconds',
    { atDefaults: true, also: ['RATE-02'] },
  ),
  'rate-limits-pending-count': fault('LIMIT-01', 'the reported pending count is one too high', {
    also: ['LIMIT-03'],
  }),
  'rate-limits-completed-count': fault('LIMIT-01', 'the reported completed count is one too high', {
    also: ['LIMIT-03'],
  }),
  'rate-limits-listing-by-default': fault(
    'LIMIT-01',
    'the report gives the default count of the listing to an account with a rule of its own',
  ),
  'rate-limits-admission-count': fault('LIMIT-03', 'the reported admission count is one too low'),
  'rate-limits-admission-window': fault('LIMIT-04', 'the reported admission window is doubled'),
  'rate-limits-admission-longer-window': fault(
    'LIMIT-04',
    'the reported admission window is the longer one of its components',
  ),
  'cap-refuses-early': fault('CAP-01', 'the cap refuses what would leave less than a tenth of it'),
  'cap-charges-checks-of-units': fault('CAP-01', 'a check of a top-up by units uses the cap up'),
  'cap-charges-checks': fault('CAP-01', 'a check of a top-up that succeeds uses the cap up'),
  'cap-resets-with-window': fault('CAP-09', 'what was used is forgotten after a default window'),
  'cap-refusal-leaves-order': fault('CAP-10', 'a purchase that the cap refuses is stored'),
  'cap-charges-one-unit': fault('CAP-12', 'a purchase of several units uses up one of them'),
  'cap-forgets-asynchronous': fault(
    'CAP-12',
    'voucher orders that finish later use nothing of the cap up',
  ),
  'cap-shared-by-account': fault('CAP-15', 'one cap of an account holds for all of its keys'),
  'cap-on-every-key': fault('CAP-16', 'a key without a cap is held to one of 5.00'),
  'cap-status-code-rate-limit': fault('CAP-17', 'the 409 of the cap has statusCode 8'),
  'cap-forgets-top-ups': fault('CAP-18', 'top-ups are not held to the cap'),
  'cap-message-tells-used': fault(
    'CAP-07',
    'the 409 of the cap gives what was used as what is left',
  ),
  'cap-passes-top-ups': fault('CAP-18', 'top-ups are counted by the cap, and never refused by it'),
  'cap-forgets-esims': fault('CAP-19', 'eSIMs are not held to the cap'),
  'cap-forgets-checkouts': fault('CAP-21', 'checkouts are not held to the cap'),
  'cap-forgets-gifts': fault('CAP-20', 'gifts are not held to the cap'),
  'checkout-cap-per-position': fault(
    'CAP-21',
    'each position of a checkout is held to the cap by itself',
  ),
  'contention-for-ever': fault('BUSY-07', 'a capped key is contended always'),
  'contention-lingers': fault('BUSY-07', 'a capped key is contended 300 ms after each order'),
  'contention-bad-gateway-uncapped': fault(
    'BUSY-01',
    'orders that overlap on a key without a cap are answered by 502',
  ),
  'contention-livelock': fault('BUSY-08', 'orders that overlap are all refused'),
  'admission-source-of-both': fault(
    'LIMIT-05',
    'admission has the source rule only where both components are configured',
  ),
  'check-bucket-blocks-vouchers': fault(
    'RATE-24',
    'vouchers are refused while the check bucket is spent',
  ),
  'unhide-cancelled-child-overlooked': fault(
    'UNHIDE-15',
    'a CANCELLED order of a checkout does not make it completed',
  ),
  'cap-top-ups-as-rate-limit': fault(
    'CAP-18',
    'top-ups beyond the cap get the 429 of a rate limit',
  ),
  'cap-esims-answer-402': fault('CAP-03', 'an eSIM beyond the cap is answered by 402'),
  'cap-top-ups-status-code': fault('CAP-04', 'the 409 of a top-up has another statusCode'),
  'cap-checkouts-error-code': fault('CAP-05', 'the 409 of a checkout has no errorCode'),
  'unhide-pending-sliding': fault('RATE-03', 'the windows of pending budgets slide'),
  'checkouts-counted-per-key': fault('RATE-10', 'each key has a window of its own for carts'),
  'lookups-counted-for-everyone': fault('RATE-09', 'all accounts share the window of lookups'),
  'carts-limit-answers-503': fault('RATE-04', 'the spent window of carts answers 503'),
  'validation-limit-status-code': fault(
    'RATE-05',
    'the 429 of validations has the code of a validation error',
  ),
  'admission-missing-for-esims': fault('UNHIDE-17', 'eSIMs are read with unhide without admission'),
  'admission-missing-for-long-orders': fault(
    'UNHIDE-17',
    'long orders are read with unhide without admission',
  ),
  'admission-missing-for-checkouts': fault(
    'UNHIDE-17',
    'checkouts are read with unhide without admission',
  ),
  'unhide-long-orders-uncounted': fault(
    'UNHIDE-07',
    'completed long orders are read with unhide without any budget',
  ),
  'unhide-raw-esims-uncounted': fault(
    'UNHIDE-07',
    'eSIMs without a usable qrCodeText are read with unhide without any budget',
  ),
  'unhide-pending-esims-uncounted': fault(
    'UNHIDE-05',
    'pending eSIMs are read with unhide without any budget',
  ),
  'unhide-pending-long-orders-uncounted': fault(
    'UNHIDE-05',
    'pending long orders are read with unhide without any budget',
  ),
  'unhide-child-counted-twice': fault(
    'UNHIDE-16',
    'a read by reference and orderId counts twice in the budget of the order',
  ),
  'unhide-esims-uncounted': fault('UNHIDE-07', 'reads of eSIMs in clear are not counted', {
    also: ['UNHIDE-10'],
  }),
  'gift-unhide-uncounted': fault('UNHIDE-07', 'reads of gifts in clear are not counted', {
    also: ['UNHIDE-10'],
  }),
  'unhide-checkouts-are-completed': fault(
    'UNHIDE-15',
    'a checkout spends the completed budget whatever the state of its orders',
  ),
  'unhide-child-spends-checkout': fault(
    'UNHIDE-16',
    'a read of one order of a checkout counts for the whole checkout too',
  ),
  'check-bucket-per-product': fault('RATE-02', 'each product has a check bucket of its own', {
    also: ['RATE-18'],
  }),
  'check-bucket-per-amount': fault('RATE-02', 'each amount has a check bucket of its own', {
    also: ['RATE-18'],
  }),
  'services-counted-per-query': fault(
    'RATE-02',
    'each query of the catalog has a window of its own',
  ),
  'throttled-top-up-created': fault('SEQ-07', 'a top-up that its window refused is made'),
  'throttled-esim-created': fault('SEQ-07', 'an eSIM that its window refused is made'),
  'throttled-checkout-created': fault('SEQ-07', 'a checkout that its window refused is made'),
  'top-ups-overspend': fault(
    'CAP-18',
    'top-ups are held to the cap before the quote and charged after it',
  ),
  'esims-overspend': fault(
    'CAP-19',
    'eSIMs are held to the cap before the quote and charged after it',
  ),
  'gift-orders-overspend': fault(
    'CAP-20',
    'gifts are held to the cap before the quote and charged after it',
  ),
  'kinds-overspend': fault(
    'CAP-13',
    'purchases of one kind are held to the cap one after the other, those of two kinds are not',
  ),
  'cap-refusals-suspend-key': fault('CAP-14', 'the sixth refusal by the cap suspends the key'),
} as const satisfies Record<string, FaultFact>
