import { entries } from './entries.ts'

const OPERATION = 'Endpoints > POST /api/v1/orders'

/** Creating an order, and the fields of the answer. */
export const ORDERS = entries('Resources and their fields > PurchaseResponse', 'base', {
  'ORD-01': {
    section: OPERATION,
    source: [
      'paragraph 1 sentence 1',
      'paragraph 1 sentence 3',
      'What the service does: paragraph 1 sentence 2',
      'What the service does: bullet 2',
    ],
    text: 'A valid purchase creates an order, which the creating key can read afterwards.',
  },
  'ORD-02': {
    section: OPERATION,
    source: ['paragraph 1 sentence 3'],
    text: 'An accepted purchase is answered by HTTP 200, or by 202 if it goes on asynchronously.',
  },
  'ORD-03': {
    section: OPERATION,
    source: ['paragraph 2', 'row shop', 'What the service does: bullet 2'],
    text: 'ordersType shop buys vouchers or codes.',
    capability: 'shop',
  },
  'ORD-04': {
    section: OPERATION,
    source: ['paragraph 2', 'What the service does: bullet 2'],
    text: 'ordersType chooses among shop, dtu, esim and platform-gift; any other value is refused and creates no order.',
  },
  'ORD-05': {
    source: ['row orderId'],
    text: 'The answer to a purchase has an orderId, a string.',
  },
  'ORD-06': {
    source: ['row currency'],
    text: 'The answer to a purchase has a currency, a string.',
  },
  'ORD-07': {
    source: ['row price'],
    text: 'The answer to a purchase has a price, a number.',
  },
  'ORD-08': {
    source: ['row status', 'States and transitions: paragraph 1'],
    text: 'The answer to a purchase has a status of the order, one of SUCCESS, IN_PROGRESS, PARTIALLY_COMPLETED, CANCELLED.',
  },
  'ORD-09': {
    source: ['row createdAt'],
    text: 'createdAt, where the answer to a purchase has it, is an ISO 8601 date and time in UTC.',
  },
  'ORD-10': {
    source: ['row createdAt'],
    level: 'typical',
    text: 'createdAt is missing only before the order exists and on orders older than the field: a fresh order that was answered with 200 has it.',
  },
  'ORD-11': {
    source: ['row result', 'paragraph 1'],
    text: 'result, where the answer to a purchase has one, is an object; null stands only where nothing was delivered, as for an eSIM still pending.',
  },
  'ORD-12': {
    source: ['row vouchers'],
    text: 'vouchers, where the result of a voucher order has it, is an array.',
    capability: 'shop',
  },
  'ORD-13': {
    source: ['row vouchers', 'What the service does: bullet 5'],
    text: 'A voucher order that ended in SUCCESS has at least one voucher in its result when it is read in clear.',
    capability: 'unhide',
  },
  'ORD-14': {
    source: ['row pin', 'paragraph 4'],
    text: 'Each delivered voucher, read in clear, has a pin, a string.',
    capability: 'shop',
  },
  'ORD-15': {
    source: ['row serialNumber', 'paragraph 4'],
    text: 'serialNumber, where a voucher has it, is a string.',
    capability: 'shop',
  },
  'ORD-16': {
    source: ['row expiration', 'paragraph 4'],
    text: 'expiration, where a voucher has it, is an ISO 8601 date and time.',
    capability: 'shop',
  },
  'ORD-17': {
    source: ['row esim'],
    text: 'Only the result of an esim order has esim.',
  },
  'ORD-18': {
    source: ['row platformGift'],
    text: 'Only the result of a platform-gift order has platformGift.',
  },
  'ORD-19': {
    source: ['row price', 'What the service does: paragraph 3 sentence 1'],
    text: 'A purchase of zero or fewer pieces is refused, or costs what it delivers. Its price is never negative, and is zero only if nothing is delivered.',
  },
})
