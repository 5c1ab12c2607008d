/** Faults of one kind of purchase alone, where every other kind is right. */
import { type FaultFact, fault } from './fact.ts'

export const KIND_FAULTS = {
  'top-up-replay-in-progress': fault(
    'STATE-03',
    'the replay of a top-up that was made says that it is IN_PROGRESS',
  ),
  'units-with-vouchers': fault('DTU-02', 'the result of a top-up by units has vouchers'),
  'units-without-attributes': fault('DTU-03', 'the result of a top-up by units has no attributes'),
  'esim-replay-needs-same-body': fault('IDEM-06', 'another body buys beside an eSIM'),
  'later-replay-needs-same-body': fault(
    'IDEM-08',
    'another body buys beside vouchers that come later',
  ),
  'cart-charges-esims-by-quantity': fault(
    'ESIM-01',
    'an eSIM in a cart that asks for two is accepted and charged twice',
  ),
  'cart-esim-in-eur': fault('ESIM-02', 'an eSIM in a cart is priced in EUR'),
  'sibling-reference-forgotten-with-window': fault(
    'IDEM-10',
    'a reference is forgotten after a default window by the other keys of the account',
  ),
  'sibling-reference-of-same-body-only': fault(
    'IDEM-10',
    'another key of the account buys another quantity under a used reference',
  ),
  'sibling-checkout-of-same-length-only': fault(
    'IDEM-10',
    'another key of the account buys a longer cart under a used reference',
  ),
  'sibling-reference-of-same-kind-only': fault(
    'IDEM-10',
    'another key of the account buys another kind under a used reference',
  ),
  'other-body-replay-charges': fault(
    'IDEM-09',
    'a replay of another body uses the cap up once more',
  ),
  'other-body-replay-debits': fault(
    'IDEM-09',
    'a replay of another body takes its price off again',
  ),
  'sibling-replay-debits': fault(
    'IDEM-09',
    'a replay by another key of the account takes its price off again',
  ),
  'cap-checkouts-tell-no-attempt': fault(
    'CAP-06',
    'the 409 of a checkout gives headroom and cap alone',
  ),
  'top-up-reference-error-unnamed': fault(
    'FIELD-04',
    'the error of a top-up without a referenceId names the body',
  ),
  'esim-reference-error-unnamed': fault(
    'FIELD-04',
    'the error of an eSIM without a referenceId names the body',
  ),
  'gift-reference-error-unnamed': fault(
    'FIELD-04',
    'the error of a gift without a referenceId names the body',
  ),
  'lost-top-up-buys-again': fault(
    'IDEM-13',
    'the reference of a top-up whose client went away is forgotten',
  ),
  'lost-esim-buys-again': fault(
    'IDEM-13',
    'the reference of an eSIM whose client went away is forgotten',
  ),
  'gift-lost-answer-buys-again': fault(
    'IDEM-13',
    'the reference of a gift whose client went away is forgotten',
  ),
  'gift-reference-per-key': fault(
    'IDEM-10',
    'the reference of a gift is free for other keys of the account',
  ),
  'checkout-reference-per-key': fault(
    'IDEM-10',
    'the reference of a checkout is free for other keys of the account',
  ),
  'cap-top-ups-tell-no-headroom': fault(
    'CAP-07',
    'the 409 of a top-up gives the attempted amount and the cap only',
  ),
  'cap-units-tell-count': fault(
    'CAP-06',
    'the 409 of a top-up by units gives their number in place of the amount',
  ),
  'cap-long-orders-tell-one-piece': fault(
    'CAP-06',
    'the 409 of a long order gives the price of one piece',
  ),
  'cap-esims-tell-half': fault('CAP-06', 'the 409 of an eSIM gives half of the attempted amount'),
  'gift-cap-tells-no-limit': fault('CAP-08', 'the 409 of a gift does not give the cap'),
  'cap-checkouts-tell-no-limit': fault('CAP-08', 'the 409 of a checkout does not give the cap'),
  'cap-checkouts-tell-no-headroom': fault(
    'CAP-07',
    'the 409 of a checkout does not give the headroom',
  ),
  'cap-refuses-top-ups-once': fault(
    'CAP-09',
    'a top-up that the cap refused passes when it is sent again under its reference',
  ),
  'cap-refuses-checkouts-once': fault(
    'CAP-09',
    'a checkout that the cap refused passes when it is sent again under its reference',
  ),
  'top-ups-contend-as-502': fault('BUSY-01', 'a contended top-up is answered by 502'),
  'contended-top-up-created': fault('BUSY-04', 'a contended top-up is created all the same'),
  'contended-esim-leaks': fault('BUSY-05', 'a contended eSIM keeps its reservation'),
  'gift-contended-burns-reference': fault(
    'BUSY-06',
    'the referenceId of a contended gift cannot be used again',
  ),
  'gift-token-lives-on': fault('GIFT-09', 'a quoteToken never expires'),
  'siblings-race': fault(
    'IDEM-12',
    'copies of one order that two keys send at once are two orders',
  ),
  'sibling-checkouts-race': fault(
    'CART-04',
    'copies of one cart that two keys send at once are two checkouts',
  ),
  'contended-checkout-without-wait': fault(
    'BUSY-02',
    'the 429 of a contended checkout has no Retry-After',
  ),
} as const satisfies Record<string, FaultFact>
