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
  'reference-forgotten-once-revealed': fault(
    'IDEM-05',
    'the reference of a purchase is forgotten once its codes were read in clear',
  ),
  'replayed-orders-visible': fault(
    'GET-09',
    'a key that sends the purchase of another key again sees its order',
  ),
  'reference-forgotten-with-window': fault(
    'IDEM-05',
    'the reference of a purchase is forgotten after a default window',
  ),
  'references-kept-a-minute': fault('IDEM-05', 'the reference of a purchase is kept for a minute'),
  'cap-of-zero-is-none': fault('CAP-03', 'a cap of 0 is taken for no cap'),
  'cap-one-cent-more': fault('CAP-03', 'the cap is passed by up to a cent'),
  'cap-refusal-debits': fault('CAP-11', 'a purchase that the cap refuses takes its price off'),
  'gift-token-first-edition': fault('GIFT-07', 'every token buys the first edition at its price'),
  'shut-gate-quotes': fault('GIFT-10', 'quotes are given while the gate of gifts is shut'),
  'shop-limit-answers-502': fault('ERR-04', 'a rate limit of the shop service is answered by 502'),
  'shop-limit-burns-reference': fault(
    'ERR-04',
    'the reference of a purchase that the shop service refused for its limit is taken',
  ),
  'shop-limit-leaves-order': fault(
    'ERR-04',
    'a purchase that the shop service refuses for its limit is stored',
  ),
  'shop-limit-retry-after-zero': fault(
    'ERR-04',
    'the Retry-After of a limit of the shop service is 0',
  ),
  'top-up-envelope-in-progress': fault(
    'ASYNC-01',
    'the 200 of a top-up that was made says IN_PROGRESS in the envelope',
  ),
  'checkout-total-in-eur': fault('CART-07', 'a total that sums up prices in USD is said to be EUR'),
  'carts-window-half': fault('RATE-02', 'the window of carts is half as long as it is reported'),
  'carts-window-double': fault('RATE-03', 'the window of carts is twice as long as it is reported'),
  'carts-sliding': fault('RATE-03', 'the windows of carts slide'),
  'carts-retry-after-half': fault(
    'RATE-08',
    'the Retry-After of a spent window of carts is half of what is left',
  ),
  'unhide-pending-window-longer': fault(
    'RATE-01',
    'the pending window is longer by half than it is reported',
  ),
  'checks-without-reference-uncounted': fault(
    'RATE-02',
    'checks of top-ups without a referenceId are not counted',
  ),
  'esims-visible-to-everyone': fault('GET-11', 'keys of other accounts find eSIMs by orderId'),
  'top-ups-revealed-to-account': fault(
    'GET-08',
    'with unhide=true other keys of the account find top-ups',
  ),
  'listing-omits-esims': fault('GET-07', 'the listing has no eSIMs'),
  'orders-vanish-after-a-minute': fault(
    'GET-07',
    'an order is not found by its orderId 50 s after it has ended',
  ),
  'cart-drops-top-ups': fault('CART-01', 'the top-ups of a cart are left out'),
  'cart-esim-entry-without-price': fault('CART-10', 'the eSIM of a checkout comes without a price'),
  'created-at-of-oldest-order': fault(
    'ORD-09',
    'every order has the createdAt of the oldest one of the service',
  ),
  'listing-shows-esims-of-account': fault(
    'GET-10',
    'the listing shows the eSIMs of other keys of the account',
  ),
} as const satisfies Record<string, FaultFact>
