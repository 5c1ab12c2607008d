/** Whether a target began anew at a broken connection, although nobody was refused: all that it knew is gone at once. */
import type { Exchange } from '../client/exchange.ts'
import { sentReference } from '../client/sent-body.ts'

/** So many orders of several checks are no mishap of one of them. */
const LOST_MIN = 3
const CHECKS_MIN = 2

/** What one key was answered about one order, or about what a reference stands for. */
type Sight = {
  readonly key: string
  readonly of: string
  readonly check: string
  readonly sentAtMs: number
  readonly receivedAtMs: number
  /** Its id, ANY where the answer holds one or another, undefined where it holds none. */
  readonly order: string | undefined
}

const ANY = ''

type Loss = {
  readonly check: string
  readonly fromMs: number
  readonly toMs: number
  /** Nothing is there any more; else another order is. */
  readonly isGone: boolean
}

/** What a key that is no longer known gets. */
const UNKNOWN_KEY = [401, 403, 404]

/**
 * How many orders were gone after these broken connections that were known before; undefined where that shows no restart: fewer were
 * lost, one survived, or one was lost at another time, which is a service that loses orders.
 */
export function lostAcross(
  signs: readonly Exchange[],
  history: readonly Exchange[],
): number | undefined {
  const fromMs = Math.min(...signs.map(({ sentAtMs }) => sentAtMs))
  const toMs = Math.max(...signs.map(({ receivedAtMs }) => receivedAtMs))
  const sights = sightsByKey(history)
  const losses = sights.flatMap(lossesIn)
  const isOfThis = losses.every((loss) => loss.fromMs <= toMs && loss.toMs >= fromMs)
  const survived = sights.some((all) => {
    const before = all.filter(({ receivedAtMs }) => receivedAtMs < fromMs).map(({ order }) => order)
    return all.some(
      ({ order = ANY, sentAtMs }) => order !== ANY && sentAtMs > toMs && before.includes(order),
    )
  })
  const checks = new Set(losses.map(({ check }) => check))
  const isMuch = losses.length >= LOST_MIN && checks.size >= CHECKS_MIN
  // A reference that stands for another order may have been forgotten by itself.
  const isAnyGone = losses.some(({ isGone }) => isGone)
  return isMuch && isAnyGone && isOfThis && !survived ? losses.length : undefined
}

/** By key and order. Only the key that bought an order sees it again: what a replay shows another key is no sight of its own. */
function sightsByKey(history: readonly Exchange[]): Sight[][] {
  const buyers = new Map<string, string>()
  const own = history
    .flatMap(sightsIn)
    .toSorted((a, b) => a.sentAtMs - b.sentAtMs)
    .filter(({ order = ANY, key }) => {
      if (order !== ANY && !buyers.has(order)) buyers.set(order, key)
      return order === ANY || buyers.get(order) === key
    })
  return [...Map.groupBy(own, ({ key, of }) => `${key} ${of}`).values()]
}

function sightsIn(exchange: Exchange): Sight[] {
  const { operation, request, role, account, check, sentAtMs, receivedAtMs } = exchange
  const sight = (of: string, order: string | undefined): Sight => ({
    key: `${account} ${role}`,
    of,
    check,
    sentAtMs,
    receivedAtMs,
    order,
  })
  if (operation === 'createOrder') {
    const { orderId } = (member(exchange.json, 'data') ?? {}) as { orderId?: unknown }
    const referenceId = sentReference(exchange)
    if (typeof orderId !== 'string' || referenceId === undefined) return []
    return [sight(orderId, orderId), sight(referenceId, orderId)]
  }
  if (operation !== 'getOrders') return []
  const { searchParams } = new URL(request.url)
  const [orderId, referenceId] = ['orderId', 'referenceId'].map((name) => searchParams.get(name))
  const isFound = isOrderIn(exchange)
  const filter = orderId ?? referenceId
  if (filter === undefined || filter === null || isFound === undefined) return []
  return [sight(filter, isFound ? (orderId ?? ANY) : undefined)]
}

/** Undefined where the answer says neither. */
function isOrderIn({ response, json }: Exchange): boolean | undefined {
  if (UNKNOWN_KEY.includes(response?.status ?? 0)) return false
  const items = member(member(member(json, 'data'), 'page'), 'items')
  return response?.status === 200 && Array.isArray(items) ? items.length > 0 : undefined
}

/** From the last time that an order was there until it was gone, or another was in its place. */
function lossesIn(sights: readonly Sight[]): Loss[] {
  const sorted = sights.toSorted((a, b) => a.sentAtMs - b.sentAtMs)
  return sorted.flatMap(({ order, check, receivedAtMs }, index) => {
    const before = sorted[index - 1]
    if (before?.order === undefined) return []
    const isGone = order === undefined
    const isOther = !isGone && order !== ANY && before.order !== ANY && order !== before.order
    if (!isGone && !isOther) return []
    return [{ check, fromMs: before.sentAtMs, toMs: receivedAtMs, isGone }]
  })
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
