import type { OpenQuestion } from './types.ts'

const ORDERS = 'Endpoints > POST /api/v1/orders'
const GET_ORDERS = 'Endpoints > GET /api/v1/orders'
const AUTH = 'Authentication'
const LIMITS = 'Limits'

/** Silences of the interface found while it was catalogued. */
export const SILENCES = [
  {
    id: 'OPEN-63',
    area: 'SCOPE',
    section: AUTH,
    source: ['row product:read', 'rule 2.3'],
    question: 'Which scopes do /whoami, /rate-limits, gift quotes and top-up validation need?',
    answeredBy: 'target or observed',
    common:
      'A key with all scopes of orders and products can call them; /rate-limits may need funds:read, for the sentence that names both can be read so.',
  },
  {
    id: 'OPEN-64',
    area: 'ALLOW',
    section: AUTH,
    source: ['rule 2.4'],
    question:
      'Whose address counts behind a proxy, and does a forwarding header of a stranger change it?',
    answeredBy: 'observed',
  },
  {
    id: 'OPEN-65',
    area: 'IDEM',
    section: ORDERS,
    source: ['rule 2 sentence 1', 'paragraph 1 sentence 3'],
    question: 'Is a referenceId free again after its purchase was refused by 422 or by the cap?',
    answeredBy: 'observed',
    common:
      'No order was created, and it is bought under it now or refused as before; after a contention 429 it is free.',
    ambiguities: [28],
  },
  {
    id: 'OPEN-66',
    area: 'ESIM',
    section: ORDERS,
    source: ['row esim'],
    question: 'Is an eSIM order with a quantity above 1, or with none, refused or taken for one?',
    answeredBy: 'observed',
    common: 'It never delivers more than one.',
  },
  {
    id: 'OPEN-67',
    area: 'LONG',
    section: 'Resources and their fields > ProductItem',
    source: ['row isLongOrder', 'row minQtyToLongOrder'],
    question:
      'What answers isLongOrder on other kinds of orders, on products without it, or below the smallest quantity?',
    answeredBy: 'observed',
  },
  {
    id: 'OPEN-68',
    area: 'QTY',
    section: 'Resources and their fields > ProductItem',
    source: ['row unitPrice'],
    question: 'How large is the tariff markup of a quantity-mode item, and how is it rounded?',
    answeredBy: 'observed',
    common: 'It is no discount: the price does not fall below units times unitPrice.',
  },
  {
    id: 'OPEN-69',
    area: 'CTYPE',
    section: 'Endpoints',
    source: ['bullet 2'],
    question: 'Is a Content-Type with parameters, such as a charset, accepted?',
    answeredBy: 'observed',
    common: 'application/json without parameters is accepted.',
  },
  {
    id: 'OPEN-70',
    area: 'CAT',
    section: 'Endpoints > GET /api/v1/services',
    source: ['row type', 'row limit', 'row offset'],
    question:
      'What answers a type that does not exist, or a negative or oversized limit or offset?',
    answeredBy: 'observed',
  },
  {
    id: 'OPEN-71',
    area: 'GIFT',
    section: 'Endpoints > POST /api/v1/platform-gifts/quotes',
    source: ['paragraph 1 sentence 1', 'paragraph 1 sentence 3'],
    question: 'How long does a quoteToken live, and what answers while gifts are switched off?',
    answeredBy: 'target or observed',
  },
  {
    id: 'OPEN-72',
    area: 'GET',
    section: GET_ORDERS,
    source: ['row orderId', 'row referenceId'],
    question: 'Is a filter that finds nothing answered by an empty list or by an error?',
    answeredBy: 'observed',
    common: 'It finds no order, and neither does one for an order of another key.',
  },
  {
    id: 'OPEN-73',
    area: 'LIMIT',
    section: LIMITS,
    source: ['rule 2 sentence 3'],
    question:
      'Which words does the report of limits have for the sources of pending and completed?',
    answeredBy: 'observed',
    common: 'Where they are rule and default, admission has the one that follows from them.',
    ambiguities: [30],
  },
  {
    id: 'OPEN-74',
    area: 'UNHIDE',
    section: LIMITS,
    source: ['rule 6 sentence 2', 'rule 5'],
    question: 'Does an unhide read of a checkout count for each of its orders too?',
    answeredBy: 'observed',
    common: 'It does throughout or never does; one order never counts for another.',
    ambiguities: [29],
  },
  {
    id: 'OPEN-75',
    area: 'ORD',
    section: 'Resources and their fields > PurchaseResponse',
    source: ['row result'],
    question: 'Do answers to POST show result at all, a replay among them?',
    answeredBy: 'observed',
    common: 'The state is there; a payload is where answers to other purchases have theirs.',
    ambiguities: [31],
  },
  {
    id: 'OPEN-76',
    area: 'RATE',
    section: LIMITS,
    source: ['row Default'],
    question: 'Which endpoints have a window of their own, tighter or looser than the default?',
    answeredBy: 'target',
    common: 'Each endpoint keeps to the limit that is reported or stated for it.',
    ambiguities: [32],
  },
  {
    id: 'OPEN-77',
    area: 'STATE',
    section: 'Resources and their fields > PurchaseResponse',
    source: ['row createdAt', 'States and transitions: row (no order)'],
    question: 'Do orders ever have createdAt, and are eSIMs ever pending?',
    answeredBy: 'observed',
    common: 'What never shows is not asked for.',
    ambiguities: [34],
  },
  {
    id: 'OPEN-78',
    area: 'ENV',
    section: 'Resources and their fields > Envelope',
    source: ['paragraph 1'],
    question: 'Is the envelope status of a list always SUCCESS, or may it be that of its orders?',
    answeredBy: 'observed',
    common: 'It is SUCCESS, or a status that an order of the list has.',
  },
  {
    id: 'OPEN-79',
    area: 'BUSY',
    section: 'Errors',
    source: ['row 429 #2'],
    question: 'May orders that meet on one key all refuse each other?',
    answeredBy: 'observed',
    common: 'Of orders that are sent at once again and again, at least one is decided.',
  },
  {
    id: 'OPEN-80',
    area: 'RATE',
    section: 'Limits',
    source: ['row Default', 'paragraph 2'],
    question:
      'How large is a window whose size is neither read from GET /rate-limits nor stated in the target file?',
    answeredBy: 'target or observed',
    common:
      'It is fixed, its refusals are 429 with a Retry-After that holds, and it is shared as the text says.',
    ambiguities: [32],
  },
] as const satisfies readonly OpenQuestion[]
