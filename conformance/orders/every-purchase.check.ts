import type { Exchange, InvariantDefinition, RequirementId } from '../engine/kit.ts'
import { isObject, momentOf, show } from '../engine/kit.ts'
import { RESULT_MEMBERS } from '../../contract/wire.ts'
import { headerValue } from '../../harness/client/headers.ts'
import {
  everySeen,
  firstAnswers,
  ordersSeen,
  purchasesSeen,
  vouchersSeen,
  type Rule,
  type SeenPurchase,
  type SeenVoucher,
} from '../steps/orders-seen.ts'
import { violationAt } from '../steps/violations.ts'

type PurchaseRule = {
  /** Also in what later reads show of the order; else in the answer to the purchase alone. */
  readonly everywhere?: true
  readonly statement: string
  readonly applies?: (purchase: SeenPurchase) => boolean
  readonly isOptional?: Rule<SeenPurchase>['isOptional']
  readonly breach: (purchase: SeenPurchase) => string | undefined
}

function everyPurchase(
  name: string,
  requirement: RequirementId,
  { statement, everywhere, applies = () => true, breach, isOptional }: PurchaseRule,
): InvariantDefinition {
  return everySeen({
    id: `orders.every-${name}`,
    title: statement,
    requirement,
    statement,
    subjects: ({ history }) => (everywhere ? ordersSeen : purchasesSeen)(history).filter(applies),
    nothing: 'no purchase of the run was answered with it',
    ...(isOptional !== undefined && { isOptional }),
    breach,
  })
}

function hasRequired(
  member: string,
  requirement: RequirementId,
  statement: string,
): InvariantDefinition {
  return everyPurchase(member.toLowerCase(), requirement, {
    statement,
    breach: ({ value }) => violationAt('purchase-response', value, `/${member}`),
  })
}

export const hasOrderId = hasRequired(
  'orderId',
  'ORD-05',
  'answers to purchases have an orderId, a text',
)
export const hasCurrency = hasRequired(
  'currency',
  'ORD-06',
  'answers to purchases have a currency, a text',
)
export const hasPrice = hasRequired(
  'price',
  'ORD-07',
  'answers to purchases have a price, a number',
)
export const hasStatus = hasRequired(
  'status',
  'ORD-08',
  'answers to purchases have one of the four statuses of an order',
)

export const createdAtIsUtc = everyPurchase('createdat-utc', 'ORD-09', {
  statement: 'createdAt of a purchase is an ISO 8601 date and time in UTC',
  applies: ({ value }) => 'createdAt' in value,
  isOptional: true,
  breach: ({ value }) => violationAt('purchase-response', value, '/createdAt'),
})

const MINUTE_MS = 60_000
/** Zones are whole quarters of an hour apart, and nearly all of them half an hour at least. */
const ZONE_MS = 15 * MINUTE_MS
const ZONE_MS_MIN = 28 * MINUTE_MS
/** Clocks of several machines differ by less. */
const AGE_MS_MAX = 2 * MINUTE_MS

/** By how much createdAt is ahead: of our clock, and of the Date of the answer, which a proxy may have set. */
function aheadMs({ exchange, value }: SeenPurchase): readonly number[] {
  const { sentAtWallMs, sentAtMs, receivedAtMs } = exchange
  const createdMs = momentOf(value['createdAt'])
  const dateMs = Date.parse(headerValue(exchange, 'date') ?? '')
  const ours = createdMs - (sentAtWallMs + receivedAtMs - sentAtMs)
  return Number.isNaN(dateMs) ? [ours] : [ours, createdMs - dateMs]
}

/** By how much createdAt looks like local time of another zone, by every clock. */
function zoneOffsetOf(seen: SeenPurchase): number | undefined {
  const minutes = aheadMs(seen).map(zoneMinutes)
  return minutes.includes(undefined) ? undefined : minutes.at(-1)
}

function zoneMinutes(offsetMs: number): number | undefined {
  const zoneMs = Math.round(offsetMs / ZONE_MS) * ZONE_MS
  const isZone = Math.abs(zoneMs) >= ZONE_MS_MIN && Math.abs(offsetMs - zoneMs) <= AGE_MS_MAX
  return isZone ? zoneMs / MINUTE_MS : undefined
}

type Dated = SeenPurchase & {
  /** By how much createdAt moved otherwise than a clock since the first order: than that clock from which it differs least. */
  readonly driftMs: number
}

function withDrift(seen: readonly SeenPurchase[]): Dated[] {
  const first = seen[0] ? aheadMs(seen[0]) : []
  return seen.map((each) => {
    const driftsMs = aheadMs(each).map((ms, clock) => Math.abs(ms - (first[clock] ?? ms)))
    return { ...each, driftMs: Math.min(...driftsMs) }
  })
}

export const createdAtIsNow = everySeen<Dated>({
  id: 'orders.every-createdat-now',
  title: 'createdAt of a new order is the time in UTC, not that of another zone or order',
  requirement: 'ORD-09',
  statement: 'createdAt of a new order is the time in UTC',
  subjects: ({ history }) =>
    withDrift(
      firstAnswers(history).filter(
        ({ value }) =>
          typeof value['createdAt'] === 'string' &&
          violationAt('purchase-response', value, '/createdAt') === undefined,
      ),
    ),
  nothing: 'no purchase of the run was answered with createdAt, and none has to',
  isOptional: true,
  breach: (seen) => {
    const minutes = zoneOffsetOf(seen)
    const { createdAt } = seen.value
    if (minutes !== undefined) return `${show(createdAt)}, ${minutes} minutes off`
    return seen.driftMs > AGE_MS_MAX
      ? `${show(createdAt)}, ${Math.round(seen.driftMs / MINUTE_MS)} minutes off the first order`
      : undefined
  },
})

