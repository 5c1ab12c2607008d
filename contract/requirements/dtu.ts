import { entries } from './entries.ts'

const VALIDATION = 'Endpoints > POST /dtu/validation'

/** Direct top-ups: buying, checking through POST /orders, and the validation operation. */
export const DTU = entries('Endpoints > POST /api/v1/orders', 'dtu-check', {
  'DTU-01': {
    source: ['row dtu', 'What the service does: bullet 2'],
    text: 'ordersType dtu buys a direct top-up: a valid purchase of one creates an order.',
    capability: 'dtu',
  },
  'DTU-02': {
    source: ['row dtu', 'What the service does: bullet 2'],
    text: 'The result of a dtu order has no voucher codes.',
    capability: 'dtu',
  },
  'DTU-03': {
    source: [
      'row dtu',
      'Resources and their fields > PurchaseResponse: row attributes',
      'What the service does: bullet 2',
    ],
    text: 'The result of a dtu order that ended in SUCCESS has attributes, an object.',
    capability: 'dtu',
  },
  'CHECK-01': {
    source: ['row dtu + checkOnly=true', 'What the service does: bullet 3'],
    text: 'dtu with checkOnly=true answers a valid top-up with a success.',
  },
  'CHECK-02': {
    source: ['row dtu + checkOnly=true', 'What the service does: bullet 3'],
    text: 'dtu with checkOnly=true creates no order: a referenceId sent with it finds nothing, and buys later or gets the outcome of the check again.',
  },
  'CHECK-03': {
    source: ['rule 5'],
    text: 'A check is synchronous: its answer is the outcome, neither 202 nor IN_PROGRESS.',
  },
  'CHECK-04': {
    source: ['rule 5'],
    text: 'A check whose provider is silent is sent to the provider a second time: one that answers then makes it a success.',
  },
  'CHECK-05': {
    source: ['rule 5', 'Errors: row 504'],
    text: 'A check whose provider times out in both attempts is answered by HTTP 504.',
  },
  'CHECK-06': {
    source: ['rule 5', 'Errors: row 504'],
    text: 'The 504 of a check has statusCode 14.',
  },
  'CHECK-07': {
    source: ['rule 5', 'Errors: row 504'],
    text: 'The 504 of a check has the header Retry-After: 2.',
  },
  'CHECK-08': {
    source: ['rule 5', 'Errors: row 504'],
    text: 'A check that ended in 504 left no order behind, and its referenceId is free for the purchase.',
  },
  'CHECK-09': {
    source: ['rule 5', 'Errors: row 504'],
    text: 'A check that ended in 504 debited nothing: the headroom of the key is whole afterwards.',
  },
  'CHECK-10': {
    source: ['row dtu + checkOnly=true'],
    text: 'A check consists of a quote and a question to the provider.',
    excluded: 'Both happen behind the API, and the answer to a check is not shown.',
  },
  'DTUV-01': {
    section: VALIDATION,
    source: ['paragraph 1 sentence 1'],
    text: 'The validation operation accepts a top-up that is valid.',
    capability: 'dtu-validation',
  },
  'DTUV-02': {
    section: VALIDATION,
    source: [
      'paragraph 1 sentence 1',
      'Resources and their fields > ProductItem: row amountIsQuantity',
    ],
    text: 'For a quantity-mode item the validation operation takes amount as a number of units: an integer within the limits of the item is accepted.',
    capability: 'dtu-validation',
  },
  'DTUV-03': {
    section: VALIDATION,
    source: [
      'paragraph 1 sentence 1',
      'Resources and their fields > ProductItem: row amountIsQuantity',
      'Limits: row Quantity items',
    ],
    text: 'For a quantity-mode item the validation operation does not accept an amount that is no integer or is outside the limits of the item.',
    capability: 'dtu-validation',
  },
  'DTUV-04': {
    section: VALIDATION,
    source: ['paragraph 1 sentence 1'],
    text: 'The validation operation validates: it creates no order.',
    capability: 'dtu-validation',
  },
})
