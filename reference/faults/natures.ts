/** Faults of orders that more than their kind tells apart: by units, long, delivered later, sent again. */
import { type FaultFact, fault } from './fact.ts'

export const NATURE_FAULTS = {
  'later-replay-other-vouchers': fault(
    'IDEM-03',
    'a replay of an order that finished later shows other voucher codes than unhide=true',
  ),
  'checkout-replay-other-vouchers': fault(
    'IDEM-03',
    'the replay of a checkout shows other voucher codes',
  ),
  'reveal-other-vouchers': fault(
    'UNHIDE-01',
    'a second read with unhide=true shows other voucher codes',
  ),
  'esim-replay-other-activation': fault(
    'ESIM-01',
    'the replay of an eSIM has another activation than its reads',
  ),
  'cap-passes-checkouts-with-top-ups': fault(
    'CAP-21',
    'a checkout with a top-up is not held to the cap, though it is charged',
  ),
  'cap-passes-checkouts-with-esims': fault(
    'CAP-21',
    'a checkout with an eSIM is not held to the cap, though it is charged',
  ),
  'cap-passes-checkouts-with-later': fault(
    'CAP-21',
    'a checkout with vouchers that come later is not held to the cap, though it is charged',
  ),
  'cap-refused-checkouts-keep-first': fault(
    'CAP-21',
    'a checkout that the cap refuses makes the order of its first position, for nothing',
  ),
  'cap-charges-esims-less': fault('CAP-12', 'an eSIM uses the cap up by ten cents too little'),
  'cap-charges-ten-units': fault(
    'CAP-12',
    'a top-up by units uses the cap up by the price of ten units at most',
  ),
  'cap-strict-top-ups': fault('CAP-02', 'a top-up that uses up all of the cap is refused'),
  'cap-strict-units': fault('CAP-02', 'a top-up by units that uses up all of the cap is refused'),
  'cap-strict-later': fault('CAP-02', 'vouchers that come later may not use up all of the cap'),
  'cap-strict-long-orders': fault('CAP-02', 'a long order that uses up all of the cap is refused'),
  'cap-strict-esims': fault('CAP-02', 'an eSIM that uses up all of the cap is refused'),
  'gift-cap-strict': fault('CAP-02', 'a gift that uses up all of the cap is refused'),
  'cap-strict-checkouts': fault('CAP-02', 'a checkout that uses up all of the cap is refused'),
  'later-overspend': fault('CAP-13', 'vouchers that come later, bought at once, exceed the cap'),
  'long-orders-overspend': fault('CAP-13', 'long orders that are bought at once exceed the cap'),
  'units-overspend': fault('CAP-18', 'top-ups by units that are bought at once exceed the cap'),
  'later-race': fault('IDEM-12', 'copies at once of an order that comes later are all bought'),
  'long-orders-race': fault('IDEM-12', 'copies at once of a long order are all bought'),
  'units-race': fault('IDEM-12', 'copies at once of a top-up by units are all bought'),
  'top-ups-forgotten-with-window': fault(
    'IDEM-03',
    'the reference of a top-up is forgotten after a default window',
    { also: ['IDEM-05'] },
  ),
  'shop-limit-charges': fault(
    'ERR-04',
    'a purchase that the shop service refuses for its limit uses the cap up',
  ),
  'shop-limit-debits': fault(
    'ERR-04',
    'a purchase that the shop service refuses for its limit is taken off the balance',
  ),
  'later-visible-to-account': fault(
    'GET-08',
    'orders that come later are shown to other keys of the account',
    { also: ['GET-09'] },
  ),
  'long-order-never-finishes': fault('STATE-02', 'a long order stays IN_PROGRESS'),
  'long-orders-visible-to-account': fault(
    'GET-08',
    'long orders are shown to other keys of the account',
    { also: ['GET-09'] },
  ),
  'cancelled-visible-to-account': fault(
    'GET-08',
    'cancelled orders are shown to other keys of the account',
    { also: ['GET-09'] },
  ),
  'raw-esims-visible-to-account': fault(
    'GET-08',
    'eSIMs with a raw payload are shown to other keys of the account',
    { also: ['GET-09'] },
  ),
  'checkout-child-visible-to-account': fault(
    'GET-09',
    'other keys of the account see an order of a checkout by both of its identifiers',
  ),
  'check-of-units-creates-order': fault('CHECK-02', 'the check of a top-up by units tops up'),
  'raw-esim-without-wait': fault(
    'ESIM-07',
    'a pending eSIM with a raw payload is answered without Retry-After',
  ),
  'checked-units-below-minimum': fault('QTY-03', 'checks take fewer units than minQuantity'),
  'cart-units-below-minimum': fault('QTY-03', 'carts take fewer units than minQuantity'),
  'cart-units-unlimited': fault('QTY-04', 'carts take more units than maxQuantity'),
  'cart-units-off-step': fault('QTY-05', 'carts take units off the steps of stepQuantity'),
  'unchecked-reference-optional': fault(
    'IDEM-01',
    'an order with checkOnly=false needs no reference',
  ),
  'invalid-esims-answer-400': fault('VAL-01', 'an eSIM that is not valid is answered by 400'),
  'cap-charges-invalid-top-ups': fault('CAP-01', 'a top-up that is not valid uses the cap up'),
  'allowlist-checks-unnamed': fault(
    'ALLOW-10',
    'the allowlist 403 of a POST says nothing of the address',
  ),
  'gift-listing-tells-bot': fault('SNAP-13', 'the listing shows who carries a gift out'),
  'esim-priced-in-eur-in-searches': fault('CAT-15', 'a search prices eSIMs in EUR'),
  'cart-drops-fifth-position': fault('CART-01', 'a cart has four orders at most'),
  'units-leave-two-orders': fault('QTY-01', 'a top-up by units leaves two orders'),
} as const satisfies Record<string, FaultFact>
