/** What was bought before under a reference; the faults that forget it or take another for it. */
import type { ApiKey } from '../model/accounts.ts'
import type { Context } from '../model/context.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
import { CROWDED } from '../faults/under-load.ts'
import type { JsonObject } from '../http/body.ts'
import type { Call } from '../model/call.ts'
import { type Purchase, isEsim } from '../model/order.ts'

/** What one fault keeps of a reference. */
const REFERENCE_CUT = 40
const LONG_REFERENCE_CUT = 64

/** Faults that forget a purchase of one kind whose client went away. */
const LOST_ANSWERS = {
  dtu: 'lost-top-up-buys-again',
  esim: 'lost-esim-buys-again',
  'platform-gift': 'gift-lost-answer-buys-again',
  shop: 'lost-answer-buys-again',
} as const

export function lostFaults({ kind, orders }: Purchase): readonly FaultName[] {
  if (kind === 'checkout') return ['checkout-lost-answer-buys-again']
  return ['lost-answer-buys-again', LOST_ANSWERS[orders[0]?.line.ordersType ?? 'shop']]
}

export function lostName({ key, referenceId }: Purchase): string {
  return `${key.account.id}|${referenceId}`
}

/** What was bought under the reference of a body, whatever else the body says. */
export function earlierPurchase(
  { context, key }: Call,
  body: JsonObject,
  kind: Purchase['kind'],
): Purchase | undefined {
  const { faults, orders } = context
  const { referenceId } = body
  if (typeof referenceId !== 'string' || faults.has('replay-creates-second-order')) return undefined
  const earlier =
    orders.purchase(key, referenceId, kind) ??
    ofOtherAccount(context, referenceId, kind) ??
    ofReferenceCut(context, key, referenceId) ??
    ofOtherCase(context, key, referenceId)
  if (earlier === undefined || isOfOtherKey(faults, earlier, key)) return undefined
  return isForgotten({ context, key }, earlier, body) || isCrowdedOut(context, earlier)
    ? undefined
    : earlier
}

/** Only a fault takes a checkout of another account for the one that is asked for. */
function ofOtherAccount(
  { accounts, faults, orders }: Context,
  referenceId: string,
  kind: Purchase['kind'],
): Purchase | undefined {
  if (kind !== 'checkout' || !faults.has('checkout-reference-shared-by-accounts')) return undefined
  for (const account of accounts.all())
    for (const key of accounts.keysOf(account).slice(0, 1)) {
      const earlier = orders.purchase(key, referenceId, kind)
      if (earlier !== undefined) return earlier
    }
  return undefined
}

/** Only a fault compares the beginnings of references. */
function ofReferenceCut(
  { faults, orders }: Context,
  key: ApiKey,
  referenceId: string,
): Purchase | undefined {
  const length = faults.has('long-reference-cut') ? LONG_REFERENCE_CUT : REFERENCE_CUT
  const isCut = faults.has('reference-cut') || faults.has('long-reference-cut')
  if (referenceId.length <= length || !isCut) return undefined
  const start = referenceId.slice(0, length)
  const other = orders
    .newest(key, { limit: 50, offset: 0 })
    .find((order) => order.referenceId.startsWith(start))
  return other && orders.purchase(key, other.referenceId, 'order')
}

/** Only faults compare references without case, without hyphens, or as ASCII. */
function ofOtherCase(
  { faults, orders }: Context,
  key: ApiKey,
  referenceId: string,
): Purchase | undefined {
  if (faults.isEmpty) return undefined
  const normal = (text: string): string => {
    const hyphened = faults.has('reference-case-ignored') ? text.toLowerCase() : text
    if (faults.has('reference-letters-lost')) return hyphened.replaceAll(/\P{ASCII}/gu, '?')
    return faults.has('reference-hyphens-ignored') ? hyphened.replaceAll('-', '') : hyphened
  }
  if (normal('-Å') === '-Å') return undefined
  const other = orders
    .newest(key, { limit: 50, offset: 0 })
    .find((order) => normal(order.referenceId) === normal(referenceId))
  return other && orders.purchase(key, other.referenceId, 'order')
}

/** Only faults forget what was bought. */
function isForgotten(
  { context, key }: Pick<Call, 'context' | 'key'>,
  earlier: Purchase,
  body: JsonObject,
): boolean {
  const { faults, clock } = context
  const { kind, orders } = earlier
  if (faults.has('replay-needs-same-body') && differs(earlier, body)) return true
  if (faults.has('checkout-replay-buys-again') && kind === 'checkout') return true
  if (faults.has('older-checkouts-forgotten') && isOlderCheckout(context, earlier)) return true
  if (faults.has('esim-replay-buys-again') && isEsim(earlier)) return true
  if (faults.has('top-up-replay-buys-again') && orders[0]?.line.ordersType === 'dtu') return true
  if (faults.has('long-order-buys-again') && orders[0]?.line.isLong === true) return true
  if (faults.has('top-up-replay-needs-same-body') && orders[0]?.line.ordersType === 'dtu')
    return differs(earlier, body)
  if (faults.has('esim-replay-needs-same-body') && isEsim(earlier)) return differs(earlier, body)
  const [{ line: first } = { line: undefined }] = orders
  const isLater = first?.ordersType === 'shop' && first.delivery.asynchronous
  if (faults.has('later-replay-needs-same-body') && isLater) return differs(earlier, body)
  if (isForgottenEnd(earlier, faults, clock.nowMs())) return true
  if (isForgottenByTime(earlier, key, context) || isForgottenOnceRead(earlier, faults)) return true
  if (faults.has('replay-of-same-kind-only') && isOfOtherKind(earlier, body)) return true
  if (earlier.key !== key && isForgottenForSiblings(faults, earlier, body)) return true
  if (lostFaults(earlier).some((name) => faults.hasNoted(name, lostName(earlier)))) return true
  return (
    faults.has('finished-reference-forgotten') &&
    orders.every(({ line, readyAtMs }) => line.delivery.asynchronous && clock.nowMs() >= readyAtMs)
  )
}

