import { entries } from './entries.ts'

const GET_ORDERS = 'Endpoints > GET /api/v1/orders'

/** Reading codes in clear, and the pending and completed budgets of an order. */
export const UNHIDE = entries('Limits', 'unhide', {
  'UNHIDE-01': {
    section: GET_ORDERS,
    source: ['row unhide', 'What the service does: bullet 5'],
    text: 'With unhide=true the voucher codes of a finished order are in the answer in clear.',
  },
  'UNHIDE-02': {
    source: ['row GET /orders (unhide completed)', 'paragraph 2'],
    level: 'typical',
    text: 'A completed order can be read in clear once in 60 seconds, unless another budget is configured.',
  },
  'UNHIDE-03': {
    source: ['row GET /orders (unhide pending)', 'paragraph 2'],
    level: 'typical',
    text: 'A pending order can be read with unhide 60 times in 60 seconds, unless another budget is configured.',
  },
  'UNHIDE-04': {
    source: ['row GET /orders (unhide admission)', 'paragraph 2'],
    level: 'typical',
    text: 'An order takes 61 unhide attempts in 60 seconds, unless other budgets are configured.',
  },
  'UNHIDE-05': {
    source: ['row GET /orders (unhide pending)'],
    text: 'Reading an IN_PROGRESS order with unhide is counted by the pending budget: so many reads of a window pass, the next gets 429.',
  },
  'UNHIDE-06': {
    source: ['rule 4', 'row GET /orders (unhide pending)'],
    text: 'Reading a PARTIALLY_COMPLETED order with unhide is counted by the pending budget, not by the completed one.',
  },
  'UNHIDE-07': {
    source: ['row GET /orders (unhide completed)'],
    text: 'Reading a SUCCESS order with unhide is counted by the completed budget.',
  },
  'UNHIDE-08': {
    source: ['row GET /orders (unhide completed)'],
    text: 'Reading a CANCELLED order with unhide is counted by the completed budget.',
  },
  'UNHIDE-09': {
    source: ['rule 3 sentence 1'],
    text: 'The first answer that has an order as completed already spends its completed budget, even if reads of the same window found it pending.',
  },
  'UNHIDE-10': {
    source: ['rule 3 sentence 1'],
    text: 'Once the completed budget of an order is spent, each further unhide read in that window gets 429, whether or not codes are cached.',
  },
  'UNHIDE-11': {
    source: ['rule 3 sentence 2'],
    text: 'A completed order can be read in clear again in the next window of its budget.',
  },
  'UNHIDE-12': {
    source: ['rule 3 sentence 2', 'rule 4'],
    level: 'may',
    text: 'A client saves codes when it gets them, and polls no further once an order is PARTIALLY_COMPLETED.',
    excluded: 'It advises the client.',
  },
  'UNHIDE-13': {
    source: ['rule 5'],
    text: 'Reading an order by orderId and by referenceId spends one and the same unhide budget.',
  },
  'UNHIDE-14': {
    source: [
      'rule 5',
      'row GET /orders (unhide pending)',
      'row GET /orders (unhide completed)',
      'row GET /orders (unhide admission)',
    ],
    text: 'Each order has unhide budgets of its own: spending those of one leaves those of another whole.',
  },
  'UNHIDE-15': {
    source: ['rule 6 sentence 1'],
    text: 'Reading a checkout by its reference with unhide is counted by the completed budget as soon as one of its orders is SUCCESS or CANCELLED.',
  },
  'UNHIDE-16': {
    source: ['rule 6 sentence 2'],
    text: 'Reading one order of a checkout, by reference and orderId, is counted by itself: it passes after the budget of the whole checkout is spent.',
  },
})
