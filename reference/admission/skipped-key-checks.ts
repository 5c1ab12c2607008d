/** Steps of a key's checks that faults forget for one form of a request. */
import type { OperationName } from '../../contract/operations.ts'
import type { Scope } from '../../contract/wire.ts'
import type { FaultName } from '../faults/faults.ts'
import type { Arrival } from './take.ts'
import { asksForCheck } from '../orders/create.ts'

export type Step = 'key' | 'status' | 'scope' | 'allowlist'

/** What a request asks for, whoever sends it. */
export type Asked = Pick<Arrival, 'route' | 'query' | 'body'> & Partial<Pick<Arrival, 'key'>>

type Form = (asked: Asked, context: Arrival['context']) => boolean

const is =
  (...operations: readonly OperationName[]): Form =>
  ({ route }) =>
    operations.includes(route.operation)

const wholeCatalog: Form = ({ route, query }) =>
  route.operation === 'listServices' && query.size === 0

const search: Form = ({ route, query }) => route.operation === 'listServices' && query.has('search')

const listing: Form = ({ route, query }) =>
  route.operation === 'getOrders' && !query.has('orderId') && !query.has('referenceId')

const unhide: Form = ({ route, query }) =>
  route.operation === 'getOrders' && query.get('unhide') === 'true'

const check: Form = ({ route, body }) => route.operation === 'createOrder' && asksForCheck(body)

const topUp: Form = ({ route, body }) => isOrderOf('dtu', route, body) && !asksForCheck(body)

const gift: Form = ({ route, body }) => isOrderOf('platform-gift', route, body)

const esim: Form = ({ route, body }) => isOrderOf('esim', route, body)

function isOrderOf(type: string, { operation }: Asked['route'], body: Asked['body']): boolean {
  return operation === 'createOrder' && body.json?.['ordersType'] === type
}

const replayOf =
  (operation: OperationName, kind: 'order' | 'checkout'): Form =>
  ({ route, key, body }, { orders }) => {
    const referenceId = body.json?.['referenceId']
    if (route.operation !== operation || key === undefined) return false
    return typeof referenceId === 'string' && orders.purchase(key, referenceId, kind) !== undefined
  }

const replay = replayOf('createOrder', 'order')
const checkoutReplay = replayOf('createCart', 'checkout')

const both =
  (one: Form, other: Form): Form =>
  (asked, context) =>
    one(asked, context) && other(asked, context)

/** For keys that have that scope. */
const having =
  (scope: Scope, form: Form): Form =>
  (asked, context) =>
    asked.key?.scopes.has(scope) === true && form(asked, context)

const FORGOTTEN: readonly (readonly [FaultName, Step, Form])[] = [
  ['missing-key-accepted-on-listing', 'key', listing],
  ['missing-key-accepted-on-item', 'key', is('getItem')],
  ['missing-key-accepted-on-validation', 'key', is('validateDtu')],
  ['missing-key-accepted-on-funds', 'key', is('getBalance', 'getLedger')],
  ['missing-key-accepted-on-top-ups', 'key', topUp],
  ['dead-keys-check-out', 'status', is('createCart')],
  ['dead-keys-look-up', 'status', is('lookupItems', 'getItem')],
  ['dead-keys-list', 'status', listing],
  ['dead-keys-reveal', 'status', unhide],
  ['dead-keys-validate', 'status', is('validateDtu')],
  ['dead-keys-replay', 'status', replay],
  ['dead-keys-read-funds', 'status', is('getBalance', 'getLedger')],
  ['allowlist-forgotten-on-funds', 'allowlist', is('getBalance', 'getLedger')],
  ['scope-forgotten-on-listing', 'scope', listing],
  ['scope-forgotten-on-listing-unhide', 'scope', both(listing, unhide)],
  ['scope-forgotten-on-whole-catalog', 'scope', wholeCatalog],
  ['scope-forgotten-on-searches', 'scope', search],
  ['gift-scope-forgotten', 'scope', gift],
  ['scope-forgotten-on-top-up-replays', 'scope', both(topUp, replay)],
  ['scope-forgotten-on-esim-replays', 'scope', both(esim, replay)],
  ['scope-forgotten-on-checkout-replays', 'scope', checkoutReplay],
  ['scope-product-buys-esims', 'scope', having('product:read', esim)],
  ['scope-read-tops-up', 'scope', having('orders:read', topUp)],
  ['scope-write-reveals', 'scope', having('orders:write', unhide)],
  ['allowlist-forgotten-on-listing', 'allowlist', listing],
  ['allowlist-forgotten-on-whole-catalog', 'allowlist', wholeCatalog],
  ['allowlist-forgotten-on-item', 'allowlist', is('getItem')],
  ['allowlist-forgotten-on-unhide', 'allowlist', unhide],
  ['allowlist-forgotten-on-checks', 'allowlist', check],
  ['allowlist-forgotten-on-esims', 'allowlist', esim],
  ['allowlist-forgotten-on-replays', 'allowlist', replay],
]

/** Whether a fault forgets this step for what is asked. */
export function forgets(context: Arrival['context'], step: Step, asked: Asked): boolean {
  const { faults } = context
  if (faults.isEmpty) return false
  return FORGOTTEN.some(
    ([name, forgotten, form]) => forgotten === step && faults.has(name) && form(asked, context),
  )
}
