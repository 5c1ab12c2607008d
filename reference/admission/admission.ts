/** Which bucket a request counts in, and per whom (interface, Limits). */
import { type Bucket, DEFAULT_LIMITS, type WindowLimit } from '../../contract/limits.ts'
import type { ApiKey } from '../model/accounts.ts'
import type { Context } from '../model/context.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
import { CROWDED } from '../faults/under-load.ts'
import { Refusal } from '../http/answer.ts'
import { peekJson } from '../http/body.ts'
import type { Route } from '../model/call.ts'
import { asksForCheck } from '../orders/create.ts'
import { type Order, statusOf } from '../model/order.ts'
import { type OrderFilter, isFiltered, readFilter, selectOrders } from '../orders/select.ts'
import type { EffectiveLimits } from '../model/effective-limits.ts'
import { type GiveBack, limitReached } from '../model/limiter.ts'

/** One request that asks to be admitted. */
export type Arrival = {
  readonly context: Context
  readonly route: Route
  readonly key: ApiKey
  readonly query: URLSearchParams
  readonly body: string | Uint8Array
  readonly declaresJson: boolean
  readonly callerAddress: string
  readonly userAgent: string
  readonly nowMs: number
}

/** Counts the request where it belongs, or throws the 429 that refuses it. */
export function admit(arrival: Arrival): GiveBack {
  const { route, declaresJson, body, context } = arrival
  if (route.operation === 'getOrders') return admitRead(arrival)
  if (route.operation === 'createOrder') {
    const isCheck = declaresJson && asksForCheck(body)
    if (isCheck || context.faults.has('check-bucket-throttles-creation')) {
      if (countsTwice(context)) takeDefault(arrival)
      return take(arrival, 'orders.check', checkedPer(arrival))
    }
  }
  passOtherBuckets(arrival)
  if (route.operation === 'validateDtu' && context.faults.has('validations-counted-as-checks'))
    return take(arrival, 'orders.check', checkedPer(arrival))
  const isUncounted = context.faults.has('top-ups-uncounted')
  if (isUncounted && route.operation === 'createOrder' && peekJson(body)?.['ordersType'] === 'dtu')
    return () => undefined
  return takeDefault(arrival)
}

function countsTwice({ variants }: Context): boolean {
  return variants.has('checks-counted-twice') || variants.has('checks-counted-twice-tighter')
}

/** Only faults refuse purchases while another bucket is spent, though they do not count in it. */
function passOtherBuckets(arrival: Arrival): void {
  const { route, body, context } = arrival
  const { faults } = context
  if (faults.isEmpty) return
  const isOrder = route.operation === 'createOrder'
  const kind = isOrder ? peekJson(body)?.['ordersType'] : route.operation
  if (BLOCKED.some(([name, blocked]) => kind === blocked && faults.has(name)))
    take(arrival, 'orders.check', checkedPer(arrival))()
  if (isOrder && faults.has('listing-blocks-orders'))
    take(arrival, 'orders.list', countedPer(arrival))()
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
  if (arrival.context.faults.has('throttled-order-burns-reference')) return takeOrBurn(arrival)
  return take(arrival, 'default', countedPerEndpoint(arrival), groupOf(arrival))
}

/** Only a fault keeps the reference of an order that it never took. */
function takeOrBurn(arrival: Arrival): GiveBack {
  const { context, key, route, body } = arrival
  try {
    return take(arrival, 'default', countedPerEndpoint(arrival), groupOf(arrival))
  } catch (error) {
    const referenceId = route.operation === 'createOrder' && peekJson(body)?.['referenceId']
    const isKnown =
      typeof referenceId === 'string' && context.orders.purchase(key, referenceId, 'order')
    if (typeof referenceId === 'string' && !isKnown) context.orders.burn(key, referenceId)
    throw error
  }
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
  if (faults.has('window-shared-by-endpoints')) return 'default'
  const merged = MERGED.find(([name, counted]) => counted === operation && faults.has(name))
  return merged?.[2] ?? operation
}

/** Windows count per account: every key of it shares them. */
function countedPer({ context: { faults }, key, userAgent }: Arrival): string {
  if (faults.has('window-counter-global')) return 'everyone'
  if (faults.has('window-counter-per-client')) return `${key.account.id}|${userAgent}`
  return faults.has('window-counter-per-key') ? key.id : keptWindow(faults, key.account.id)
}

/** Faults that count checks of one account apart. */
const CHECKED_PER = [
  ['check-bucket-per-product', 'itemId'],
  ['check-bucket-per-amount', 'amount'],
] as const

