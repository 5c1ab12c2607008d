/** From a validated plan to orders that are paid for and stored. */
import type { ApiKey } from '../model/accounts.ts'
import type { Context } from '../model/context.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
import { CROWDED } from '../faults/under-load.ts'
import { type Answer, Refusal, refusal } from '../http/answer.ts'
import { CODES } from '../http/status-codes.ts'
import { contended, limitReached } from '../model/limiter.ts'
import type { Order, OrderLine, Purchase } from '../model/order.ts'
import { pay } from './spend.ts'
import { natureOf, type Charge, type Nature } from './charge.ts'

export type PurchasePlan = {
  readonly kind: Purchase['kind']
  readonly referenceId: string
  readonly lines: readonly OrderLine[]
  readonly canonicalPayload?: string | undefined
  readonly requestText?: string | undefined
}

/** How late one fault is. */
const LATE_MS = 5 * 60 * 1000
/** A variant finishes an order after its answer was made, and before the next request. */
const SOON_MS = 1

/** Creates the orders of a plan exactly once. Throws the refusal when it cannot; then the reference is free again. */
export async function purchase(
  context: Context,
  key: ApiKey,
  plan: PurchasePlan,
): Promise<Purchase> {
  const { faults, orders } = context
  const { referenceId } = plan
  if (orders.isBurnt(key, referenceId))
    throw refusal(409, CODES.conflict, 'The referenceId was used by a refused order.')
  const claimant = orders.claimant(key, referenceId)
  if (claimant && !lacksClaim(faults, plan, claimant !== key)) throw contended(context)
  if (plan.lines.some(({ delivery }) => delivery.upstreamLimited)) relayLimit(context, key, plan)
  // Others may come in between, until it is paid.
  orders.claim(key, referenceId)
  try {
    return await pay(context, key, chargeAfterRefusal(faults, plan), (nowMs) =>
      deliver(context, key, plan, nowMs),
    )
  } catch (error) {
    if (error instanceof Refusal && burns(faults, error.answer, plan)) orders.burn(key, referenceId)
    noteCapRefusal(faults, plan, error)
    if (isKept(faults, plan, error))
      deliver(context, key, { ...plan, lines: plan.lines.slice(0, 1) }, context.clock.nowMs())
    throw error
  } finally {
    orders.release(key, referenceId)
  }
}

const UPSTREAM_WAIT_SECONDS = '3'

/** The rate limit of the shop service, passed on. */
function relayLimit(context: Context, key: ApiKey, plan: PurchasePlan): never {
  const { faults, orders } = context
  const { referenceId } = plan
  const { amountMinor } = chargeOf(plan)
  const isCart = plan.kind === 'checkout'
  if (isCart && faults.has('shop-limit-of-carts-charges')) key.usedMinor += amountMinor
  if (isCart && faults.has('shop-limit-of-carts-burns-reference')) orders.burn(key, referenceId)
  if (faults.has('shop-limit-charges')) key.usedMinor += amountMinor
  if (faults.has('shop-limit-debits')) key.account.balanceMinor -= amountMinor
  const message = 'The shop service reached its rate limit; the order was not created.'
  if (faults.has('shop-limit-burns-reference')) orders.burn(key, referenceId)
  if (faults.has('shop-limit-leaves-order')) deliver(context, key, plan, context.clock.nowMs())
  const is502 =
    faults.has('shop-limit-answers-502') ||
    (isCart && faults.has('shop-limit-of-carts-answers-502'))
  if (is502) throw refusal(502, CODES.upstreamError, message)
  const isZero = faults.has('shop-limit-retry-after-zero')
  throw limitReached(faults, message, isZero ? '0' : UPSTREAM_WAIT_SECONDS)
}

/** Faults that buy copies of one kind. */
const RACES: Readonly<Partial<Record<Nature, FaultName>>> = {
  dtu: 'top-ups-race',
  esim: 'esims-race',
  'platform-gift': 'gift-copies-race',
  later: 'later-race',
  long: 'long-orders-race',
  units: 'units-race',
}

/** Only faults buy under a reference that another request is buying under. */
function lacksClaim(faults: FaultSet, plan: PurchasePlan, isOfOther: boolean): boolean {
  if (faults.has('duplicates-race')) return true
  const isCheckout = plan.kind === 'checkout'
  if (isOfOther && faults.has(isCheckout ? 'sibling-checkouts-race' : 'siblings-race')) return true
  if (isCheckout) return faults.has('checkouts-race')
  const name = RACES[natureOf(chargeOf(plan))]
  return name !== undefined && faults.has(name)
}

