import { questions } from './entries.ts'

const ORDERS = 'Endpoints > POST /api/v1/orders'
const GET_ORDERS = 'Endpoints > GET /api/v1/orders'
const AUTH = 'Authentication'
const LIMITS = 'Limits'

/** Silences of the interface found while it was catalogued. */
export const SILENCES = questions({
  'OPEN-63': {
    area: 'SCOPE',
    section: AUTH,
    source: ['row product:read', 'rule 2.3'],
    question: 'Which scopes do /whoami, /rate-limits, gift quotes and top-up validation need?',
    answeredBy: 'target or observed',
  },
  'OPEN-64': {
    area: 'ALLOW',
    section: AUTH,
    source: ['rule 2.4'],
    question:
      'Whose address counts behind a proxy, and does a forwarding header of a stranger change it?',
  },
  'OPEN-65': {
    area: 'IDEM',
    section: ORDERS,
    source: ['rule 2 sentence 1', 'paragraph 1 sentence 3'],
    question: 'Is a referenceId free again after its purchase was refused by 422 or by the cap?',
  },
  'OPEN-66': {
    area: 'ESIM',
    section: ORDERS,
    source: ['row esim'],
    question: 'Is an eSIM order with a quantity above 1, or with none, refused or taken for one?',
  },
  'OPEN-67': {
    area: 'LONG',
    section: 'Resources and their fields > ProductItem',
    source: ['row isLongOrder', 'row minQtyToLongOrder'],
    question:
      'What answers isLongOrder on other kinds of orders, on products without it, or below the smallest quantity?',
  },
  'OPEN-68': {
    area: 'QTY',
    section: 'Resources and their fields > ProductItem',
    source: ['row unitPrice'],
    question: 'How large is the tariff markup of a quantity-mode item, and how is it rounded?',
  },
  'OPEN-69': {
    area: 'CTYPE',
    section: 'Endpoints',
    source: ['bullet 2'],
    question: 'Is a Content-Type with parameters, such as a charset, or in another case accepted?',
  },
  'OPEN-70': {
    area: 'CAT',
    section: 'Endpoints > GET /api/v1/services',
    source: ['row type', 'row limit', 'row offset'],
    question:
      'What answers a type that does not exist, or a negative or oversized limit or offset?',
  },
  'OPEN-71': {
    area: 'GIFT',
    section: 'Endpoints > POST /api/v1/platform-gifts/quotes',
    source: ['paragraph 1 sentence 1', 'paragraph 1 sentence 3'],
    question: 'How long does a quoteToken live, and what answers while gifts are switched off?',
    answeredBy: 'target or observed',
  },
  'OPEN-72': {
    area: 'GET',
    section: GET_ORDERS,
    source: ['row orderId', 'row referenceId'],
    question: 'Is a filter that finds nothing answered by an empty list or by an error?',
  },
  'OPEN-73': {
    area: 'LIMIT',
    section: LIMITS,
    source: ['rule 2 sentence 3'],
    question:
      'Which words does the report of limits have for the sources of pending and completed?',
  },
  'OPEN-74': {
    area: 'UNHIDE',
    section: LIMITS,
    source: ['rule 6 sentence 2', 'rule 5'],
    question: 'Does an unhide read of a checkout count for each of its orders too?',
  },
  'OPEN-75': {
    area: 'ORD',
    section: 'Resources and their fields > PurchaseResponse',
    source: ['row result'],
    question: 'Do answers to POST show result at all, a replay among them?',
  },
  'OPEN-76': {
    area: 'RATE',
    section: LIMITS,
    source: ['row Default'],
    question: 'Which endpoints have a window of their own, tighter or looser than the default?',
    answeredBy: 'target',
  },
  'OPEN-77': {
    area: 'STATE',
    section: 'Resources and their fields > PurchaseResponse',
    source: ['row createdAt', 'States and transitions: row (no order)'],
    question: 'Do orders ever have createdAt, and are eSIMs ever pending?',
  },
  'OPEN-78': {
    area: 'ENV',
    section: 'Resources and their fields > Envelope',
    source: ['paragraph 1'],
    question: 'Is the envelope status of a list always SUCCESS, or may it be that of its orders?',
  },
  'OPEN-79': {
    area: 'BUSY',
    section: 'Errors',
    source: ['row 429 #2'],
    question: 'May orders that meet on one key all refuse each other?',
  },
  'OPEN-80': {
    area: 'RATE',
    section: 'Limits',
    source: ['row Default', 'paragraph 2'],
    question:
      'How large is a window whose size is neither read from GET /rate-limits nor stated in the target file?',
    answeredBy: 'target or observed',
  },
  'OPEN-81': {
    area: 'ORD',
    section: 'Resources and their fields > PurchaseResponse',
    source: ['row vouchers'],
    question: 'May vouchers of one order have the same code?',
  },
  'OPEN-82': {
    area: 'STATE',
    section: 'States and transitions',
    source: ['row IN_PROGRESS'],
    question: 'Are vouchers shown of an order that is IN_PROGRESS?',
  },
  'OPEN-83': {
    area: 'GET',
    section: 'Resources and their fields > Order list item',
    source: ['paragraph 1 sentence 2'],
    question: 'Are price and currency of a listed order those that its purchase was answered with?',
  },
  'OPEN-84': {
    area: 'GIFT',
    section: 'Endpoints > POST /api/v1/platform-gifts/quotes',
    source: ['paragraph 1 sentence 1'],
    question: 'Does a quoteToken that was issued to another account buy a gift?',
  },
  'OPEN-85': {
    area: 'SEQ',
    section: 'Authentication',
    source: ['rule 2'],
    question:
      'Does a call that is refused for its key, scope or address count in the window of its account?',
  },
  'OPEN-86': {
    area: 'ERR',
    section: 'Errors',
    source: ['paragraph 1'],
    question: 'Is a path or a method that no operation has answered in the envelope?',
  },
  'OPEN-87': {
    area: 'PROD',
    section: 'Resources and their fields > ProductItem',
    source: ['row price'],
    question: 'Is the price of an item in the catalog the one that the lookups of that item give?',
  },
  'OPEN-88': {
    area: 'CHECK',
    section: ORDERS,
    source: ['rule 2 sentence 1', 'row dtu + checkOnly=true'],
    question:
      'Does a purchase under the referenceId of a successful check buy, or get the outcome of the check again?',
  },
  'OPEN-89': {
    area: 'ASYNC',
    section: ORDERS,
    source: ['rule 3', 'Resources and their fields > Envelope: paragraph 1'],
    question: 'Does the envelope of a 202 say IN_PROGRESS too, or SUCCESS of the request?',
  },
  'OPEN-90': {
    area: 'AUTH',
    section: 'Authentication',
    source: ['rule 1 sentence 2', 'rule 1 sentence 3'],
    question: 'Is a call that carries an Origin header refused, because a browser sends it?',
  },
})