function checkedPer(arrival: Arrival): string {
  const { faults } = arrival.context
  if (faults.has('check-bucket-per-key')) return arrival.key.id
  const per = CHECKED_PER.find(([name]) => faults.has(name))
  if (per) return `${countedPer(arrival)}|${String(peekJson(arrival.body)?.[per[1]])}`
  return faults.has('check-bucket-global') ? 'everyone' : countedPer(arrival)
}

function take(
  { context, key, route, nowMs }: Arrival,
  bucket: Bucket,
  partition: string,
  group: string = bucket,
): GiveBack {
  const limit = limitOf(key.account.limits, bucket, route.operation)
  return context.limiter.admit(limit, { bucket, group, partition }, nowMs)
}

function limitOf(limits: EffectiveLimits, bucket: Bucket, operation: OperationName): WindowLimit {
  if (bucket !== 'default' || operation === 'getOrders') return limits[bucket]
  return limits[`operations.${operation}`]
}

function admitRead(arrival: Arrival): GiveBack {
  const { context, key, query, nowMs } = arrival
  if (context.variants.has('reads-counted-in-default')) takeDefault(arrival)
  const filter = readFilterLeniently(query)
  if (!isFiltered(filter)) {
    if (context.faults.has('listing-counted-as-filtered'))
      take(arrival, 'orders.filtered', countedPer(arrival))
    const giveBack = take(arrival, 'orders.list', countedPer(arrival))
    if (context.faults.has('listing-spends-unhide'))
      for (const { id: orderId } of context.orders.newest(key, { limit: 50, offset: 0 }))
        spendUnhide(arrival, { ...filter, orderId })
    return giveBack
  }
  const selected = filter.unhide ? selectOrders(context, key, filter, nowMs) : []
  if (selected.length > 0) return admitUnhide(arrival, filter, selected)
  const bucket = context.faults.has('filtered-counted-as-listing')
    ? 'orders.list'
    : 'orders.filtered'
  const giveBack = take(arrival, bucket, maskedPartition(arrival, filter))
  if (context.faults.has('codes-spent-block-masked')) passBudget(arrival, filter)
  if (context.faults.has('masked-read-spends-unhide')) spendUnhide(arrival, filter)
  return giveBack
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

/** Only a fault lets masked reads spend what belongs to unhide; a spent budget does not refuse them. */
function spendUnhide(arrival: Arrival, filter: OrderFilter): void {
  const { context, key, nowMs } = arrival
  const selected = selectOrders(context, key, filter, nowMs)
  const bucket = selected.length === 0 ? undefined : stateBucket(arrival, selected)
  if (bucket !== 'orders.unhide.completed') return
  try {
    take(arrival, bucket, unhidePartition(arrival, filter, selected))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** Only a fault holds masked reads to the budget of an order, in which they do not count. */
function passBudget(arrival: Arrival, filter: OrderFilter): void {
  const { context, key, nowMs } = arrival
  const selected = selectOrders(context, key, filter, nowMs)
  if (selected.length > 0)
    take(arrival, stateBucket(arrival, selected), unhidePartition(arrival, filter, selected))()
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

/** Only faults of a busy service lose counters: what was lost starts anew. */
function keptBudget(faults: FaultSet, partition: string): string {
  if (faults.has('busy-window-counters-evicted'))
    faults.crowd.losses('busy-window-counters-evicted', partition, CROWDED.counters)
  const fault = 'busy-unhide-budgets-evicted'
  if (!faults.has(fault)) return partition
  return `${partition}|${faults.crowd.losses(fault, partition, CROWDED.unhideBudgets)}`
}

function keptWindow(faults: FaultSet, account: string): string {
  const fault = 'busy-window-counters-evicted'
  if (!faults.has(fault)) return account
  return `${account}|${faults.crowd.losses(fault, account, CROWDED.counters)}`
}

/** Admission first, which bounds the reads behind it; then the budget of the state that was read. */
function admitUnhide(arrival: Arrival, filter: OrderFilter, selected: readonly Order[]): GiveBack {
  const { faults } = arrival.context
  const partition = keptBudget(faults, unhidePartition(arrival, filter, selected))
  const bucket = stateBucket(arrival, selected)
  refuseQuickPolling(arrival, bucket, partition)
  refuseSecondReveal(arrival, bucket, partition)
  if (faults.has('unhide-counts-as-listing')) take(arrival, 'orders.list', countedPer(arrival))()
  if (faults.has('unhide-counts-as-filtered')) take(arrival, 'orders.filtered', countedPer(arrival))
  if (faults.has('admission-after-state-limit')) {
    take(arrival, bucket, partition)
    return take(arrival, 'orders.unhide.admission', partition)
  }
  const isFresh = faults.has('admission-fresh-on-completion')
  const admitted = isFresh ? `${partition}|${bucket}` : partition
  const isSkipped = faults.hasWhileBusy('busy-admission-skipped', arrival.nowMs)
  if (!faults.has('admission-missing') && !isSkipped)
    take(arrival, 'orders.unhide.admission', admitted)
  if (bucket === 'orders.unhide.pending') countTwentyfold(arrival, partition)
  if (isUnbounded(arrival, bucket, selected)) return () => undefined
  const needsPending = faults.has('unhide-pending-blocks-completed')
  if (needsPending && bucket === 'orders.unhide.completed')
    take(arrival, 'orders.unhide.pending', partition)
  if (faults.has('unhide-child-spends-checkout')) spendCheckout(arrival, filter, bucket)
  if (selected.length > 1 && arrival.context.variants.has('checkout-counts-children'))
    return takeChildren(arrival, bucket, selected)
  return takeReveal(arrival, bucket, { partition, selected })
}

/** Only a fault of a busy service counts nineteen reads more. */
function countTwentyfold(arrival: Arrival, partition: string): void {
  if (!arrival.context.faults.hasWhileBusy('busy-polls-counted-twentyfold', arrival.nowMs)) return
  for (let more = 1; more < 20; more++) take(arrival, 'orders.unhide.pending', partition)
}

/** A variant counts the read of a checkout for each of its orders, if all have room. */
function takeChildren(
  arrival: Arrival,
  bucket: UnhideBucket,
  selected: readonly Order[],
): GiveBack {
  const taken: GiveBack[] = []
  const giveBack: GiveBack = () => {
    for (const each of taken) each()
  }
  try {
    for (const { id } of selected) taken.push(take(arrival, bucket, id))
  } catch (error) {
    giveBack()
    throw error
  }
  return giveBack
}

/** Only a fault tells the codes to whom it refuses them. */
function takeReveal(
  arrival: Arrival,
  bucket: UnhideBucket,
  { partition, selected }: { readonly partition: string; readonly selected: readonly Order[] },
): GiveBack {
  const { faults, identifiers } = arrival.context
  if (!faults.has('refused-reveal-shows-codes')) return take(arrival, bucket, partition)
  try {
    return take(arrival, bucket, partition)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const codes = selected.map(({ serial }) => identifiers.code(serial, 0))
    throw new Refusal({ ...error.answer, data: { codes } })
  }
}

/** Only a fault counts the read of one order of a checkout for the checkout too. */
function spendCheckout(
  { context, key, nowMs }: Arrival,
  { orderId, referenceId }: OrderFilter,
  bucket: UnhideBucket,
): void {
  if (orderId === undefined || referenceId === undefined) return
  const partition = `${key.account.id}|${referenceId}`
  try {
    context.limiter.admit(key.account.limits[bucket], { bucket, group: bucket, partition }, nowMs)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

type UnhideBucket = 'orders.unhide.pending' | 'orders.unhide.completed'

const UNCOUNTED = [
  ['unhide-esims-uncounted', 'esim'],
  ['gift-unhide-uncounted', 'platform-gift'],
] as const

function ofKind(selected: readonly Order[], kind: string): boolean {
  return selected.some(({ line }) => line.ordersType === kind)
}

/** Only faults let reads pass uncounted. */
function isUnbounded(
  { context: { faults }, nowMs }: Arrival,
  bucket: UnhideBucket,
  selected: readonly Order[],
): boolean {
  const isVoucher = selected.some(({ line }) => line.ordersType === 'shop')
  if (!isVoucher && faults.has('unhide-of-vouchers-only')) return true
  if (UNCOUNTED.some(([name, kind]) => faults.has(name) && ofKind(selected, kind))) return true
  if (bucket === 'orders.unhide.completed') return faults.has('unhide-completed-unlimited')
  const isPending = selected.every((order) => statusOf(order, nowMs, faults) === 'IN_PROGRESS')
  return isPending && faults.has('unhide-pending-unlimited')
}

const POLLING_INTERVAL_MS = 10_000
const POLLING_BUDGET = DEFAULT_LIMITS['orders.unhide.pending']

/** Only a fault has an opinion on how quickly a client polls. */
function refuseQuickPolling(arrival: Arrival, bucket: UnhideBucket, partition: string): void {
  const { context, key, nowMs } = arrival
  const { faults } = context
  if (bucket !== 'orders.unhide.pending' || !faults.has('unhide-polling-refused')) return
  const { count, windowSeconds } = key.account.limits[bucket]
  if (count !== POLLING_BUDGET.count || windowSeconds !== POLLING_BUDGET.windowSeconds) return
  const lastMs = faults.lastMoment('unhide-polling-refused', partition)
  faults.noteMoment('unhide-polling-refused', partition, nowMs)
  if (lastMs !== undefined && nowMs - lastMs < POLLING_INTERVAL_MS)
    throw limitReached(faults, 'Polling is too quick.', '10')
}

/** Only a fault reveals an order once for ever. */
function refuseSecondReveal(arrival: Arrival, bucket: UnhideBucket, partition: string): void {
  const { faults } = arrival.context
  if (bucket !== 'orders.unhide.completed') return
  const { windowSeconds } = arrival.key.account.limits[bucket]
  if (faults.hasNoted('unhide-completed-once', partition))
    throw limitReached(faults, 'The codes were read.', String(Math.ceil(windowSeconds)))
  faults.note('unhide-completed-once', partition)
}

/** A variant counts a checkout with one order apart from that order. */
function isOnlyChild({ context, key }: Arrival, { orderId, referenceId }: OrderFilter): boolean {
  const { orders, variants } = context
  if (orderId !== undefined || !variants.has('checkout-of-one-apart')) return false
  return orders.purchase(key, referenceId ?? '', 'checkout')?.kind === 'checkout'
}

/** An order has one counter, however it is named; a reference that selects several children has one of its own. */
function unhidePartition(
  arrival: Arrival,
  filter: OrderFilter,
  selected: readonly Order[],
): string {
  const { context, key, callerAddress, userAgent } = arrival
  const { faults } = context
  const [first] = selected
  if (faults.has('unhide-counter-per-account')) return key.account.id
  const isChild = filter.referenceId !== undefined && filter.orderId !== undefined
  const sharesCheckout = isChild && faults.has('unhide-child-shares-checkout')
  if (first === undefined || selected.length > 1 || sharesCheckout || isOnlyChild(arrival, filter))
    return `${key.account.id}|${filter.referenceId ?? ''}`
  if (faults.has('unhide-counter-per-address')) return `${first.id}|${callerAddress}`
  if (faults.has('unhide-counter-per-client')) return `${first.id}|${userAgent}`
  if (isChild && faults.has('unhide-both-filters-counted-apart')) return `${first.id}|both`
  const isApart =
    faults.has('unhide-alias-counted-apart') ||
    (faults.has('unhide-pending-alias-counted-apart') &&
      stateBucket(arrival, selected) === 'orders.unhide.pending')
  const isAlias = isApart && filter.orderId === undefined
  return isAlias ? `${first.id}|alias` : first.id
}

function stateBucket(
  { context: { faults }, nowMs }: Arrival,
  selected: readonly Order[],
): 'orders.unhide.pending' | 'orders.unhide.completed' {
  if (selected.length > 1 && faults.has('unhide-checkouts-are-completed'))
    return 'orders.unhide.completed'
  const deciding = faults.has('unhide-first-child-decides') ? selected.slice(0, 1) : selected
  const isCompleted = deciding
    .filter((order) => !isOverlooked(order, deciding, faults))
    .some((order) => countsAsCompleted(order, nowMs, faults))
  return isCompleted ? 'orders.unhide.completed' : 'orders.unhide.pending'
}

/** Only a fault overlooks what was cancelled of a checkout. */
function isOverlooked({ line }: Order, deciding: readonly Order[], faults: FaultSet): boolean {
  const isCancelled = line.delivery.outcome === 'CANCELLED'
  return deciding.length > 1 && isCancelled && faults.has('unhide-cancelled-child-overlooked')
}

function countsAsCompleted(order: Order, nowMs: number, faults: FaultSet): boolean {
  const status = statusOf(order, nowMs, faults)
  if (status === 'IN_PROGRESS') faults.note('unhide-first-completed-as-pending', order.id)
  if (status === 'IN_PROGRESS') return false
  if (status === 'PARTIALLY_COMPLETED') return faults.has('unhide-partial-is-completed')
  if (status === 'SUCCESS' && faults.has('unhide-success-is-pending')) return false
  if (status === 'CANCELLED' && faults.has('unhide-cancelled-is-pending')) return false
  const wasPending = faults.hasNoted('unhide-first-completed-as-pending', order.id)
  faults.forget('unhide-first-completed-as-pending', order.id)
  return !wasPending
}