export const createdAtIsThere = everyPurchase('createdat', 'ORD-10', {
  statement: 'a fresh order that was answered with 200 has createdAt',
  applies: ({ exchange }) => exchange.response?.status === 200,
  // A service may accept every purchase by a 202 at first.
  isOptional: ({ history }) => purchasesSeen(history).length > 0,
  breach: ({ value }) =>
    (value['createdAt'] ?? undefined) === undefined ? 'no createdAt' : undefined,
})

/**
 * States in which nothing may have been delivered: a partial order may have codes, and need not. The interface says null of one kind,
 * and does not say what others have.
 */
const MAY_BE_EMPTY: readonly unknown[] = ['IN_PROGRESS', 'CANCELLED', 'PARTIALLY_COMPLETED']

/** Where no answer to a purchase of a kind shows what was delivered (OPEN-75), null says as little as an absent member. */
function resultsSeen(history: readonly Exchange[]): readonly SeenPurchase[] {
  const seen = purchasesSeen(history).filter(({ value }) => 'result' in value)
  const shown = new Set(seen.filter(hasContent).map(({ kind }) => kind))
  return seen.filter(({ kind, value }) => value['result'] !== null || shown.has(kind))
}

/** A member that the interface does not name delivers nothing, but an eSIM's result may be the supplier's own payload. */
function hasContent({ kind, value: { result } }: SeenPurchase): boolean {
  if (!isObject(result)) return false
  const delivered = kind === 'esim' ? Object.keys(result) : RESULT_MEMBERS
  return delivered.some((member) => (result[member] ?? undefined) !== undefined)
}

export const resultIsAnObject = everySeen({
  id: 'orders.every-result',
  title: 'result is an object, or null where nothing was delivered',
  requirement: 'ORD-11',
  statement: 'result is an object, or null where nothing was delivered',
  subjects: ({ history }) => resultsSeen(history),
  nothing: 'no purchase of the run was answered with it',
  isOptional: true,
  breach: ({ kind, value: { result, status } }) =>
    isObject(result) || (result === null && MAY_BE_EMPTY.includes(status))
      ? undefined
      : `result ${show(result)} of a ${show(kind)} order in status ${show(status)}`,
})

export const vouchersAreAnArray = everyPurchase('vouchers', 'ORD-12', {
  statement: 'vouchers in the result of a voucher order is an array',
  everywhere: true,
  isOptional: true,
  applies: ({ kind, value: { result } }) =>
    kind === 'shop' && isObject(result) && (result['vouchers'] ?? undefined) !== undefined,
  breach: ({ value }) => violationAt('purchase-response', value, '/result/vouchers'),
})

/** A part of the result that belongs to one kind of order alone. */
function onlyIn(
  kindOfPart: string,
  member: 'esim' | 'platformGift',
  requirement: RequirementId,
): InvariantDefinition {
  return everyPurchase(`${member.toLowerCase()}-only`, requirement, {
    statement: `no order but one of type ${kindOfPart} has ${member} in its result`,
    everywhere: true,
    isOptional: true,
    applies: ({ kind, value }) =>
      typeof kind === 'string' && kind !== kindOfPart && isObject(value['result']),
    breach: ({ kind, value: { result } }) =>
      isObject(result) && (result[member] ?? undefined) !== undefined
        ? `${member} in the result of a ${show(kind)} order`
        : undefined,
  })
}

export const esimOnlyInEsims = onlyIn('esim', 'esim', 'ORD-17')
export const giftOnlyInGifts = onlyIn('platform-gift', 'platformGift', 'ORD-18')

function everyVoucher(
  member: 'pin' | 'serialNumber' | 'expiration',
  requirement: RequirementId,
  statement: string,
  applies: (voucher: SeenVoucher) => boolean,
): InvariantDefinition {
  return everySeen({
    id: `orders.every-voucher-${member.toLowerCase()}`,
    title: statement,
    requirement,
    statement,
    subjects: ({ history }) => vouchersSeen(history).filter(applies),
    nothing: `no answer of the run showed a voucher with ${member} at the place that the interface describes, and none has to`,
    isOptional: true,
    breach: ({ value }) => violationAt('voucher', value, `/${member}`),
  })
}

// How a masked pin looks is not shown: without unhide=true only what is there can be judged.
export const pinIsText = everyVoucher(
  'pin',
  'ORD-14',
  'each voucher that is read in clear has a pin, a text',
  ({ isClear, value }) => isClear || (value['pin'] ?? undefined) !== undefined,
)
export const serialNumberIsText = everyVoucher(
  'serialNumber',
  'ORD-15',
  'the serialNumber of a voucher is a text',
  ({ value }) => (value['serialNumber'] ?? undefined) !== undefined,
)
export const expirationIsDateTime = everyVoucher(
  'expiration',
  'ORD-16',
  'the expiration of a voucher is an ISO 8601 date and time',
  ({ value }) => (value['expiration'] ?? undefined) !== undefined,
)
