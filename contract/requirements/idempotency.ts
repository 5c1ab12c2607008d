import { entries } from './entries.ts'

/** `referenceId` and what it protects from. eSIM and platform gift add rules of their own. */
export const IDEMPOTENCY = entries('Endpoints > POST /api/v1/orders', 'base', {
  'IDEM-01': {
    source: ['rule 1', 'paragraph 4'],
    text: 'A purchase without a referenceId is a validation error: HTTP 422.',
  },
  'IDEM-02': {
    source: ['rule 1'],
    text: 'A check of a top-up (checkOnly=true) is not refused for want of a referenceId.',
    capability: 'dtu-check',
  },
  'IDEM-03': {
    source: ['rule 2 sentence 1', 'rule 1'],
    text: 'Sending a purchase again under its referenceId gives the original result: the same orderId, price and currency.',
  },
  'IDEM-04': {
    source: ['rule 2 sentence 1', 'Errors: bullet 1 sentence 2'],
    text: 'The answer to a replay has the statusCode IDEMPOTENCY_REPLAY. It is one number for all replays, is not that of a first success, and is not 8, 13 or 14.',
  },
  'IDEM-05': {
    source: ['rule 1', 'rule 2 sentence 1'],
    text: 'A replay creates no second order: its referenceId finds exactly one.',
  },
  'IDEM-06': {
    source: ['rule 2 sentence 1'],
    text: 'A replay whose body asks for something else still gives the result of the first request.',
  },
  'IDEM-07': {
    source: ['rule 2 sentence 1'],
    text: 'A replay whose body asks for something else is marked by statusCode IDEMPOTENCY_REPLAY like any other.',
  },
  'IDEM-08': {
    source: ['rule 1', 'rule 2 sentence 1'],
    text: 'A replay whose body asks for something else creates no second order.',
  },
  'IDEM-09': {
    source: ['rule 1', 'rule 2 sentence 1', 'Authentication: rule 5 sentence 2'],
    text: 'A replay is not charged: the headroom of the key is the same before and after it.',
    capability: 'transaction-limit',
  },
  'IDEM-10': {
    source: ['rule 1'],
    text: 'A referenceId is unique in the account: used again through another key of the account it creates no second order.',
  },
  'IDEM-11': {
    source: ['rule 1'],
    text: 'A referenceId is unique in the account only: another account may use the same one and gets an order of its own.',
  },
  'IDEM-12': {
    source: ['rule 1', 'Errors: bullet 7 sentence 2'],
    text: 'Copies of one purchase that arrive at the same time create one order: every success among them names the same orderId.',
  },
  'IDEM-13': {
    source: ['Errors: bullet 7 sentence 2'],
    text: 'When the answer to a purchase was lost, the same referenceId brings back that order instead of buying again.',
  },
  'IDEM-14': {
    source: ['Errors: bullet 7 sentence 2'],
    text: 'A client keeps the referenceId when it repeats a purchase.',
    excluded: 'It binds the client; IDEM-13 holds what the service does with it.',
  },
  'IDEM-15': {
    source: ['rule 2 sentence 1', 'rule 3', 'States and transitions: row IN_PROGRESS'],
    text: 'A replay of an asynchronous purchase names the same order, while it is pending and after it has finished.',
    capability: 'async',
  },
})
