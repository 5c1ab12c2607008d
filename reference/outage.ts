/** Operations that fail outright. Only faults do that. */
import type { OperationName } from '../contract/operations.ts'
import type { FaultName } from './faults/faults.ts'
import { type Answer, notFound, refusal } from './http/answer.ts'
import type { Call } from './model/call.ts'
import { CODES } from './http/status-codes.ts'

const OUTAGES: readonly (readonly [FaultName, (call: Call) => boolean])[] = [
  ['whoami-fails', ({ operation }) => operation === 'whoami'],
  [
    'services-whole-fails',
    ({ operation, query }) => operation === 'listServices' && query.size === 0,
  ],
  [
    'services-types-fail',
    ({ operation, query }) => operation === 'listServices' && query.has('type'),
  ],
  [
    'services-search-fails',
    ({ operation, query }) => operation === 'listServices' && query.has('search'),
  ],
  ['lookup-fails', ({ operation }) => operation === 'lookupItems'],
  ['single-item-fails', ({ operation }) => operation === 'getItem'],
  ['listing-fails', (call) => call.operation === 'getOrders' && !isFiltered(call)],
  [
    'unhide-fails',
    ({ operation, query }) => operation === 'getOrders' && query.get('unhide') === 'true',
  ],
  [
    'esim-fails',
    ({ operation, body }) => operation === 'createOrder' && body.json?.['ordersType'] === 'esim',
  ],
]

/** Throws where a fault has the operation fail. */
export function failOutright(call: Call): void {
  const { faults } = call.context
  if (faults.isEmpty) return
  const outage = OUTAGES.find(([name, affects]) => faults.has(name) && affects(call))
  if (!outage) return
  throw outage[0] === 'single-item-fails'
    ? notFound('No item has this id.', 'item_not_found')
    : refusal(500, CODES.internalError, 'The service failed.', { errorCode: 'internal' })
}

/** Lists whose envelope faults mark otherwise. */
const MARKED: readonly (readonly [FaultName, OperationName, Partial<Answer>])[] = [
  ['list-status-cancelled', 'getOrders', { status: 'CANCELLED' }],
  ['services-say-in-progress', 'listServices', { status: 'IN_PROGRESS' }],
  ['services-status-code-other', 'listServices', { statusCode: 11 }],
]

/** The answer, without its data where a fault loses it. */
export function withoutLostData({ context, operation }: Call, answer: Answer): Answer {
  if (context.faults.isEmpty) return answer
  const marked = MARKED.find(([name, at]) => at === operation && context.faults.has(name))
  if (marked !== undefined) return { ...answer, ...marked[2] }
  if (operation !== 'createCart' || !context.faults.has('checkout-answer-empty')) return answer
  const { data: _lost, ...rest } = answer
  return rest
}

function isFiltered({ query }: Call): boolean {
  return query.has('orderId') || query.has('referenceId')
}
