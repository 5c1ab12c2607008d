import { retryAfterSeconds } from '../../../harness/client/headers.ts'
import { fastestMs, arriveTogether, spreadMs, widest } from '../../../harness/judge/overlap.ts'
import type { Wait } from '../../../harness/plan/waits.ts'
import { type Exchange, isAccepted, isDecided, isThrottled, untested } from '../../engine/kit.ts'
import type { Trial } from './race.ts'
import { type Buyer } from '../buyer.ts'

/** Orders released together. */
export const BURST_SIZE = 20

/** Of fewer orders hardly any arrive together. */
const BURST_SIZE_MIN = 4

/** Added to a window before its requests are taken to count no more. */
const WINDOW_MARGIN_MS = 250

const RETRIES_MAX = 6

/** Longest Retry-After that is waited for: the interface calls contention brief. */
const PAUSE_SECONDS_MAX = 15

/** What so many bursts wait for at most: room in the window for their orders and as many retries, and the pause of contention. */
export function burstWaits(bursts: number, size = BURST_SIZE): readonly Wait[] {
  return [{ requests: 2 * bursts * size + 4 }, { seconds: 1.5, reason: 'contention to pass' }]
}

/** One purchase and every attempt at it, oldest first. */
export type Order = {
  readonly referenceId: string
  readonly units: number
  readonly attempts: Exchange[]
}

/** Orders released together, and whether their first attempts arrived so. */
export type Burst = {
  readonly orders: readonly Order[]
  /** First attempts, by order. */
  readonly first: readonly Exchange[]
} & Trial

/** How many orders a burst may have, so that it and as many retries fit into one window of the endpoint. */
export function burstSize({ context }: Buyer, wanted = BURST_SIZE): number {
  const { count } = context.limit('default', 'createOrder')
  const size = Math.min(wanted, count >> 1)
  if (size < BURST_SIZE_MIN)
    untested(
      `a window of ${count} requests does not admit ${BURST_SIZE_MIN} orders at once with their retries`,
    )
  return size
}

/** Sends `count` orders of `units` each at once, on connections that are open already. */
export async function release(buyer: Buyer, count: number, units: number): Promise<Burst> {
  const orders = Array.from({ length: count }, (): Order => {
    return { referenceId: buyer.context.reference(), units, attempts: [] }
  })
  await makeRoom(buyer, count)
  await warm(buyer, count)
  // All are awaited even if one cannot be sent, so that none is left under way.
  const sendings = await Promise.allSettled(orders.map((order) => attempt(buyer, order)))
  const failed = sendings.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  const first = orders.flatMap(({ attempts }) => attempts)
  return { orders, first, ...trialOf(first, buyer.exchanges) }
}

/** One more attempt at an order; its 429 is given back. */
export async function attempt(buyer: Buyer, order: Order): Promise<Exchange> {
  const exchange = await buyer.send(order.units, order.referenceId, { throttled: 'return' })
  order.attempts.push(exchange)
  return exchange
}

/** Retries one order alone, as its Retry-After says, until it is decided or the attempts are used up. */
export async function retry(
  buyer: Buyer,
  order: Order,
  retriesMax = RETRIES_MAX,
): Promise<Exchange> {
  let last = order.attempts.at(-1) ?? (await attempt(buyer, order))
  for (let retries = 0; retries < retriesMax && !isDecided(last); retries++) {
    await pause(buyer, [last])
    await makeRoom(buyer, 1)
    last = await attempt(buyer, order)
  }
  return last
}

/** Waits as long as the answers ask, counted from when the last of them was received. */
export async function pause({ context }: Buyer, answers: readonly Exchange[]): Promise<void> {
  const goalsMs = answers.filter(isThrottled).map((exchange) => {
    const seconds = Math.min(retryAfterSeconds(exchange) ?? 1, PAUSE_SECONDS_MAX)
    return exchange.receivedAtMs + seconds * 1000 + context.slackMs
  })
  await context.wait(
    'contention to pass',
    Math.max(0, ...goalsMs.map((goalMs) => goalMs - context.clock.nowMs())),
  )
}

/**
 * Whether the window of POST /orders is not spent: another key of the account can buy. Undefined where the account has no other key to
 * tell by.
 */
export async function windowIsFree(buyer: Buyer, sibling: Buyer): Promise<boolean | undefined> {
  const { keys, reference, wait } = buyer.context
  if (keys.key(buyer.role).account !== keys.key(sibling.role).account) return undefined
  const control = await sibling.send(1, reference(), { throttled: 'return' })
  if (!isThrottled(control)) return true
  await wait('a window to pass', (retryAfterSeconds(control) ?? 1) * 1000)
  return false
}

/** Waits until the window of POST /orders, or of POST /carts, has room for so many more, whatever its phase. */
export async function makeRoom(
  buyer: Pick<Buyer, 'context' | 'exchanges'>,
  count: number,
  operation: 'createOrder' | 'createCart' = 'createOrder',
): Promise<void> {
  const { clock, limit, wait } = buyer.context
  const { count: budget, windowSeconds } = limit('default', operation)
  const spanMs = windowSeconds * 1000 + WINDOW_MARGIN_MS
  const recent = buyer.exchanges
    .map(({ receivedAtMs }) => receivedAtMs)
    .toSorted((a, b) => a - b)
    .slice(-budget)
  // Whatever was sent before the oldest that may stay must have left the window.
  const leaving = recent[recent.length - 1 - (budget - count)]
  if (leaving !== undefined)
    await wait('room in the window of orders', leaving + spanMs - clock.nowMs())
}

/** Opens as many connections as orders are sent, by reads that cost nothing. */
async function warm({ context, role }: Buyer, count: number): Promise<void> {
  const api = context.api.as(role)
  await Promise.all(
    Array.from({ length: count }, () => api.listServices({ limit: 1 }, { throttled: 'return' })),
  )
}

/** Whether purchases that were released together arrived so, by how long the fastest purchase known took. */
export function trialOf(released: readonly Exchange[], known: readonly Exchange[]): Trial {
  const isTogether = arriveTogether(released, fastestMs(known.filter(isAccepted)))
  return { isTogether, text: describe(released) }
}

function describe(exchanges: readonly Exchange[]): string {
  const statuses = new Map<string, number>()
  for (const { response } of exchanges) {
    const status = String(response?.status ?? 'none')
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const counts = [...statuses].map(([status, count]) => `${count} × HTTP ${status}`).join(', ')
  return `${exchanges.length} orders sent within ${spreadMs(exchanges).toFixed(1)} ms, ${widest(exchanges)} under way at once: ${counts}`
}
