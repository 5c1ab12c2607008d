import { isComparable, priceBreach, type OrderAnswer } from '../../harness/judge/rules/replays.ts'
import { type Exchange, isAccepted, isObject, momentOf, show, statusCodeOf } from '../engine/kit.ts'
import { entriesOf } from '../steps/cart.ts'
import { everySeen, purchasesSeen, type SeenPurchase } from '../steps/orders-seen.ts'

/** One answer to a purchase, and the first that named the same order. */
type Again = SeenPurchase & { readonly first: SeenPurchase }

/** How far apart two texts of one moment may be: one of them may be cut to seconds. */
const SAME_MOMENT_MS_MAX = 1_000

export const replaysGiveOriginal = everySeen<Again>({
  id: 'idempotency.every-replay',
  title: 'every answer to a purchase of any kind says of its order what the first one said',
  requirement: 'IDEM-03',
  statement: 'a replay has price, currency, createdAt and what was delivered of the first answer',
  subjects: ({ history }) =>
    [...Map.groupBy([...purchasesSeen(history), ...entriesSeen(history)], orderOf)].flatMap(
      ([order, answers]) => {
        const [first, ...others] = answers
        return order === undefined || !first ? [] : others.map((each) => ({ ...each, first }))
      },
    ),
  nothing: 'no two answers to purchases of the run named one order',
  isOptional: true,
  breach: (again) => breachOfFacts(again) ?? breachOfMoment(again) ?? breachOfResult(again),
})

/** The orders of checkouts, as each answer gives them. */
function entriesSeen(history: readonly Exchange[]): readonly SeenPurchase[] {
  return history
    .filter((exchange) => exchange.operation === 'createCart' && isAccepted(exchange))
    .toSorted((one, other) => one.sentAtMs - other.sentAtMs)
    .flatMap((exchange) =>
      (entriesOf(exchange) ?? [])
        .filter(isObject)
        .map((value) => ({ exchange, kind: value['ordersType'] ?? 'checkout', value })),
    )
}

function orderOf({ exchange, value: { orderId } }: SeenPurchase): string | undefined {
  return typeof orderId === 'string' ? `${exchange.account} ${orderId}` : undefined
}

function orderIn({ orderId, status, price, currency }: SeenPurchase['value']): OrderAnswer {
  return { orderId, state: status, price, currency }
}

function breachOfFacts({ first, value, kind }: Again): string | undefined {
  const breach = priceBreach(orderIn(first.value), orderIn(value))
  return breach && `a ${show(kind)} order of ${breach}`
}

function breachOfMoment({ first, value, kind }: Again): string | undefined {
  const [at, laterAt] = [first.value['createdAt'], value['createdAt']]
  const apartMs = Math.abs(momentOf(at) - momentOf(laterAt))
  // What is no moment compares as false.
  if (!(apartMs > SAME_MOMENT_MS_MAX)) return undefined
  return `createdAt ${show(laterAt)} of a ${show(kind)} order, at first ${show(at)}`
}

/** How codes look in a replay is not shown; that they are there is: the original result is returned. */
function breachOfResult(again: Again): string | undefined {
  const { first, value, exchange } = again
  if (!isComparable(orderIn(first.value), orderIn(value)) || exchange.role !== first.exchange.role)
    return undefined
  const [count, others] = [countIn(first.value), countIn(value)]
  if (count > 0 && others < count) return `${others} vouchers, at first ${count}`
  const [parts, otherParts] = [partsIn(first.value), partsIn(value)]
  const lost = parts.filter((part) => !otherParts.includes(part))
  return lost.length === 0 ? undefined : `a result without ${show(lost)}, which it had at first`
}

/** What orders of the other kinds have in their results. */
const PARTS = ['attributes', 'esim', 'platformGift']

function partsIn({ result }: SeenPurchase['value']): string[] {
  return isObject(result) ? PARTS.filter((part) => isObject(result[part])) : []
}

function countIn({ result }: SeenPurchase['value']): number {
  const vouchers = isObject(result) ? result['vouchers'] : undefined
  return Array.isArray(vouchers) ? vouchers.length : 0
}

type Marked = { readonly exchange: Exchange; readonly kind: unknown; readonly usual: unknown }

/** Replays by the key that bought: sent when an earlier answer had named the order. */
function replaysIn(history: readonly Exchange[]): Marked[] {
  const replays = [...Map.groupBy(purchasesSeen(history), orderOf)].flatMap(([order, answers]) => {
    const [first, ...others] = answers
    if (order === undefined || !first) return []
    return others.filter(
      ({ exchange }) =>
        exchange.role === first.exchange.role &&
        exchange.sentAtMs >= first.exchange.receivedAtMs &&
        Number.isInteger(statusCodeOf(exchange)),
    )
  })
  const [usual] = [...Map.groupBy(replays, ({ exchange }) => statusCodeOf(exchange))]
    .toSorted(([, some], [, others]) => others.length - some.length)
    .map(([code]) => code)
  return replays.map(({ exchange, kind }) => ({ exchange, kind, usual }))
}

export const replaysHaveOneMark = everySeen<Marked>({
  id: 'idempotency.every-mark',
  title: 'replays of all kinds of orders are marked by one statusCode',
  requirement: 'IDEM-04',
  statement: 'a replay has the statusCode that replays have',
  subjects: ({ history }) => replaysIn(history),
  nothing: 'no purchase of the run was sent again and named its order',
  isOptional: true,
  breach: ({ exchange, kind, usual }) =>
    statusCodeOf(exchange) === usual
      ? undefined
      : `${show(statusCodeOf(exchange))} for a ${show(kind)} order, ${show(usual)} for most replays`,
})
