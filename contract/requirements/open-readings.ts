import { questions } from './entries.ts'

const ORDERS = 'Endpoints > POST /api/v1/orders'
const GET_ORDERS = 'Endpoints > GET /api/v1/orders'
const AUTH = 'Authentication'
const LIMITS = 'Limits'

/** Where the interface is silent or can be read in two ways: a target that follows either reading passes. */
export const READINGS = questions({
  'OPEN-31': {
    area: 'VER',
    section: 'Introduction',
    source: ['paragraph 1 sentence 3', 'Versioning: bullet 1'],
    question: 'Do /whoami, /carts, /dtu/validation and /rate-limits stand under /api/v1 too?',
    answeredBy: 'target or observed',
  },
  'OPEN-32': {
    area: 'WHO',
    section: 'Endpoints > GET /whoami',
    source: ['paragraph 1 sentence 1'],
    question:
      'Is /whoami behind scopes, allowlist and rate limit? A caller outside the allowlist has most use for it.',
  },
  'OPEN-33': {
    area: 'AUTH',
    section: AUTH,
    source: ['rule 2.1', 'rule 2.2'],
    question:
      'Which HTTP status refuses a missing, an unknown, a revoked or an expired key: 401 or 403?',
    answeredBy: 'target or observed',
  },
  'OPEN-34': {
    area: 'CTYPE',
    section: AUTH,
    source: ['rule 6', 'Endpoints: bullet 2'],
    question: 'Does the 415 come before or after the checks of key and window?',
  },
  'OPEN-35': {
    area: 'RATE',
    section: LIMITS,
    source: ['row Exceeding any window'],
    question: 'Which refused requests (409, 415, 422, 429 and others) does a window count?',
  },
  'OPEN-36': {
    area: 'IDEM',
    section: ORDERS,
    source: ['rule 2 sentence 1', 'rule 4 sentence 2'],
    question:
      'Does the replay of a finished asynchronous order show it as first answered or as it is now?',
  },
  'OPEN-37': {
    area: 'IDEM',
    section: ORDERS,
    source: ['rule 2 sentence 1'],
    question: 'Which HTTP status does a replay have?',
    answeredBy: 'target or observed',
  },
  'OPEN-38': {
    area: 'IDEM',
    section: ORDERS,
    source: ['rule 2 sentence 1'],
    question: 'Is a replay whose body breaks the rules answered by the first result or by 422?',
  },
  'OPEN-39': {
    area: 'IDEM',
    section: ORDERS,
    source: ['rule 1', 'Endpoints > GET /api/v1/orders: paragraph 1 sentence 3'],
    question: 'What does another key of the account get that uses a referenceId again?',
  },
  'OPEN-40': {
    area: 'CART',
    section: 'Resources and their fields > CheckoutResponse',
    source: ['row referenceId', 'Endpoints > POST /api/v1/orders: rule 1'],
    question: 'Are references of checkouts and of single orders drawn from one namespace?',
  },
  'OPEN-41': {
    area: 'ASYNC',
    section: 'Events',
    source: ['bullet 2'],
    question: 'Do a 202 for other goods than eSIMs, and polls, have a Retry-After, and which?',
  },
  'OPEN-42': {
    area: 'RATE',
    section: LIMITS,
    source: ['row POST /orders (check) bucket (dtu + checkOnly=true)'],
    question:
      'Is the Retry-After of a spent check bucket always 60, or what is left of the window?',
  },
  'OPEN-43': {
    area: 'RATE',
    section: LIMITS,
    source: ['row Default', 'paragraph 1'],
    question: 'Does the default limit count by user or by account?',
  },
  'OPEN-44': {
    area: 'RATE',
    section: LIMITS,
    source: ['row POST /orders (check) bucket (dtu + checkOnly=true)', 'row Default'],
    question:
      'Does a check also count in the window of POST /orders itself, and a read of orders in a default window of its own?',
  },
  'OPEN-45': {
    area: 'UNHIDE',
    section: GET_ORDERS,
    source: ['row unhide'],
    question: 'What does unhide=true do without a filter, or with one that finds nothing?',
  },
  'OPEN-46': {
    area: 'UNHIDE',
    section: LIMITS,
    source: ['rule 5', 'rule 6 sentence 2'],
    question: 'Does a checkout of one order share the unhide counter of that order?',
  },
  'OPEN-47': {
    area: 'GET',
    section: GET_ORDERS,
    source: ['row unhide', 'Resources and their fields > PurchaseResponse: row pin'],
    question: 'Is the pin of a masked voucher replaced, null or left out?',
  },
  'OPEN-48': {
    area: 'ORD',
    section: ORDERS,
    source: ['paragraph 1 sentence 1', 'Endpoints > GET /api/v1/orders: row unhide'],
    question: 'Does the answer to a purchase have the codes in clear?',
  },
  'OPEN-49': {
    area: 'ESIM',
    section: 'Resources and their fields > PurchaseResponse',
    source: ['paragraph 3 sentence 2', 'row esim'],
    question: 'Is a raw eSIM payload found at result.esim or at result itself?',
  },
  'OPEN-50': {
    area: 'QTY',
    section: 'Resources and their fields > ProductItem',
    source: ['row stepQuantity'],
    question: 'Are steps counted from minQuantity or from zero?',
    answeredBy: 'nothing',
    unobserved:
      'Only the purchase of an amount on which the readings differ would tell, and it may be bought.',
  },
  'OPEN-51': {
    area: 'GIFT',
    section: ORDERS,
    source: ['row platform-gift'],
    question: 'Does a gift order need invite_url and profile_url, or one of them?',
    answeredBy: 'target',
  },
  'OPEN-52': {
    area: 'GIFT',
    section: ORDERS,
    source: ['rule 2 sentence 2'],
    question: 'Which fields make up the canonical payload of a gift order?',
    answeredBy: 'target or observed',
  },
  'OPEN-53': {
    area: 'CHECK',
    section: ORDERS,
    source: ['row dtu + checkOnly=true', 'rule 1'],
    question: 'What does checkOnly do on other kinds of orders?',
  },
  'OPEN-54': {
    area: 'CHECK',
    section: ORDERS,
    source: ['row dtu + checkOnly=true', 'rule 6'],
    question: 'Is a check refused when the cap of the key would not cover the purchase?',
  },
  'OPEN-55': {
    area: 'CAP',
    section: AUTH,
    source: ['rule 5 sentence 2'],
    question: 'How does a purchase in another currency than that of the cap count?',
    answeredBy: 'nothing',
    unobserved:
      'It takes a product in another currency than that of the cap, which no target file is asked for.',
  },
  'OPEN-56': {
    area: 'CAP',
    section: AUTH,
    source: ['rule 5 sentence 2', 'States and transitions: row IN_PROGRESS'],
    question:
      'Does an order that ends in CANCELLED or PARTIALLY_COMPLETED give its amount back to the cap?',
  },
  'OPEN-57': {
    area: 'CART',
    section: 'Endpoints > POST /carts',
    source: ['paragraph 1 sentence 1', 'Authentication: rule 5 sentence 2'],
    question: 'Is a checkout beyond the cap refused whole, or position by position?',
  },
  'OPEN-58': {
    area: 'ERR',
    section: 'Errors',
    source: ['row 403', 'paragraph 1'],
    question:
      'Which status and statusCode has the envelope of a 403, and of errors without a named code?',
    answeredBy: 'target or observed',
  },
  'OPEN-59': {
    area: 'CAT',
    section: 'Endpoints > GET /api/v1/services',
    source: ['row search'],
    question: 'Does search look at the name of the service or at that of the item?',
  },
  'OPEN-60': {
    area: 'SCOPE',
    section: ORDERS,
    source: ['paragraph 1 sentence 2'],
    question: 'Does creating an order need product:read besides orders:write?',
  },
  'OPEN-61': {
    area: 'RATE',
    section: LIMITS,
    source: ['paragraph 1'],
    question:
      'When do windows start: at multiples of the epoch, at the start of the server, or at the first request?',
  },
  'OPEN-62': {
    area: 'RATE',
    section: LIMITS,
    source: ['row Exceeding any window', 'row GET /orders (unhide admission)'],
    question: 'Which limit does the 429 speak for where several are spent?',
    answeredBy: 'nothing',
    unobserved:
      'A 429 need not name its limit, and its wait tells apart only limits whose windows end far from each other.',
  },
})
