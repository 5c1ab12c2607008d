import type { OpenQuestion } from './types.ts'

const ORDERS = 'Endpoints > POST /api/v1/orders'
const GET_ORDERS = 'Endpoints > GET /api/v1/orders'
const AUTH = 'Authentication'

/** Silences of the interface found while it was catalogued. */
export const SILENCES = [
  {
    id: 'OPEN-63',
    area: 'SCOPE',
    section: AUTH,
    source: ['row product:read', 'rule 2.3'],
    question: 'Which scopes do /whoami, /rate-limits, gift quotes and top-up validation need?',
    answeredBy: 'target or observed',
    common: 'A key with all scopes of orders and products can call them.',
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
    common: 'No order was created; after a contention 429 it is free.',
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
    common: 'It finds no order; an order of another key looks like one that does not exist.',
  },
] as const satisfies readonly OpenQuestion[]
