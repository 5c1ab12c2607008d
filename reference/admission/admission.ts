/** Which bucket a request counts in (interface, Limits). */
import type { Context } from '../model/context.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { FaultName } from '../faults/faults.ts'
import type { VariantName } from '../base/variants.ts'
import { asksForCheck } from '../orders/create.ts'
import { type OrderFilter, isFiltered, readFilter, selectOrders } from '../orders/select.ts'
import type { GiveBack } from '../model/limiter.ts'
import { type Arrival, countedPer, take } from './take.ts'
import { spendUnhide, passBudget, admitUnhide } from './unhide.ts'

/** Counts the request where it belongs, or throws the 429 that refuses it. */
export function admit(arrival: Arrival): GiveBack {
  const { route, declaresJson, body, context } = arrival
  if (route.operation === 'getOrders') return admitRead(arrival)
  if (route.operation === 'createOrder') {
    const isCheck = declaresJson && asksForCheck(body)
    if (isCheck || context.faults.has('check-bucket-throttles-creation')) {
      const isMeant = body.json?.['referenceId'] === undefined
      if (isMeant && context.faults.has('checks-without-reference-uncounted'))
        return () => undefined
      if (countsTwice(context)) takeDefault(arrival)
      return take(arrival, 'orders.check', checkedPer(arrival))
    }
  }
  passOtherBuckets(arrival)
  if (route.operation === 'validateDtu' && context.faults.has('validations-counted-as-checks'))
    return take(arrival, 'orders.check', checkedPer(arrival))
  if (route.operation === 'createOrder' && isUncounted(arrival)) return () => undefined
  return takeDefault(arrival)
}

/** Faults that leave a kind of purchase out of the window of POST /orders. */
const UNCOUNTED: readonly (readonly [FaultName, string])[] = [
  ['top-ups-uncounted', 'dtu'],
  ['gift-orders-uncounted', 'platform-gift'],
]

function isUncounted({ context: { faults }, body }: Arrival): boolean {
  const kind = body.json?.['ordersType']
  return UNCOUNTED.some(([name, uncounted]) => kind === uncounted && faults.has(name))
}

const COUNTED_TWICE = [
  'checks-counted-twice',
  'checks-counted-twice-tighter',
  'checks-counted-twice-briefly',
] as const satisfies readonly VariantName[]

function countsTwice({ variants }: Context): boolean {
  return COUNTED_TWICE.some((name) => variants.has(name))
}

/** Only faults refuse purchases while another bucket is spent, though they do not count in it. */
function passOtherBuckets(arrival: Arrival): void {
  const { route, body, context } = arrival
  const { faults } = context
  if (faults.isEmpty) return
  const isOrder = route.operation === 'createOrder'
  const kind = isOrder ? body.json?.['ordersType'] : route.operation
  if (BLOCKED.some(([name, blocked]) => kind === blocked && faults.has(name)))
    take(arrival, 'orders.check', checkedPer(arrival))()
  if (isOrder && faults.has('listing-blocks-orders'))
    take(arrival, 'orders.list', countedPer(arrival))()
  const referenceId = body.json?.['referenceId']
  if (isOrder && typeof referenceId === 'string' && faults.has('replay-spends-unhide'))
    spendUnhide(arrival, readFilter(new URLSearchParams({ referenceId })))
}

/** Faults that hold a kind of purchase to the check bucket. */
const BLOCKED: readonly (readonly [FaultName, string])[] = [
  ['check-bucket-blocks-vouchers', 'shop'],
  ['check-bucket-blocks-esims', 'esim'],
  ['gift-blocked-while-checks-spent', 'platform-gift'],
  ['check-bucket-blocks-carts', 'createCart'],
]

/** Faults that count one endpoint in the window of another. */
const MERGED: readonly (readonly [FaultName, OperationName, OperationName])[] = [
  ['carts-counted-as-orders', 'createCart', 'createOrder'],
  ['gift-quotes-counted-as-orders', 'createGiftQuote', 'createOrder'],
  ['validations-counted-as-orders', 'validateDtu', 'createOrder'],
  ['lookups-counted-as-services', 'lookupItems', 'listServices'],
  ['items-counted-as-services', 'getItem', 'listServices'],
  ['ledger-counted-as-balance', 'getLedger', 'getBalance'],
  ['gift-quotes-counted-as-validations', 'createGiftQuote', 'validateDtu'],
]

function takeDefault(arrival: Arrival): GiveBack {
  return take(arrival, 'default', countedPerEndpoint(arrival), groupOf(arrival))
}

