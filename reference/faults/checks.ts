/** Faults of checks and validations of top-ups, of what they leave behind, and of the listing with unhide. */
import { type FaultFact, fault } from './fact.ts'

export const CHECK_FAULTS = {
  'unit-checks-uncounted': fault('RATE-02', 'checks of top-ups by units are not counted'),
  'slow-checks-uncounted': fault(
    'RATE-02',
    'checks that the provider answers the second time are not counted',
  ),
  'check-takes-reference': fault(
    'CHECK-02',
    'a purchase under the reference of a check gets the answer of the check',
  ),
  'check-timeout-takes-reference': fault(
    'CHECK-08',
    'a purchase under the reference of a check that timed out gets its answer',
  ),
  'check-not-retried': fault('CHECK-04', 'a provider that is silent once gets no second chance'),
  'check-bucket-message-generic': fault(
    'RATE-22',
    'every 429 has the same message, which asks to check a header',
  ),
  'validation-creates-order': fault('DTUV-04', 'a validation makes the top-up'),
  'validation-of-units-creates-order': fault('DTUV-04', 'a validation of units makes the top-up'),
  'listing-unhide-shows-account': fault(
    'GET-10',
    'with unhide=true alone the orders of all keys of the account are listed, codes in clear',
  ),
  'listing-unhide-shows-everyone': fault(
    'GET-11',
    'with unhide=true alone the orders of everyone are listed',
  ),
} as const satisfies Record<string, FaultFact>
