import { entries } from './entries.ts'

const ORDERS = 'Endpoints > POST /api/v1/orders'
const EVENTS = 'Events'

/** Asynchronous purchases: how they start, how they are polled, where they end; and what tells a client of it. */
export const STATE_RULES = entries('States and transitions', 'async', {
  'ASYNC-01': {
    section: ORDERS,
    source: [
      'rule 3',
      'paragraph 1 sentence 3',
      'States and transitions: row (no order)',
      'What the service does: paragraph 3 sentence 2',
    ],
    text: 'A purchase that goes on asynchronously is answered by HTTP 202.',
  },
  'ASYNC-02': {
    section: ORDERS,
    source: ['rule 3', 'States and transitions: row (no order)'],
    text: 'The 202 of an asynchronous purchase has status IN_PROGRESS.',
  },
  'ASYNC-03': {
    section: ORDERS,
    source: ['rule 3', 'Events: bullet 2', 'What the service does: bullet 5'],
    text: 'An asynchronous order can be polled by its orderId until it has finished.',
  },
  'ASYNC-04': {
    section: ORDERS,
    source: ['rule 3', 'Events: bullet 2', 'What the service does: bullet 5'],
    text: 'An asynchronous order can be polled by its referenceId until it has finished.',
  },
  'STATE-01': {
    source: ['paragraph 1', 'row IN_PROGRESS'],
    text: 'Every status of an order that is ever read is one of SUCCESS, IN_PROGRESS, PARTIALLY_COMPLETED, CANCELLED.',
    capability: 'base',
  },
  'STATE-02': {
    source: ['row IN_PROGRESS'],
    text: 'An order that is IN_PROGRESS ends in SUCCESS, PARTIALLY_COMPLETED or CANCELLED.',
  },
  'STATE-03': {
    source: ['bullet 1 sentence 1', 'row IN_PROGRESS'],
    text: 'SUCCESS is final: an order that had it is never read in another status.',
    capability: 'base',
  },
  'STATE-04': {
    source: ['bullet 1 sentence 1', 'row IN_PROGRESS'],
    text: 'CANCELLED is final: an order that had it is never read in another status.',
  },
  'STATE-05': {
    source: ['bullet 1 sentence 1', 'bullet 1 sentence 2', 'Limits: rule 4'],
    text: 'PARTIALLY_COMPLETED is final: an order that had it is never read in another status.',
  },
  'STATE-06': {
    source: ['bullet 1 sentence 2'],
    level: 'may',
    text: 'A PARTIALLY_COMPLETED order may already have codes in its result.',
    capability: 'unhide',
  },
  'STATE-07': {
    source: ['row IN_PROGRESS', 'What the service does: bullet 5'],
    text: 'Once an asynchronous order is SUCCESS, its codes or payload can be read.',
    capability: 'unhide',
  },
  'STATE-08': {
    source: ['row IN_PROGRESS'],
    text: 'An order that is IN_PROGRESS does not show all of its codes: they become available when it ends.',
    capability: 'unhide',
  },
  'EVT-01': {
    section: EVENTS,
    source: ['bullet 1'],
    text: 'No webhook tells of a platform-gift order.',
    capability: 'platform-gift',
    excluded: 'Nothing shows where a webhook would be registered, so its absence cannot be tried.',
  },
  'EVT-02': {
    section: EVENTS,
    source: ['bullet 1'],
    text: 'The state of a platform-gift order is polled by referenceId or by orderId, and both give the same.',
    capability: 'platform-gift',
  },
  'EVT-03': {
    section: EVENTS,
    source: ['bullet 2'],
    text: 'A Retry-After that comes with a pending order is a whole number of seconds.',
  },
})
