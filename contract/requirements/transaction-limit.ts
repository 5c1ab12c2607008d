import { entries } from './entries.ts'

/** The lifetime spend cap of a key. */
export const TRANSACTION_LIMIT = entries('Authentication', 'transaction-limit', {
  'CAP-01': {
    source: ['rule 5 sentence 2', 'Endpoints > POST /api/v1/orders: rule 6'],
    text: 'A purchase that the rest of the cap covers is not refused by the cap.',
  },
  'CAP-02': {
    source: ['rule 5 sentence 2'],
    text: 'A purchase that uses the cap up to the last unit is accepted.',
  },
  'CAP-03': {
    source: [
      'rule 5 sentence 3',
      'Errors: row 409',
      'Endpoints > POST /api/v1/orders: rule 6',
      'Limits: row Transaction limit',
    ],
    text: 'A purchase that would take the key beyond its cap is answered by HTTP 409.',
  },
  'CAP-04': {
    source: ['rule 5 sentence 3', 'Errors: row 409', 'Versioning: bullet 3 sentence 1'],
    text: 'The 409 of the cap has statusCode 13.',
  },
  'CAP-05': {
    source: [
      'rule 5 sentence 3',
      'Errors: row 409',
      'Versioning: bullet 3 sentence 1',
      'Resources and their fields > Envelope: row errorCode',
    ],
    text: 'The 409 of the cap has errorCode api_key_transaction_limit_exceeded.',
  },
  'CAP-06': {
    source: ['rule 5 sentence 3'],
    text: 'The message of the 409 of the cap gives the amount that was attempted.',
  },
  'CAP-07': {
    source: ['rule 5 sentence 3'],
    text: 'The message of the 409 of the cap gives the headroom that is left.',
  },
  'CAP-08': {
    source: ['rule 5 sentence 3'],
    text: 'The message of the 409 of the cap gives the cap itself.',
  },
  'CAP-09': {
    source: [
      'rule 5 sentence 4',
      'Errors: row 409',
      'rule 5 sentence 1',
      'Limits: row Transaction limit',
    ],
    text: 'The cap is for life: a purchase that it refused is refused in the same way later, also after rate-limit windows have passed.',
  },
  'CAP-10': {
    source: ['rule 5 sentence 2', 'rule 5 sentence 3', 'Endpoints > POST /api/v1/orders: rule 6'],
    text: 'The cap is checked before the purchase: one that it refuses leaves no order behind.',
  },
  'CAP-11': {
    source: ['rule 5 sentence 2'],
    text: 'A purchase that the cap refuses uses up nothing: what was left before can still be bought.',
  },
  'CAP-12': {
    source: ['rule 5 sentence 2', 'Resources and their fields > API key: paragraph 1 sentence 1'],
    text: 'An accepted purchase uses the cap up by its price.',
  },
  'CAP-13': {
    source: ['rule 5 sentence 2'],
    text: 'Purchases made at the same time never add up to more than the cap.',
  },
  'CAP-14': {
    source: ['rule 5 sentence 5'],
    text: 'A key whose larger purchase was refused by the cap stays active: a smaller one that fits is accepted.',
  },
  'CAP-15': {
    source: ['rule 5 sentence 1', 'Limits: row Transaction limit'],
    text: 'A cap belongs to one key: another key of the account buys on after the cap is used up.',
  },
  'CAP-16': {
    source: ['rule 5 sentence 1', 'Resources and their fields > API key: paragraph 1 sentence 1'],
    text: 'A key need not have a cap: one without is never refused by it.',
    capability: 'base',
  },
  'CAP-17': {
    source: ['Versioning: bullet 3 sentence 1'],
    text: 'A used-up cap is not reported as a rate limit: neither HTTP 429 nor statusCode 8.',
  },
  'CAP-18': {
    source: ['rule 5 sentence 2', 'Endpoints > POST /api/v1/orders: rule 6'],
    text: 'A top-up purchase is held to the cap like any other.',
    capability: 'dtu',
  },
  'CAP-19': {
    source: ['rule 5 sentence 2', 'Endpoints > POST /api/v1/orders: rule 6'],
    text: 'An eSIM purchase is held to the cap like any other.',
    capability: 'esim',
  },
  'CAP-20': {
    source: ['rule 5 sentence 2', 'Endpoints > POST /api/v1/orders: rule 6'],
    text: 'A gift purchase is held to the cap like any other.',
    capability: 'platform-gift',
  },
  'CAP-21': {
    source: ['rule 5 sentence 2'],
    text: 'The orders of a checkout never take the key beyond its cap.',
    capability: 'cart',
  },
  'CAP-22': {
    source: ['rule 5 sentence 4'],
    text: 'A raised cap or a reset counter lets the key buy again.',
    excluded: 'Both happen in the control plane, which no data-plane client reaches.',
  },
  'CAP-23': {
    source: ['rule 5 sentence 5'],
    text: 'Whether a key can pay for an order is judged by its transactionRemaining, not by its status.',
    excluded: 'It binds the client; CAP-14 holds what can be seen of it.',
  },
  'CAP-24': {
    source: ['rule 5 sentence 2', 'What the service does: paragraph 3 sentence 1'],
    text: 'A quote from the shop service precedes each purchase.',
    capability: 'shop',
    excluded: 'The quote is taken behind the API; only its effect on the cap shows.',
  },
  'CAP-25': {
    section: 'Versioning',
    source: ['bullet 3 sentence 2'],
    text: 'Before May 2026 a used-up cap and a spent window were both answered by 429.',
    excluded: 'It tells of the past; CAP-17 holds what is so now.',
  },
})