/** Faults that let what the cap refused pass the second time. */
const REFUSED_ONCE: Readonly<Partial<Record<Charge['kind'], FaultName>>> = {
  dtu: 'cap-refuses-top-ups-once',
  checkout: 'cap-refuses-checkouts-once',
}

function noteCapRefusal(faults: FaultSet, plan: PurchasePlan, error: unknown): void {
  const name = REFUSED_ONCE[chargeOf(plan).kind]
  const isOfCap = error instanceof Refusal && error.answer.statusCode === CODES.apiKeyLimitExceeded
  if (name !== undefined && isOfCap) faults.note(name, plan.referenceId)
}

/** Only a fault makes an order of a checkout that the cap refused. */
function isKept(faults: FaultSet, { kind }: PurchasePlan, error: unknown): boolean {
  if (kind !== 'checkout' || !(error instanceof Refusal)) return false
  const isOfCap = error.answer.statusCode === CODES.apiKeyLimitExceeded
  return isOfCap && faults.has('cap-refused-checkouts-keep-first')
}

function chargeAfterRefusal(faults: FaultSet, plan: PurchasePlan): Charge {
  const charge = chargeOf(plan)
  const name = REFUSED_ONCE[charge.kind]
  const isFree = name !== undefined && faults.hasNoted(name, plan.referenceId)
  return isFree ? { ...charge, amountMinor: 0, unitMinor: 0, largestMinor: 0 } : charge
}

function chargeOf({ kind, lines }: PurchasePlan): Charge {
  let [amountMinor, largestMinor, unitMinor, vouchersMinor] = [0, 0, 0, 0]
  for (const { priceMinor, quantity, ordersType } of lines) {
    amountMinor += priceMinor
    vouchersMinor += ordersType === 'shop' ? priceMinor : 0
    largestMinor = Math.max(largestMinor, priceMinor)
    unitMinor += priceMinor / quantity
  }
  const bought = kind === 'checkout' ? kind : (lines[0]?.ordersType ?? 'shop')
  const isAsynchronous = lines[0]?.delivery.asynchronous ?? false
  const [first] = lines
  const countMinor = first?.isCounted === true ? (first.topUp?.amount ?? 0) * 100 : undefined
  const { isLong } = first ?? {}
  const amounts = { amountMinor, largestMinor, unitMinor, vouchersMinor }
  const holds = kind === 'checkout' ? new Set(lines.map(natureOfLine)) : undefined
  return { ...amounts, ...(holds && { holds }), kind: bought, isAsynchronous, isLong, countMinor }
}

function natureOfLine({ ordersType, delivery, isCounted }: OrderLine): Nature {
  if (ordersType === 'dtu') return isCounted === true ? 'units' : ordersType
  return ordersType === 'shop' && delivery.asynchronous ? 'later' : ordersType
}

/** Only faults keep a refused reference. */
function burns(
  faults: FaultSet,
  { httpStatus, errorCode }: Answer,
  { kind, lines }: PurchasePlan,
): boolean {
  const isOfCheckout = httpStatus === 409 && kind === 'checkout'
  if (isOfCheckout && faults.has('cap-refused-checkout-burns-reference')) return true
  const isOfEsim = httpStatus === 409 && lines[0]?.ordersType === 'esim'
  if (errorCode === 'contention')
    return (
      faults.has('contention-burns-reference') ||
      (lines[0]?.ordersType === 'platform-gift' && faults.has('gift-contended-burns-reference'))
    )
  if (isOfEsim && faults.has('cap-refused-esim-burns-reference')) return true
  return httpStatus === 409 && faults.has('cap-refusal-burns-reference')
}

/** Creates the orders of a plan. */
function deliver(context: Context, key: ApiKey, plan: PurchasePlan, nowMs: number): Purchase {
  const { kind, referenceId, canonicalPayload, requestText } = plan
  const lines = (boughtTwice(plan, context.faults) ?? plan.lines).map((line) =>
    later(context, line),
  )
  const orders = lines.map((line, index) => {
    const ofOrder = referenceOf(plan, index, context.faults)
    return createOrder(context, { key, line, referenceId: ofOrder }, nowMs)
  })
  context.faults.noteBooking(nowMs)
  const stored = { kind, referenceId, key, orders, canonicalPayload, requestText }
  if (!isLost(plan, context.faults)) context.orders.add(stored, nowMs)
  noteUnstored(context.faults, stored, nowMs)
  return stored
}

/** A variant finishes nothing at once, and another one not always. */
function later(context: Context, line: OrderLine): OrderLine {
  return context.variants.has('purchases-later') || comesLater(context)
    ? { ...line, delivery: { ...line.delivery, asynchronous: true } }
    : line
}