/** Only faults forget, for other keys, what they ask for in another way. */
function isForgottenForSiblings(faults: FaultSet, earlier: Purchase, body: JsonObject): boolean {
  if (faults.has('sibling-reference-of-same-kind-only') && isOfOtherKind(earlier, body)) return true
  const isShop = earlier.orders[0]?.line.ordersType === 'shop'
  if (isShop && faults.has('sibling-reference-of-same-body-only')) return differs(earlier, body)
  const { positions } = body
  const isLonger = Array.isArray(positions) && positions.length !== earlier.orders.length
  return isLonger && faults.has('sibling-checkout-of-same-length-only')
}

/** Whether it is a checkout that another one of its key followed. */
function isOlderCheckout({ orders }: Context, { key, kind, referenceId }: Purchase): boolean {
  const newest = orders
    .newest(key, { limit: 50, offset: 0 })
    .find((order) => orders.purchase(key, order.referenceId, 'checkout')?.kind === 'checkout')
  return kind === 'checkout' && newest !== undefined && newest.referenceId !== referenceId
}

/** Only faults of a busy service lose references. */
function isCrowdedOut({ faults, orders }: Context, { orders: [first] }: Purchase): boolean {
  if (first === undefined || faults.isEmpty) return false
  const isOld = orders.serial - first.serial >= CROWDED.references
  return (
    (isOld && faults.has('busy-references-evicted')) ||
    faults.hasNoted('busy-references-unstored', first.id)
  )
}

/** Faults that keep references of one kind for each key. */
const PER_KEY = {
  dtu: 'top-up-reference-per-key',
  esim: 'esim-reference-per-key',
  shop: undefined,
  'platform-gift': 'gift-reference-per-key',
  checkout: 'checkout-reference-per-key',
} as const

function isOfOtherKey(faults: FaultSet, earlier: Purchase, key: ApiKey): boolean {
  const { kind, orders } = earlier
  const name = PER_KEY[kind === 'checkout' ? kind : (orders[0]?.line.ordersType ?? 'shop')]
  return earlier.key !== key && name !== undefined && faults.has(name)
}

/** Faults that forget the reference of what ended otherwise than in SUCCESS. */
const FORGOTTEN = {
  CANCELLED: 'cancelled-reference-forgotten',
  PARTIALLY_COMPLETED: 'partial-reference-forgotten',
  SUCCESS: undefined,
  IN_PROGRESS: undefined,
} as const

function isForgottenEnd({ orders }: Purchase, faults: FaultSet, nowMs: number): boolean {
  const name = FORGOTTEN[orders[0]?.line.delivery.outcome ?? 'SUCCESS']
  return (
    name !== undefined && faults.has(name) && orders.every(({ readyAtMs }) => nowMs >= readyAtMs)
  )
}

const MINUTE_MS = 60_000

function isForgottenByTime(
  { key, orders }: Purchase,
  sender: ApiKey,
  { faults, clock }: Context,
): boolean {
  const [first] = orders
  const isBrief = faults.has('references-kept-a-minute')
  const isMeant =
    isBrief ||
    faults.has('reference-forgotten-with-window') ||
    (sender !== key && faults.has('sibling-reference-forgotten-with-window')) ||
    (orders[0]?.line.ordersType === 'dtu' && faults.has('top-ups-forgotten-with-window'))
  if (first === undefined || !isMeant) return false
  const ageMs = clock.wallMs() - first.createdAtWallMs
  return ageMs > (isBrief ? MINUTE_MS : key.account.limits.default.windowSeconds * 1000)
}

function isForgottenOnceRead({ orders }: Purchase, faults: FaultSet): boolean {
  return orders.some(({ id }) => faults.hasNoted('reference-forgotten-once-revealed', id))
}

function isOfOtherKind({ kind, orders }: Purchase, { ordersType }: JsonObject): boolean {
  return kind === 'order' && orders.every(({ line }) => line.ordersType !== ordersType)
}

export function differs({ requestText }: Purchase, body: JsonObject): boolean {
  return requestText !== undefined && requestText !== textOf(body)
}

export function textOf(body: JsonObject): string {
  return JSON.stringify(body)
}
