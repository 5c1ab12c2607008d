/** Which bucket a request counts in, and per whom (interface, Limits). */
import type { Bucket } from '../../contract/limits.ts'
import type { ApiKey } from '../auth/accounts.ts'
import type { Context } from '../context.ts'
import type { Route } from '../http/routes.ts'
import { asksForCheck } from '../orders/create.ts'
import { statusOf } from '../orders/order.ts'
import type { Order } from '../orders/order.ts'
import { isFiltered, readFilter, selectOrders } from '../orders/select.ts'
import type { OrderFilter } from '../orders/select.ts'
import type { GiveBack } from './limiter.ts'

/** One request that asks to be admitted. */
export type Arrival = {
  readonly context: Context
  readonly route: Route
  readonly key: ApiKey
  readonly query: URLSearchParams
  readonly body: string | Uint8Array
  readonly declaresJson: boolean
  readonly nowMs: number
}

/** Counts the request where it belongs, or throws the 429 that refuses it. */
export function admit(arrival: Arrival): GiveBack {
  const { route, declaresJson, body, context } = arrival
  if (route.operation === 'getOrders') return admitRead(arrival)
  if (route.operation === 'createOrder') {
    const isCheck = declaresJson && asksForCheck(body)
    if (isCheck || context.faults.has('check-bucket-throttles-creation'))
      return take(arrival, 'orders.check', countedPer(arrival))
  }
  const account = countedPer(arrival)
  const isShared = context.faults.has('window-shared-by-endpoints')
  return take(arrival, 'default', isShared ? account : `${account}|${route.operation}`)
}

/** Windows count per account: every key of it shares them. */
function countedPer({ context: { faults }, key }: Arrival): string {
  if (faults.has('window-counter-global')) return 'everyone'
  return faults.has('window-counter-per-key') ? key.id : key.account.id
}

function take({ context, key }: Arrival, bucket: Bucket, partition: string): GiveBack {
  return context.limiter.admit(key.account.limits, bucket, partition)
}

function admitRead(arrival: Arrival): GiveBack {
  const { context, key, query } = arrival
  const filter = readFilterLeniently(query)
  if (!isFiltered(filter)) return take(arrival, 'orders.list', countedPer(arrival))
  const selected = filter.unhide ? selectOrders(context, key, filter) : []
  if (selected.length > 0) return admitUnhide(arrival, filter, selected)
  const bucket = context.faults.has('filtered-counted-as-listing')
    ? 'orders.list'
    : 'orders.filtered'
  const name = `${filter.orderId ?? ''}|${filter.referenceId ?? ''}`
  const isPerOrder = context.faults.has('filtered-counted-per-order')
  return take(arrival, bucket, isPerOrder ? name : countedPer(arrival))
}

/** A filter that is not valid is refused after admission; until then it counts as what it names. */
function readFilterLeniently(query: URLSearchParams): OrderFilter {
  const unhide = query.get('unhide') === 'true' ? 'true' : 'false'
  return readFilter(
    new URLSearchParams([
      ...[...query].filter(([name]) => name === 'orderId' || name === 'referenceId'),
      ['unhide', unhide],
    ]),
  )
}

/** Admission first, which bounds the reads behind it; then the budget of the state that was read. */
function admitUnhide(arrival: Arrival, filter: OrderFilter, selected: readonly Order[]): GiveBack {
  const { faults } = arrival.context
  const partition = unhidePartition(arrival, filter, selected)
  const bucket = stateBucket(arrival, selected)
  if (faults.has('unhide-counts-as-filtered')) take(arrival, 'orders.filtered', countedPer(arrival))
  if (faults.has('admission-after-state-limit')) {
    take(arrival, bucket, partition)
    return take(arrival, 'orders.unhide.admission', partition)
  }
  if (!faults.has('admission-missing')) take(arrival, 'orders.unhide.admission', partition)
  if (bucket === 'orders.unhide.completed' && faults.has('unhide-completed-unlimited'))
    return () => undefined
  return take(arrival, bucket, partition)
}

/** An order has one counter, however it is named; a reference that selects several children has one of its own. */
function unhidePartition(
  { context: { faults }, key }: Arrival,
  filter: OrderFilter,
  selected: readonly Order[],
): string {
  const [first] = selected
  if (faults.has('unhide-counter-per-account')) return key.account.id
  if (first === undefined || selected.length > 1)
    return `${key.account.id}|${filter.referenceId ?? ''}`
  const isAlias = faults.has('unhide-alias-counted-apart') && filter.orderId === undefined
  return isAlias ? `${first.id}|alias` : first.id
}

function stateBucket(
  { context: { faults }, nowMs }: Arrival,
  selected: readonly Order[],
): 'orders.unhide.pending' | 'orders.unhide.completed' {
  const deciding = faults.has('unhide-first-child-decides') ? selected.slice(0, 1) : selected
  const isCompleted = deciding.some((order) => {
    const status = statusOf(order, nowMs, faults)
    if (status === 'PARTIALLY_COMPLETED') return faults.has('unhide-partial-is-completed')
    return status === 'SUCCESS' || status === 'CANCELLED'
  })
  return isCompleted ? 'orders.unhide.completed' : 'orders.unhide.pending'
}
