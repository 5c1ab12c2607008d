import { questions } from './entries.ts'

const PURCHASE = 'Resources and their fields > PurchaseResponse'
const ORDERS = 'Endpoints > POST /api/v1/orders'
const ERRORS = 'Errors'

/** What the interface says that it does not show. */
export const NOT_SHOWN = questions({
  'OPEN-01': {
    area: 'SVC',
    section: 'What the service does',
    source: ['paragraph 2 sentence 2'],
    question: 'Which operations does the control plane have, and where?',
    answeredBy: 'target',
  },
  'OPEN-02': {
    area: 'SCOPE',
    section: 'What the service does',
    source: ['paragraph 2 sentence 3', 'Endpoints > GET /rate-limits: paragraph 2'],
    question: 'Where are balance and ledger read, and what do they answer?',
    answeredBy: 'target',
  },
  'OPEN-03': {
    area: 'PROD',
    section: 'Resources and their fields > ProductItem',
    source: ['paragraph 1'],
    question: 'Is inStock a count or a flag, a number or numeric text?',
  },
  'OPEN-04': {
    area: 'PROD',
    section: 'Resources and their fields > ProductItem',
    source: ['paragraph 1'],
    question: 'How many digits does a price have, and can it be negative or zero?',
  },
  'OPEN-05': {
    area: 'PROD',
    section: 'Resources and their fields > ProductItem',
    source: ['paragraph 1'],
    question: 'Which form do currency codes have?',
  },
  'OPEN-06': {
    area: 'LOOK',
    section: 'Resources and their fields > ItemLookupResponse',
    source: ['paragraph 2'],
    question: 'Which combinations of found, item and error can an element have?',
  },
  'OPEN-07': {
    area: 'DTU',
    section: PURCHASE,
    source: ['row attributes'],
    question: 'Which attributes does a finished top-up give?',
  },
  'OPEN-08': {
    area: 'KEY',
    section: 'Resources and their fields > API key',
    source: ['paragraph 1 sentence 2'],
    question:
      'Which other fields does the record of a key have, and can a client read transactionRemaining anywhere?',
    answeredBy: 'target',
  },
  'OPEN-09': {
    area: 'GET',
    section: 'Resources and their fields > Order list item',
    source: ['paragraph 1 sentence 2'],
    question:
      'Which fields besides its status does an item of the order list have, and what else is in the page?',
    answeredBy: 'target or observed',
  },
  'OPEN-10': {
    area: 'STATE',
    section: 'States and transitions',
    source: ['bullet 2'],
    question: 'What decides whether an order ends in SUCCESS, PARTIALLY_COMPLETED or CANCELLED?',
    answeredBy: 'target or observed',
  },
  'OPEN-11': {
    area: 'KEY',
    section: 'States and transitions',
    source: ['bullet 4'],
    question: 'How does a key come from active to revoked or expired, and can it come back?',
    answeredBy: 'nothing',
    unobserved: 'Keys change in the control plane, which has no operation that is shown.',
  },
  'OPEN-12': {
    area: 'SNAP',
    section: 'States and transitions',
    source: [
      'bullet 5 sentence 2',
      'Resources and their fields > PurchaseResponse: row deliveryState',
    ],
    question: 'Through which states does a gift go, and which further delivery states exist?',
  },
  'OPEN-13': {
    area: 'CART',
    section: 'States and transitions',
    source: ['bullet 6', 'Resources and their fields > CheckoutResponse: row status'],
    question: 'How does the status of a checkout follow from those of its orders?',
  },
  'OPEN-14': {
    area: 'WHO',
    section: 'Endpoints > GET /whoami',
    source: ['paragraph 1 sentence 2'],
    question: 'In which field does /whoami give the address?',
    answeredBy: 'target or observed',
  },
  'OPEN-15': {
    area: 'CAT',
    section: 'Endpoints > GET /api/v1/services',
    source: ['bullet 4'],
    question:
      'Where in the response are products and total, and which further fields does a product have?',
    answeredBy: 'target',
  },
  'OPEN-16': {
    area: 'LOOK',
    section: 'Endpoints > Item lookup and single item',
    source: ['paragraph 1 sentence 2'],
    question: 'Which paths and parameters do item lookup and single item have?',
    answeredBy: 'target',
  },
  'OPEN-17': {
    area: 'GIFT',
    section: 'Endpoints > POST /api/v1/platform-gifts/quotes',
    source: ['paragraph 2 sentence 2'],
    question: 'Which types do the fields of a quote have, and what else is in its response?',
    answeredBy: 'target or observed',
  },
  'OPEN-18': {
    area: 'ORD',
    section: ORDERS,
    source: ['paragraph 3 sentence 2'],
    question:
      'What does the request of each kind of order look like, with its gift entry or top-up data?',
    answeredBy: 'target',
  },
  'OPEN-19': {
    area: 'GET',
    section: 'Endpoints > GET /api/v1/orders',
    source: ['paragraph 2 sentence 3'],
    question: 'How is the unfiltered listing paged, and which other parameters are there?',
    answeredBy: 'target or observed',
  },
  'OPEN-20': {
    area: 'CART',
    section: 'Endpoints > POST /carts',
    source: ['paragraph 1 sentence 3'],
    question: 'What does the request of a checkout look like, and where does its reference stand?',
    answeredBy: 'target',
  },
  'OPEN-21': {
    area: 'DTUV',
    section: 'Endpoints > POST /dtu/validation',
    source: ['paragraph 1 sentence 2'],
    question:
      'What does the validation operation ask for and answer, and how does it turn a top-up down?',
    answeredBy: 'target',
  },
  'OPEN-22': {
    area: 'LIMIT',
    section: 'Endpoints > GET /rate-limits',
    source: ['paragraph 1 sentence 2'],
    question: 'Where in the response of /rate-limits are counts, windows and sources?',
    answeredBy: 'target',
  },
  'OPEN-23': {
    area: 'KEY',
    section: 'Authentication',
    source: ['rule 7'],
    question: 'How is a key created and rotated?',
    answeredBy: 'target',
  },
  'OPEN-24': {
    area: 'EVT',
    section: 'Events',
    source: ['bullet 3'],
    question: 'Are there events, subscriptions or payloads of any other kind?',
    answeredBy: 'nothing',
    unobserved: 'That something never comes does not show in a run.',
  },
  'OPEN-25': {
    area: 'ERR',
    section: ERRORS,
    source: ['bullet 1 sentence 3', 'bullet 1 sentence 2'],
    question:
      'Which meaning and HTTP status has each statusCode besides 8, 13 and 14, among them success and IDEMPOTENCY_REPLAY?',
    answeredBy: 'target or observed',
  },
  'OPEN-26': {
    area: 'GIFT',
    section: ERRORS,
    source: ['bullet 3'],
    question: 'Which HTTP status has a quote that the upstream gift service cannot give?',
    answeredBy: 'target or observed',
  },
  'OPEN-27': {
    area: 'VAL',
    section: ERRORS,
    source: ['bullet 4'],
    question: 'What do bodies of 415 and 422 have besides the envelope?',
  },
  'OPEN-28': {
    area: 'GIFT',
    section: ERRORS,
    source: ['bullet 5'],
    question: 'Which error code does the conflict of a gift replay have?',
  },
  'OPEN-29': {
    area: 'VAL',
    section: 'Limits',
    source: ['rule 9'],
    question: 'How large may a request body be, and how many positions may a cart have?',
  },
  'OPEN-30': {
    area: 'VER',
    section: 'Versioning',
    source: ['bullet 5'],
    question:
      'How are parts of the interface retired, and can a client choose a version other than by the path?',
    answeredBy: 'nothing',
    unobserved:
      'A retired part shows over months, and a run cannot choose among versions that it does not know.',
  },
})
