/** Faults of the rules of a body: for one kind, one endpoint or one rule of it, while they hold for the others. */
import { type FaultFact, fault } from './fact.ts'

export const BODY_FAULTS = {
  'top-up-reference-optional': fault('IDEM-01', 'a top-up without a referenceId is made'),
  'esim-reference-optional': fault('IDEM-01', 'an eSIM without a referenceId is sold'),
  'units-answer-400': fault('VAL-01', 'an order for a forbidden number of units gets 400'),
  'validated-units-answer-400': fault(
    'VAL-01',
    'the validation of a forbidden number of units gets 400',
  ),
  'checked-units-without-errors': fault(
    'VAL-02',
    'the 422 of a check of a forbidden number of units has no errors',
  ),
  'invalid-quantities-unlisted': fault(
    'VAL-02',
    'errors of an order lists nothing about its quantity',
  ),
  'checked-units-unlimited': fault('QTY-04', 'checks pass beyond maxQuantity'),
  'checked-units-off-step': fault('QTY-05', 'checks pass off the steps of stepQuantity'),
  'validated-units-unlimited': fault('DTUV-03', 'the validation passes beyond maxQuantity'),
  'units-negative-accepted': fault('QTY-03', 'a negative number of units is taken as positive'),
  'units-as-text-cut': fault('QTY-02', 'a fraction of units as text is cut to an integer'),
  'checked-units-as-text-cut': fault('QTY-02', 'a check cuts a fraction as text to an integer'),
  'validated-units-as-text-cut': fault(
    'DTUV-03',
    'the validation cuts a fraction of units as text to an integer',
  ),
  'cart-units-as-text-cut': fault(
    'QTY-05',
    'a cart cuts a fraction of units as text to an integer',
  ),
  'cart-units-maximum-exclusive': fault('QTY-01', 'a cart of exactly maxQuantity is refused'),
  'units-maximum-exclusive': fault('QTY-01', 'an order for exactly maxQuantity is refused'),
  'gift-invalid-answers-400': fault(
    'VAL-01',
    'a gift order without quote or gift is answered by 400',
  ),
  'gift-two-answers-400': fault('VAL-01', 'an order of two gifts is answered by 400'),
  'gift-without-addresses-answers-400': fault(
    'VAL-01',
    'a gift without addresses is answered by 400',
  ),
  'two-esims-answer-400': fault('VAL-01', 'an order of two eSIMs is answered by 400'),
  'long-order-elsewhere-answers-400': fault(
    'VAL-01',
    'isLongOrder is answered by 400 where nothing supports it',
  ),
  'unreferenced-vouchers-answer-400': fault(
    'VAL-01',
    'a voucher order that lacks nothing but its reference is answered by 400',
  ),
  'invalid-top-ups-without-errors': fault('VAL-02', 'the 422 of a top-up has no errors'),
  'invalid-esims-without-errors': fault('VAL-02', 'the 422 of an eSIM has no errors'),
  'gift-invalid-without-errors': fault(
    'VAL-02',
    'the 422 of an order without quote or gift has no errors',
  ),
  'gift-invalid-quotes-without-errors': fault(
    'VAL-02',
    'the 422 of a request for a quote has no errors',
  ),
  'long-orders-of-everything': fault(
    'LONG-03',
    'isLongOrder makes a long order of an item that supports none',
  ),
  'long-orders-of-top-ups': fault('LONG-03', 'isLongOrder makes a top-up wait'),
  'long-orders-of-units': fault('LONG-03', 'isLongOrder makes a top-up by units wait'),
  'long-orders-of-esims': fault('LONG-03', 'isLongOrder makes an eSIM wait that is there at once'),
  'voucher-quantity-negative': fault('ORD-19', 'a negative number of pieces is sold below zero'),
  'voucher-quantity-zero': fault('ORD-19', 'an order of no pieces delivers one for nothing'),
  'esim-quantity-zero': fault('ORD-19', 'an eSIM order with quantity 0 costs nothing'),
  'cart-quantity-negative': fault('ORD-19', 'a cart takes a negative number of pieces'),
  'services-limit-capped-late': fault('CAT-09', 'a page has ten products at most'),
} as const satisfies Record<string, FaultFact>