/** Of a hundred, so many come later. */
const LATER_SHARE = 40

/** Orders of a service so far, counted for one variant alone. */
const counts = new WeakMap<object, number>()

/** By chance, but the same in every run of a service, so that tests in virtual time repeat. */
function comesLater({ clock, orders, variants }: Context): boolean {
  if (!variants.has('purchases-later-at-times')) return false
  const count = (counts.get(orders) ?? 0) + 1
  counts.set(orders, count)
  const mixed = Math.imul(Math.floor(1000 * clock.nowMs()) ^ (7919 * count), 0x9e3779b1) >>> 8
  return mixed % 100 < LATER_SHARE
}

/** Only a fault makes two orders of one. */
function boughtTwice({ lines }: PurchasePlan, faults: FaultSet): readonly OrderLine[] | undefined {
  const isMeant = lines[0]?.isCounted === true && faults.has('units-leave-two-orders')
  return isMeant ? [...lines, ...lines] : undefined
}

/** Only a fault of a busy service does not store a reference. */
function noteUnstored(faults: FaultSet, { orders: [first] }: Purchase, nowMs: number): void {
  const fault = 'busy-references-unstored'
  if (first && faults.has(fault) && faults.crowd.isFull(fault, nowMs, CROWDED.queue))
    faults.note(fault, first.id)
}

/** Only a fault gives an order of a checkout another reference. */
function referenceOf({ kind, referenceId, lines }: PurchasePlan, index: number, faults: FaultSet) {
  const isApart = kind === 'checkout' && index > 0 && index === lines.length - 1
  return isApart && faults.has('checkout-order-apart') ? `${referenceId}-${index}` : referenceId
}

/** Only faults answer a purchase that they do not keep. */
function isLost({ kind, lines }: PurchasePlan, faults: FaultSet): boolean {
  const [line] = lines
  if (kind === 'checkout' || line === undefined) return false
  const { ordersType, quantity } = line
  if (ordersType === 'platform-gift') return faults.has('gift-order-lost')
  if (line.isLong === true && faults.has('long-order-lost')) return true
  if (line.isCounted === true && faults.has('quantity-order-lost')) return true
  if (ordersType === 'dtu') return faults.has('top-up-lost')
  return ordersType === 'shop' && quantity === 1 && faults.has('purchase-lost')
}

/** Only a fault of a busy service never finishes an order. */
function noteForgotten(faults: FaultSet, { id }: Order, nowMs: number): void {
  const fault = 'busy-orders-stay-pending'
  if (faults.has(fault) && faults.crowd.isFull(fault, nowMs, CROWDED.finishing))
    faults.note(fault, id)
}

/** How long a variant does not find an order. Where every order is pending, another variant would hide them from listings. */
function hiddenMs(variants: Context['variants'], isPending: boolean): number {
  if (!isPending) return variants.has('orders-appear-later') ? 300 : 0
  const isHidden = variants.has('pending-orders-appear-later') && !variants.has('purchases-later')
  return isHidden ? 300 : 0
}

function createOrder(
  { clock, faults, identifiers, orders, settings, variants }: Context,
  { key, line, referenceId }: Pick<Order, 'key' | 'line' | 'referenceId'>,
  nowMs: number,
): Order {
  const serial = orders.nextSerial()
  const lateMs = line.ordersType === 'esim' && faults.has('esim-issued-late') ? LATE_MS : 0
  const isAtOnce =
    line.ordersType === 'esim' && line.isLong !== true && variants.has('esims-at-once')
  const isLater = line.delivery.asynchronous && !isAtOnce
  const completionMs = variants.has('orders-finish-soon') ? SOON_MS : settings.asyncCompletionMs
  const waitMs = isLater ? completionMs + lateMs : 0
  const order = {
    id: identifiers.orderId(serial),
    serial,
    line,
    key,
    referenceId,
    createdAtWallMs: clock.wallMs(),
    readyAtMs: nowMs + waitMs,
    foundAtMs: nowMs + hiddenMs(variants, isLater),
  }
  if (isLater) noteForgotten(faults, order, nowMs)
  const name = 'async-second-never-finishes'
  if (isLater && line.ordersType === 'shop' && faults.has(name)) {
    const before = orders.newest(key, { limit: 5, offset: 0 })
    if (before.some(({ readyAtMs }) => nowMs < readyAtMs)) faults.note(name, order.id)
  }
  if (line.delivery.outcome === 'CANCELLED') {
    const refund = { readyAtMs: order.readyAtMs, amountMinor: line.priceMinor }
    key.account.refunds.push(refund)
    if (variants.has('cancelled-frees-cap')) key.capRefunds.push(refund)
  }
  return order
}
