import type { Scope } from '../../../contract/wire.ts'
import type { Api } from '../../../harness/client/api.ts'
import { EVERY_SCOPE } from '../allowlist-callers.ts'
import { CHECKS_OUT, LINES } from '../cart.ts'
import type { CheckContext, Needs } from '../../engine/check.ts'
import { amountOf } from '../dtu-check.ts'
import { validate, VALIDATES_TOP_UPS } from '../dtu-validate.ts'
import { LOOKS_UP, pairOf, soldPairs, type Lookup } from '../lookup.ts'
import { BUYS_VOUCHERS } from '../orders.ts'
import { QUOTES_GIFTS, requestQuote } from '../platform-gift.ts'
import { UNASKED, type Send } from '../rate-limits/between-refusals.ts'

/** So few that every endpoint can be spent; what is sent stays the same, so that nothing is bought twice. */
export const COUNT = 4

/** Of a key that every endpoint is open to. */
export const SCOPES: readonly Scope[] = [...EVERY_SCOPE, 'funds:read']

export type Endpoint = {
  readonly name: string
  readonly needs: Needs
  /** Sends the same request each time, as the key of the given caller. Undefined where the target file does not describe it. */
  readonly sendAs: (context: CheckContext, api: Api) => Send | undefined
  /** Asks the same endpoint for something else. */
  readonly otherwise?: (context: CheckContext, api: Api) => Send | undefined
}

/** Every endpoint that has a default window of its own. */
export const ENDPOINTS: readonly Endpoint[] = [
  { name: 'GET /whoami', needs: {}, sendAs: (_, api) => () => api.whoami(UNASKED) },
  {
    name: 'GET /api/v1/services',
    needs: { capabilities: ['catalog'] },
    sendAs: (_, api) => () => api.listServices({ limit: 1 }, UNASKED),
    otherwise: (_, api) => () => api.listServices({ limit: 2, offset: 1 }, UNASKED),
  },
  about('the item lookup', 'lookupItems'),
  about('the single item', 'getItem'),
  {
    name: 'POST /api/v1/platform-gifts/quotes',
    needs: QUOTES_GIFTS,
    sendAs: (context, api) => () => requestQuote({ ...context, api }, {}, 'full', UNASKED),
  },
  {
    name: 'POST /api/v1/orders',
    needs: BUYS_VOUCHERS,
    sendAs: ({ reference }, api) => {
      const referenceId = reference()
      return () => api.createOrder({ product: 'voucher', referenceId }, UNASKED)
    },
    otherwise: ({ reference }, api) => {
      const referenceId = reference()
      return () => api.createOrder({ product: 'voucher', referenceId, quantity: 2 }, UNASKED)
    },
  },
  {
    name: 'POST /carts',
    needs: CHECKS_OUT,
    sendAs: ({ reference }, api) => {
      const referenceId = reference()
      return () => api.createCart({ referenceId, lines: LINES }, UNASKED)
    },
  },
  {
    name: 'POST /dtu/validation',
    needs: VALIDATES_TOP_UPS,
    sendAs: (context, api) => () =>
      validate({ ...context, api }, 'dtu', amountOf(context, 'dtu'), UNASKED),
  },
  {
    name: 'GET /rate-limits',
    needs: { capabilities: ['rate-limits'] },
    sendAs: (_, api) => () => api.rateLimits(UNASKED),
  },
  ...(['getBalance', 'getLedger'] as const).map((operation) => ({
    name: operation === 'getBalance' ? 'the balance' : 'the ledger',
    needs: { capabilities: ['funds'], operations: [operation] } as const,
    sendAs: (_: CheckContext, api: Api) => () => api.send(operation, {}, UNASKED),
  })),
]

function about(name: string, operation: Lookup): Endpoint {
  return {
    name,
    needs: { ...LOOKS_UP, operations: [operation] },
    sendAs: (context, api) =>
      pairOf(context, 'voucher', operation) &&
      (() => api.aboutProduct(operation, 'voucher', {}, UNASKED)),
    otherwise: (context, api) => {
      const [, other] = soldPairs(context, operation)
      return other && (() => api.aboutProduct(operation, 'voucher', other, UNASKED))
    },
  }
}