/** Only faults count one endpoint otherwise than per account. */
function countedPerEndpoint(arrival: Arrival): string {
  const { route, key, context } = arrival
  const { faults } = context
  if (route.operation === 'createCart' && faults.has('checkouts-counted-per-key')) return key.id
  if (route.operation === 'lookupItems' && faults.has('lookups-counted-for-everyone'))
    return 'everyone'
  if (route.operation === 'listServices' && faults.has('services-counted-per-query'))
    return `${key.account.id}|${arrival.query.toString()}`
  return countedPer(arrival)
}

/** Each endpoint has a window of its own, but for faults. */
function groupOf({ route: { operation }, context: { faults } }: Arrival): string {
  if (faults.isEmpty) return operation
  const merged = MERGED.find(([name, counted]) => counted === operation && faults.has(name))
  return merged?.[2] ?? operation
}

/** Faults that count checks of one account apart. */
const CHECKED_PER = [
  ['check-bucket-per-product', 'itemId'],
  ['check-bucket-per-amount', 'amount'],
] as const

function checkedPer(arrival: Arrival): string {
  const { faults } = arrival.context
  if (faults.has('check-bucket-per-key')) return arrival.key.id
  if (faults.has('check-bucket-per-address'))
    return `${countedPer(arrival)}|${arrival.callerAddress}`
  if (faults.has('check-bucket-per-client')) return `${countedPer(arrival)}|${arrival.userAgent}`
  const per = CHECKED_PER.find(([name]) => faults.has(name))
  if (per) return `${countedPer(arrival)}|${String(arrival.body.json?.[per[1]])}`
  return faults.has('check-bucket-global') ? 'everyone' : countedPer(arrival)
}

/** Faults that count reads of orders in the window of POST /orders too. */
const READS_AS_ORDERS: readonly (readonly [FaultName, 'listing' | 'masked'])[] = [
  ['listing-counted-as-orders', 'listing'],
  ['masked-reads-counted-as-orders', 'masked'],
]

function countAsOrders(arrival: Arrival, read: 'listing' | 'masked'): void {
  const { faults } = arrival.context
  if (READS_AS_ORDERS.some(([name, counted]) => counted === read && faults.has(name)))
    take(arrival, 'default', countedPer(arrival), 'createOrder')
}

function admitRead(arrival: Arrival): GiveBack {
  const { context, query, nowMs } = arrival
  if (context.variants.has('reads-counted-in-default')) takeDefault(arrival)
  const filter = readFilterLeniently(query)
  if (!isFiltered(filter)) {
    if (context.faults.has('listing-counted-as-filtered'))
      take(arrival, 'orders.filtered', countedPer(arrival))
    countAsOrders(arrival, 'listing')
    const giveBack = take(arrival, 'orders.list', listedPer(arrival))
    if (!context.faults.isEmpty) noteListed(arrival, filter)
    return giveBack
  }
  const selected = filter.unhide ? selectOrders(arrival, filter) : []
  if (selected.length > 0) return admitUnhide(arrival, filter, selected)
  countAsOrders(arrival, 'masked')
  context.faults.noteMoment('unhide-budget-anew-by-masked-read', filter.orderId ?? '', nowMs)
  const bucket = context.faults.has('filtered-counted-as-listing')
    ? 'orders.list'
    : 'orders.filtered'
  const giveBack = take(arrival, bucket, maskedPartition(arrival, filter))
  if (context.faults.has('codes-spent-block-masked')) passBudget(arrival, filter)
  if (context.faults.has('masked-read-spends-unhide')) spendUnhide(arrival, filter)
  return giveBack
}

/** Only faults let a listing do something to the budgets of its orders. */
function noteListed(arrival: Arrival, filter: OrderFilter): void {
  const { faults, orders } = arrival.context
  for (const { id: orderId } of orders.newest(arrival.key, { limit: 50, offset: 0 })) {
    faults.noteMoment('unhide-budget-anew-by-listing', orderId, arrival.nowMs)
    if (faults.has('listing-spends-unhide')) spendUnhide(arrival, { ...filter, orderId })
  }
}

/** Only a fault tells listings apart. */
function listedPer(arrival: Arrival): string {
  const { context, query } = arrival
  const isApart = query.has('unhide') && context.faults.has('listing-unhide-false-counted-apart')
  return isApart ? `${countedPer(arrival)}|unhide` : countedPer(arrival)
}

function maskedPartition(arrival: Arrival, { orderId, referenceId }: OrderFilter): string {
  const { context, query } = arrival
  const isBoth = orderId !== undefined && referenceId !== undefined
  if (isBoth && context.faults.has('filtered-both-counted-apart'))
    return `${countedPer(arrival)}|both`
  if (context.faults.has('filtered-counted-per-order'))
    return `${orderId ?? ''}|${referenceId ?? ''}`
  const isApart = query.has('unhide') && context.faults.has('unhide-false-counted-apart')
  return isApart ? `${countedPer(arrival)}|unhide` : countedPer(arrival)
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
