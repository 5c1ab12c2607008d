/** The budgets of one order's reads with unhide=true. */
import { DEFAULT_LIMITS } from '../../contract/limits.ts'
import type { FaultSet } from '../faults/faults.ts'
import { CROWDED } from '../faults/under-load.ts'
import { Refusal } from '../http/answer.ts'
import { type Order, statusOf } from '../model/order.ts'
import { type OrderFilter, selectOrders } from '../orders/select.ts'
import { type GiveBack, limitReached } from '../model/limiter.ts'
import { type Arrival, countedPer, take } from './take.ts'
import { isAdmittedAnyway, isUnbounded, type UnhideBucket } from './unbounded.ts'

/** Only a fault lets masked reads spend what belongs to unhide; a spent budget does not refuse them. */
export function spendUnhide(arrival: Arrival, filter: OrderFilter): void {
  const selected = selectOrders(arrival, filter)
  const bucket = selected.length === 0 ? undefined : stateBucket(arrival, selected)
  if (bucket !== 'orders.unhide.completed') return
  try {
    take(arrival, bucket, unhidePartition(arrival, filter, selected))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** Only a fault holds masked reads to the budget of an order, in which they do not count. */
export function passBudget(arrival: Arrival, filter: OrderFilter): void {
  const selected = selectOrders(arrival, filter)
  if (selected.length > 0)
    take(arrival, stateBucket(arrival, selected), unhidePartition(arrival, filter, selected))()
}

/** Only faults of a busy service lose counters: what was lost starts anew. */
function keptBudget(faults: FaultSet, partition: string): string {
  if (faults.has('busy-window-counters-evicted'))
    faults.crowd.losses('busy-window-counters-evicted', partition, CROWDED.counters)
  const fault = 'busy-unhide-budgets-evicted'
  if (!faults.has(fault)) return partition
  return `${partition}|${faults.crowd.losses(fault, partition, CROWDED.unhideBudgets)}`
}

/** Admission first, which bounds the reads behind it; then the budget of the state that was read. */
export function admitUnhide(
  arrival: Arrival,
  filter: OrderFilter,
  selected: readonly Order[],
): GiveBack {
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
  if (!faults.has('admission-missing') && !isSkipped && !isAdmittedAnyway(faults, selected))
    take(arrival, 'orders.unhide.admission', admitted)
  if (bucket === 'orders.unhide.pending') countTwentyfold(arrival, partition)
  if (isUnbounded(faults, { bucket, selected, nowMs: arrival.nowMs })) return () => undefined
  const needsPending = faults.has('unhide-pending-blocks-completed')
  if (needsPending && bucket === 'orders.unhide.completed')
    take(arrival, 'orders.unhide.pending', partition)
  if (isChildTwice(arrival, filter)) take(arrival, bucket, partition)
  if (faults.has('unhide-child-spends-checkout')) spendCheckout(arrival, filter, bucket)
  if (selected.length > 1 && arrival.context.variants.has('checkout-counts-children'))
    return takeChildren(arrival, bucket, selected)
  return takeReveal(arrival, bucket, { partition: begunAnew(arrival, bucket, partition), selected })
}

/** Faults that begin the completed budget of an order anew when something was asked for it. */
const ANEW = [
  'unhide-budget-anew-by-replay',
  'unhide-budget-anew-by-masked-read',
  'unhide-budget-anew-by-listing',
] as const
const FORGOTTEN_AFTER_MS = 10_000

/** Only faults begin a budget anew while its window is open. */
function begunAnew(
  { context: { faults }, nowMs }: Arrival,
  bucket: UnhideBucket,
  partition: string,
): string {
  if (faults.isEmpty || bucket !== 'orders.unhide.completed') return partition
  const fault = 'unhide-budget-forgotten-early'
  const sinceMs = faults.lastMoment(fault, partition) ?? Number.NEGATIVE_INFINITY
  if (nowMs - sinceMs > FORGOTTEN_AFTER_MS) faults.noteMoment(fault, partition, nowMs)
  const begins = ([fault, ...ANEW] as const).map((name) => faults.lastMoment(name, partition) ?? [])
  return [partition, ...begins.flat()].join('|')
}

/** Only a fault counts an order of a checkout twice. */
function isChildTwice({ context, key }: Arrival, { orderId, referenceId }: OrderFilter): boolean {
  if (orderId === undefined || !context.faults.has('unhide-child-counted-twice')) return false
  return context.orders.purchase(key, referenceId ?? '', 'checkout')?.kind === 'checkout'
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
  if (first?.line.ordersType !== 'shop' && faults.has('unhide-other-kinds-share-counter'))
    return `${key.account.id}|other kinds`
  const isChild = filter.referenceId !== undefined && filter.orderId !== undefined
  const sharesCheckout = isChild && faults.has('unhide-child-shares-checkout')
  if (first === undefined || selected.length > 1 || sharesCheckout || isOnlyChild(arrival, filter))
    return `${key.account.id}|${filter.referenceId ?? ''}`
  if (faults.has('unhide-counter-per-address')) return `${first.id}|${callerAddress}`
  if (faults.has('unhide-counter-per-client')) return `${first.id}|${userAgent}`
  if (isChild && faults.has('unhide-both-filters-counted-apart')) return `${first.id}|both`
  const isApart =
    faults.has('unhide-alias-counted-apart') ||
    (first.line.ordersType !== 'shop' && faults.has('unhide-other-kinds-alias-apart')) ||
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
