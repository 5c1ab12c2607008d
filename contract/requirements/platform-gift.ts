import { entries } from './entries.ts'

const ORDERS = 'Endpoints > POST /api/v1/orders'

/** Quotes for gifts and gift orders. */
export const PLATFORM_GIFT = entries(
  'Endpoints > POST /api/v1/platform-gifts/quotes',
  'platform-gift',
  {
    'GIFT-01': {
      source: ['paragraph 1 sentence 1', 'row Response (200)'],
      text: 'A quote for a known edition and region is answered by HTTP 200 with a quoteToken.',
    },
    'GIFT-02': {
      source: ['row Request body'],
      text: 'editionId and recipientRegion are all that a quote asks for; the sender region is not for the client to give.',
    },
    'GIFT-03': {
      source: ['row Response (200)'],
      level: 'may',
      text: 'A quote may have a productId besides the token.',
    },
    'GIFT-04': {
      source: ['row Response (200)'],
      text: 'The quoteToken is what permits the order: a gift order without a productId is accepted.',
    },
    'GIFT-05': {
      source: ['paragraph 1 sentence 1'],
      text: 'A quoteToken is signed: a gift order with an altered token is refused and creates no order.',
    },
    'GIFT-06': {
      source: ['paragraph 1 sentence 1'],
      text: 'A quoteToken holds for its recipient region: a gift order for another region is refused and creates no order.',
    },
    'GIFT-07': {
      source: ['paragraph 1 sentence 1'],
      text: 'A quoteToken holds for its edition: it buys no other.',
    },
    'GIFT-08': {
      source: ['paragraph 1 sentence 1'],
      text: 'A quoteToken also caps cost and charge.',
      excluded: 'A client cannot move the cost of a gift between the quote and the order.',
    },
    'GIFT-09': {
      source: ['paragraph 1 sentence 1'],
      text: 'A quoteToken lives for a short time only: a gift order with one that is older than the target file says is refused and creates no order.',
    },
    'GIFT-10': {
      source: [
        'paragraph 1 sentence 3',
        'Endpoints > POST /api/v1/orders: row platform-gift',
        'What the service does: bullet 2',
      ],
      text: 'Platform gifts are switched off unless a feature gate opens them: while it is shut, as the target file may say, no quote is given.',
      capability: 'base',
    },
    'GIFT-11': {
      source: ['paragraph 2 sentence 1', 'Errors: bullet 3'],
      text: 'While the upstream gift service has no quote route, the quote operation fails with a normalized upstream error and invents no productId.',
    },
    'GIFT-12': {
      section: ORDERS,
      source: [
        'row platform-gift',
        'Endpoints > POST /api/v1/platform-gifts/quotes: paragraph 1 sentence 2',
      ],
      text: 'A gift order without a quoteToken is refused and creates no order.',
    },
    'GIFT-13': {
      section: ORDERS,
      source: ['row platform-gift'],
      text: 'A gift order without a referenceId is refused.',
    },
    'GIFT-14': {
      section: ORDERS,
      source: ['row platform-gift'],
      text: 'A gift order without recipient_region is refused and creates no order.',
    },
    'GIFT-15': {
      section: ORDERS,
      source: ['row platform-gift'],
      text: 'A gift order with neither invite_url nor profile_url is refused and creates no order.',
    },
    'GIFT-16': {
      section: ORDERS,
      source: ['row platform-gift'],
      text: 'A gift order holds exactly one gift: an order with two is refused and creates no order.',
    },
    'GIFT-17': {
      section: ORDERS,
      source: ['row platform-gift', 'What the service does: bullet 2'],
      text: 'ordersType platform-gift with a valid token and all that it asks for creates an order.',
    },
    'GIFT-18': {
      section: ORDERS,
      source: ['rule 2 sentence 2', 'rule 2 sentence 1'],
      text: 'Replaying a gift order with the same canonical payload gives the original order, marked by statusCode IDEMPOTENCY_REPLAY.',
    },
    'GIFT-19': {
      section: ORDERS,
      source: ['rule 2 sentence 2', 'Errors: row 409 #2'],
      text: 'Replaying a gift order with another canonical payload is answered by HTTP 409.',
    },
    'GIFT-20': {
      section: ORDERS,
      source: ['rule 2 sentence 2', 'Errors: row 409 #2'],
      text: 'A gift order that was refused as a conflicting replay creates no order and leaves the first one as it was.',
    },
    'GIFT-21': {
      section: ORDERS,
      source: ['Errors: row 409 #2'],
      text: 'The conflict of a gift replay does not pass: repeated, it is refused with 409 again.',
    },
  },
)
