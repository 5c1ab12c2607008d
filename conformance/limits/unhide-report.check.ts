import type { ProductAbility } from '../../contract/capabilities.ts'
import type { WindowLimit } from '../../contract/limits.ts'
import { reportedLimit } from '../../harness/quota/effective-limits.ts'
import type { Api, CheckContext, Exchange, Needs } from '../engine/kit.ts'
import { check, inconclusive, isThrottled, needSuccess, untested } from '../engine/kit.ts'
import { UNHIDES, UNHIDES_VOUCHERS } from '../steps/unhide/account.ts'
import { buyFinished } from '../steps/unhide/orders.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'

/** Several orders have to show what an edge may explain for one. */
const ORDERS = 3

/** Reads on a busy machine may take too long to tell: others follow. */
const ROUNDS_MAX = 3

/** Wanted where accounts are made to order: long enough for no edge to be likely, and no two alike. */
const WANTED = {
  'orders.unhide.pending': { count: 4, windowSeconds: 20 },
  'orders.unhide.completed': { count: 2, windowSeconds: 20 },
} as const

type UnhideBucket = keyof typeof WANTED

/** An account of the check's own where one can be made, else the usual one. */
async function accountOf({ api, makeAccount }: CheckContext): Promise<Api> {
  if (!makeAccount) return api.as('full')
  const [own] = await makeAccount({
    keys: [{ scopes: ['product:read', 'orders:write', 'orders:read', 'funds:read'] }],
    limits: WANTED,
  })
  if (!own) throw new Error('an account with one key has one caller')
  return own.as('full')
}

/** Reads one order in clear until it is refused; at most so often. */
async function readUntilRefused(api: Api, orderId: string, most: number): Promise<Exchange[]> {
  const reads: Exchange[] = []
  while (reads.length < most && !reads.some(isThrottled)) {
    const read = await api.getOrders({ orderId, unhide: true }, RETURN_429_UNPACED)
    reads.push(isThrottled(read) ? read : needSuccess(read))
  }
  return reads
}

/** So short beside the window that an edge in each of several orders, wherever their windows start, is next to impossible. */
const BRIEF_SHARE = 0.05

function areBrief(reads: readonly Exchange[], windowSeconds: number): boolean {
  const [first, last] = [reads[0], reads.at(-1)]
  if (!first || !last) return false
  return last.receivedAtMs - first.sentAtMs < BRIEF_SHARE * windowSeconds * 1000
}

/** Reads may count in a default window too, with those that waited for the orders: it must not be what refuses. */
function hasRoomBeside({ limit }: CheckContext, reads: number): boolean {
  return 2 * reads <= limit('default').count
}

/** What reads of several orders show beside a reported limit, and whether no edge explains it. */
type Looked = {
  readonly read: readonly (readonly Exchange[])[]
  readonly admitted: readonly number[]
  readonly isOver: boolean
  readonly isUnder: boolean
  readonly isTelling: boolean
}

function lookedAt(
  read: Looked['read'],
  { count, windowSeconds }: WindowLimit,
  hasRoom: boolean,
): Looked {
  const admitted = read.map((reads) => reads.filter((each) => !isThrottled(each)).length)
  const isOver = admitted.every((each) => each > count)
  const isUnder = admitted.every((each) => each < count)
  const isOpen =
    (isOver && !read.every((reads) => areBrief(reads, windowSeconds))) || (isUnder && !hasRoom)
  return { read, admitted, isOver, isUnder, isTelling: admitted.includes(count) || !isOpen }
}

type Reported = {
  readonly state: 'pending' | 'completed'
  /** An order of this ends so. */
  readonly product: ProductAbility
  readonly status: 'PARTIALLY_COMPLETED' | 'SUCCESS'
  readonly needs: Needs
}

function keepsReport({ state, product, status, needs }: Reported): ReturnType<typeof check> {
  const bucket: UnhideBucket = `orders.unhide.${state}`
  return check({
    id: `limits.report-unhide-${state}`,
    title: `an order has the ${state} budget that GET /rate-limits reports`,
    requirements: ['LIMIT-01'],
    needs: {
      ...needs,
      capabilities: ['shop', 'unhide', 'rate-limits'],
      selectors: [`rateLimits.${bucket}.count`, `rateLimits.${bucket}.windowSeconds`],
      purchases: ROUNDS_MAX * ORDERS,
      tries: ROUNDS_MAX,
    },
    run: async (context) => {
      const api = await accountOf(context)
      const report = needSuccess(await api.rateLimits())
      const reported = reportedLimit(context.target, report, bucket)
      if (!reported) untested(`GET /rate-limits reports nothing usable for ${bucket}`)
      const most = Math.max(reported.count, WANTED[bucket].count) + 1
      const own = { ...context, api }
      const readAll = async (): Promise<Looked> => {
        const orders = Array.from({ length: ORDERS }, () => buyFinished(own, product, status))
        const read: Exchange[][] = []
        for (const { orderId } of await Promise.all(orders))
          read.push(await readUntilRefused(api, orderId, most))
        return lookedAt(read, reported, hasRoomBeside(context, ORDERS * most))
      }
      let looked = await readAll()
      for (let round = 1; round < ROUNDS_MAX && !looked.isTelling; round++) looked = await readAll()
      const { read, admitted, isOver, isUnder, isTelling } = looked
      if (!isTelling)
        inconclusive(`orders could be read ${admitted.join(', ')} times before they were refused`)
      context.expect('LIMIT-01').that(`${bucket} keeps the count that is reported`, {
        holds: !isOver && !isUnder,
        expected: `${reported.count} reads in clear of each order, then 429`,
        observed: `${admitted.join(', ')} reads of ${ORDERS} orders`,
        exchanges: [report, ...read.flatMap((reads) => reads.slice(-2))],
      })
    },
  })
}

export const pendingAsReported = keepsReport({
  state: 'pending',
  product: 'voucher-partial',
  status: 'PARTIALLY_COMPLETED',
  needs: {
    ...UNHIDES,
    products: ['voucher-partial'],
    waits: [{ orders: 1, product: 'voucher-partial' }],
  },
})

export const completedAsReported = keepsReport({
  state: 'completed',
  product: 'voucher',
  status: 'SUCCESS',
  needs: UNHIDES_VOUCHERS,
})
