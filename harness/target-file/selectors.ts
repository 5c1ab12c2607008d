/** The values that checks read out of responses, by operation: what each selector of a target file means. */
import { LIMIT_NAMES } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'

/** A voucher's code, as the interface calls it. */
const PIN = { isRare: true, named: '$..pin' } as const

export type SelectorFact = {
  readonly meaning: string
  /** Where the interface shows it. Undefined: not shown, so checks that need it are untested until the target file says where. */
  readonly byDefault?: string
  /** Shown in some answers only: that it is in none says nothing, unless the interface's own name for it is. */
  readonly isRare?: true
  /** The answer holds it only if the query names one of these. */
  readonly onlyWith?: readonly string[]
  /** What the interface calls it wherever it stands, as a JSONPath. */
  readonly named?: string
}

function bucketSelectors(): Record<string, SelectorFact> {
  return Object.fromEntries(
    LIMIT_NAMES.flatMap((bucket) => [
      [`${bucket}.count`, { meaning: `requests of one window of ${bucket}` }],
      [`${bucket}.windowSeconds`, { meaning: `seconds of one window of ${bucket}` }],
      [`${bucket}.source`, { meaning: `whether ${bucket} is configured: rule or default` }],
    ]),
  )
}

export const SELECTORS: Readonly<Record<OperationName, Readonly<Record<string, SelectorFact>>>> = {
  whoami: { address: { meaning: 'the address that the service takes for the caller’s' } },
  listServices: {
    items: { meaning: 'every ProductItem of the listing' },
    services: { meaning: 'every product that total counts' },
    names: { meaning: 'the name of every service, on which search works' },
    total: {
      meaning: 'how many products match the filters',
      // The field is named, its place is not: the shallowest one is taken.
      byDefault: '$..total',
      onlyWith: ['limit', 'offset'],
    },
  },
  lookupItems: { items: { meaning: 'every looked-up item', byDefault: '/data/items' } },
  getItem: { item: { meaning: 'the ProductItem', byDefault: '/data' } },
  createGiftQuote: {
    quoteToken: {
      meaning: 'the token that authorizes one gift order',
      byDefault: '/data/quoteToken',
    },
  },
  createOrder: {
    orderId: { meaning: 'identifier of the order', byDefault: '/data/orderId' },
    status: { meaning: 'status of the order', byDefault: '/data/status' },
    price: { meaning: 'price of the order', byDefault: '/data/price' },
    currency: { meaning: 'currency of the price', byDefault: '/data/currency' },
    codes: { meaning: 'every delivered code', byDefault: '$.data.result.vouchers[*].pin', ...PIN },
  },
  getOrders: {
    items: { meaning: 'the listed orders', byDefault: '/data/page/items' },
    statuses: { meaning: 'status of each listed order', byDefault: '$.data.page.items[*].status' },
    orderIds: { meaning: 'identifier of each listed order' },
    referenceIds: { meaning: 'reference of each listed order' },
    prices: { meaning: 'price of each listed order' },
    codes: { meaning: 'every code in the answer, masked or revealed', ...PIN },
  },
  createCart: {
    referenceId: { meaning: 'reference of the checkout', byDefault: '/data/referenceId' },
    status: { meaning: 'aggregate status', byDefault: '/data/status' },
    totalPrice: { meaning: 'sum of all order prices', byDefault: '/data/totalPrice' },
    orders: { meaning: 'the created orders', byDefault: '/data/orders' },
    orderIds: { meaning: 'their identifiers', byDefault: '$.data.orders[*].orderId' },
    codes: {
      meaning: 'every delivered code',
      byDefault: '$.data.orders[*].result.vouchers[*].pin',
      ...PIN,
    },
  },
  validateDtu: { valid: { meaning: 'whether the top-up can be made' } },
  rateLimits: bucketSelectors(),
  getBalance: { balance: { meaning: 'the balance' } },
  getLedger: { entries: { meaning: 'every entry of the ledger' } },
}
