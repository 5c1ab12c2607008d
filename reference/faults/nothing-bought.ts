import { type FaultFact, fault } from './fact.ts'

/** What is taken for a request that buys nothing. */
export const NOTHING_BOUGHT_FAULTS = {
  'invalid-top-ups-debit': fault(
    'VAL-03',
    'a top-up that gets 422 takes something off the balance',
  ),
  'invalid-esims-debit': fault('VAL-03', 'an eSIM that gets 422 takes something off the balance'),
  'gift-invalid-debits': fault('VAL-03', 'a gift that gets 422 takes something off the balance'),
  'gift-throttled-charges': fault('SEQ-07', 'a gift that its window refuses uses the cap up'),
  'invalid-carts-debit': fault('VAL-03', 'a cart that gets 422 takes something off the balance'),
  'media-type-refusals-charge': fault('CTYPE-04', 'a purchase that gets 415 uses the cap up'),
  'media-type-refusals-debit': fault(
    'CTYPE-04',
    'a purchase that gets 415 takes something off the balance',
  ),
  'throttled-top-ups-debit': fault(
    'SEQ-07',
    'a top-up that its window refuses takes something off the balance',
  ),
  'throttled-esims-charge': fault('SEQ-07', 'an eSIM that its window refuses uses the cap up'),
  'throttled-carts-charge': fault('SEQ-07', 'a checkout that its window refuses uses the cap up'),
  'throttled-top-up-burns-reference': fault(
    'ORD-01',
    'the referenceId of a top-up that its window refused cannot be used again',
  ),
  'throttled-esim-burns-reference': fault(
    'ORD-01',
    'the referenceId of an eSIM that its window refused cannot be used again',
  ),
  'throttled-checkout-burns-reference': fault(
    'CART-01',
    'the referenceId of a checkout that its window refused cannot be used again',
  ),
  'shop-limit-of-carts-charges': fault(
    'ERR-04',
    'a cart that the shop service refuses for its rate limit uses the cap up',
  ),
  'shop-limit-of-carts-burns-reference': fault(
    'ERR-04',
    'the referenceId of a cart that the shop service refuses cannot be used again',
  ),
  'shop-limit-of-carts-answers-502': fault(
    'ERR-04',
    'the rate limit of the shop service is passed on to a cart as 502',
  ),
  'contended-checkout-debits': fault(
    'BUSY-05',
    'a contended checkout takes its price off the balance',
  ),
  'slow-checks-charge': fault(
    'CAP-01',
    'a check that the provider answered the second time uses the cap up',
  ),
  'later-replay-debits': fault(
    'IDEM-09',
    'the replay of vouchers that come later takes their price off again',
  ),
  'long-replay-debits': fault('IDEM-09', 'the replay of a long order takes its price off again'),
  'units-replay-debits': fault(
    'IDEM-09',
    'the replay of a top-up by units takes its price off again',
  ),
  'partial-replay-charges': fault(
    'IDEM-09',
    'the replay of an order that is delivered in part uses the cap up once more',
  ),
  'cancelled-replay-charges': fault(
    'IDEM-09',
    'the replay of an order that is cancelled uses the cap up once more',
  ),
} as const satisfies Record<string, FaultFact>
