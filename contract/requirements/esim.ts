import { entries } from './entries.ts'

const OPERATION = 'Endpoints > POST /api/v1/orders'
const STATES = 'States and transitions'

/** eSIM orders and their activation payload. */
export const ESIM = entries('Resources and their fields > PurchaseResponse', 'esim', {
  'ESIM-01': {
    section: OPERATION,
    source: ['row esim', 'Limits: row eSIM', 'What the service does: bullet 2'],
    text: 'An eSIM order is for one eSIM: an order with quantity 1 is accepted, and none ever delivers more than one.',
  },
  'ESIM-02': {
    section: OPERATION,
    source: ['row esim'],
    text: 'The currency of an eSIM order is USD.',
  },
  'ESIM-03': {
    section: OPERATION,
    source: ['row esim'],
    text: 'An eSIM order is settled in USD.',
    excluded: 'Settlement shows only in balance and ledger, whose answers are not shown.',
  },
  'ESIM-04': {
    section: OPERATION,
    source: ['rule 4 sentence 1', 'States and transitions: row (no order)'],
    text: 'An eSIM purchase whose payload is not ready is answered by HTTP 202.',
  },
  'ESIM-05': {
    section: OPERATION,
    source: ['rule 4 sentence 1', 'States and transitions: row (no order)'],
    text: 'An eSIM order whose payload is not ready has status IN_PROGRESS.',
  },
  'ESIM-06': {
    section: OPERATION,
    source: [
      'rule 4 sentence 1',
      'States and transitions: row (no order)',
      'Resources and their fields > PurchaseResponse: row result',
    ],
    text: 'The 202 of an eSIM order whose payload is not ready has result null.',
  },
  'ESIM-07': {
    section: OPERATION,
    source: ['rule 4 sentence 1', 'States and transitions: row (no order)'],
    text: 'The 202 of an eSIM order whose payload is not ready has the header Retry-After: 15.',
  },
  'ESIM-08': {
    section: OPERATION,
    source: ['rule 4 sentence 2'],
    text: 'Replaying an eSIM purchase shows where the order is now: after the payload was issued the replay has it.',
  },
  'ESIM-09': {
    section: OPERATION,
    source: ['rule 4 sentence 2'],
    text: 'The replay of an eSIM purchase is marked by statusCode IDEMPOTENCY_REPLAY.',
  },
  'ESIM-10': {
    section: OPERATION,
    source: ['rule 4 sentence 2'],
    text: 'Replaying an eSIM purchase creates no second order: the orderId stays the same and its referenceId finds one order.',
  },
  'ESIM-11': {
    source: ['row esim', 'paragraph 2'],
    text: 'A finished eSIM order has its activation in its result, an object.',
  },
  'ESIM-12': {
    source: ['row qrCodeText', 'paragraph 2'],
    text: 'A regular eSIM activation has qrCodeText, a string.',
  },
  'ESIM-13': {
    source: ['row iccid'],
    text: 'iccid, where a regular eSIM activation has it, is a string.',
  },
  'ESIM-14': {
    source: ['row smdpAddress'],
    text: 'smdpAddress, where a regular eSIM activation has it, is a string.',
  },
  'ESIM-15': {
    source: ['row activationCode'],
    text: 'activationCode, where a regular eSIM activation has it, is a string.',
  },
  'ESIM-16': {
    source: ['row iosInstallUrl'],
    text: 'iosInstallUrl, where a regular eSIM activation has it, is a string.',
  },
  'ESIM-17': {
    source: ['row androidInstallUrl'],
    text: 'androidInstallUrl, where a regular eSIM activation has it, is a string.',
  },
  'ESIM-18': {
    source: ['paragraph 3 sentence 1'],
    text: 'A declared activation field that the supplier did not give is left out of the payload, not filled with null or an empty string.',
  },
  'ESIM-19': {
    source: ['paragraph 3 sentence 1'],
    text: 'Activation fields of the supplier that the interface does not declare reach the client.',
    excluded: 'Only the supplier knows which further fields it sent.',
  },
  'ESIM-20': {
    source: ['row esim', 'Versioning: bullet 2'],
    text: 'A client puts up with activation fields that it does not know.',
    excluded: 'It binds the client; the schemas of the harness are open to further fields.',
  },
  'ESIM-21': {
    source: ['paragraph 3 sentence 2'],
    text: 'A supplier payload without a qrCodeText that can be used comes back as the raw object, without a qrCodeText made up for it.',
  },
  'ESIM-22': {
    section: STATES,
    source: ['bullet 3'],
    level: 'typical',
    text: 'The payload of an eSIM order is issued within two minutes.',
  },
  'ESIM-23': {
    section: STATES,
    source: ['bullet 3', 'Limits: row eSIM'],
    text: 'After some ten minutes of IN_PROGRESS the client takes an eSIM order for timed out. It gives support the orderId and buys nothing under a new referenceId.',
    excluded: 'It binds the client.',
  },
  'ESIM-24': {
    section: STATES,
    source: ['bullet 3'],
    level: 'typical',
    text: 'A sweep over the supplier finalizes eSIM orders about once a minute.',
    excluded: 'The sweep runs inside the service; ESIM-22 holds what a client sees of it.',
  },
  'ESIM-25': {
    section: 'Limits',
    source: ['row eSIM'],
    level: 'may',
    text: 'A client polls an eSIM order every 10 to 15 seconds.',
    excluded: 'It advises the client; the windows for polling have requirements of their own.',
  },
})
