/** Faults of what is delivered, of what replays and refusals say, and of how the cap counts. */
import { type FaultFact, fault } from './fact.ts'

export const ANSWER_FAULTS = {
  'checkout-stale-by-reference': fault(
    'STATE-03',
    'the reference of a checkout shows its orders as they were at first',
  ),
  'orders-vanish-after-ten': fault('GET-07', 'an order cannot be read after ten others of its key'),
  'listing-unmasks-later': fault(
    'GET-12',
    'the listing shows codes of vouchers that came later in clear',
  ),
  'listing-unmasks-long-orders': fault('GET-12', 'the listing shows codes of long orders in clear'),
  'trace-id-of-ten': fault('ENV-09', 'ten answers in a row have the same traceId'),
  'reference-forgotten-with-window': fault(
    'IDEM-05',
    'the reference of a purchase is forgotten after a default window',
  ),
  'cap-one-cent-more': fault('CAP-03', 'the cap is passed by up to a cent'),
  'cap-refusal-debits': fault('CAP-11', 'a purchase that the cap refuses takes its price off'),
  'gift-token-first-edition': fault('GIFT-07', 'every token buys the first edition'),
  'shut-gate-quotes': fault('GIFT-10', 'quotes are given while the gate of gifts is shut'),
  'shop-limit-answers-502': fault('ERR-04', 'a rate limit of the shop service is answered by 502'),
  'shop-limit-burns-reference': fault(
    'ERR-04',
    'the reference of a purchase that the shop service refused for its limit is taken',
  ),
} as const satisfies Record<string, FaultFact>
