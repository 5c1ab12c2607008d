import type { OperationName } from '../../../contract/operations.ts'
import type { PlannedCall } from '../../../load/protocol/bursts.ts'
import type { Target } from '../../target-file/target.ts'
import { renderTemplate, templateVariables, type Variables } from '../../target-file/template.ts'
import { operationUrl } from '../shared/operation-url.ts'
import { GIFT, quotesOf } from './gift-quotes.ts'

/** A request of an endpoint that buys nothing. */
export type EndpointCall = { readonly operation: OperationName; readonly call: PlannedCall }

/** Of a top-up that is only validated, where the product has no amount of its own. */
const AMOUNT = 1

/** Requests of the endpoints with a default window, as far as the target file tells how; none of them buys anything. */
export function endpointCalls(target: Target): EndpointCall[] {
  const { capabilities, products } = target
  const voucher = products.voucher?.variables ?? {}
  const dtu = {
    referenceId: 'harness-load',
    quantity: 1,
    amount: AMOUNT,
    ...products.dtu?.variables,
  }
  const hasFunds = capabilities.includes('funds')
  const { quotes } = capabilities.includes(GIFT) ? quotesOf(target) : {}
  return [
    ...callOf(target, 'listServices', voucher, { limit: '1' }),
    ...callOf(target, 'getItem', voucher),
    ...callOf(target, 'lookupItems', voucher),
    ...(products.dtu ? callOf(target, 'validateDtu', dtu) : []),
    ...(hasFunds ? callOf(target, 'getBalance', {}) : []),
    ...(hasFunds ? callOf(target, 'getLedger', {}) : []),
    ...(quotes
      ? [
          {
            operation: 'createGiftQuote',
            call: { method: 'POST', url: quotes.url, body: quotes.body },
          } as const,
        ]
      : []),
  ]
}

/** Its place among the calls of a plan. */
export const LISTING_CALL = 0

/** The unfiltered listing of orders. */
export function listingCall(target: Target): PlannedCall | undefined {
  return callOf(target, 'getOrders', {})[0]?.call
}

function callOf(
  target: Target,
  operation: OperationName,
  variables: Variables,
  query: Readonly<Record<string, string>> = {},
): EndpointCall[] {
  const { path, method, query: stated, ...rest } = target.operations[operation]
  const body = 'body' in rest ? rest.body : undefined
  if (path === undefined || (method === 'POST' && body === undefined)) return []
  const named = [...templateVariables([body, stated]), ...pathVariables(path)]
  if (!named.every((name) => Object.hasOwn(variables, name))) return []
  const url = operationUrl(target, operation, variables, query) ?? ''
  const text = body === undefined ? {} : { body: JSON.stringify(renderTemplate(body, variables)) }
  return [{ operation, call: { method, url, ...(method === 'POST' ? text : {}) } }]
}

function pathVariables(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
}
