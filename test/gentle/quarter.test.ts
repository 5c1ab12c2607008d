/** A run without --allow-load on a target that is neither on loopback nor a sandbox: it leaves three quarters of each window to others. */
import { expect, test } from 'vitest'
import type { Exchange } from '../../harness/client/exchange.ts'
import type { EffectiveLimits } from '../../harness/quota/effective-limits.ts'
import { GENTLE_REASON } from '../../harness/quota/courtesy.ts'
import { suiteRun } from '../support/suite-run.ts'

/** The window that a request counts in, and whose it is; undefined where there is none. */
function windowOf(exchange: Exchange): { name: string; bucket: keyof EffectiveLimits } | undefined {
  const { operation, account, request, role } = exchange
  if (role === 'none' || role === 'invented' || operation === 'raw') return undefined
  const query = new URL(request.url).searchParams
  if (operation !== 'getOrders') return { name: `${account} ${operation}`, bucket: 'default' }
  const order = query.get('orderId') ?? query.get('referenceId')
  if (query.get('unhide') === 'true')
    return { name: `${account} unhide ${order}`, bucket: 'orders.unhide.completed' }
  const bucket = order === null ? 'orders.list' : 'orders.filtered'
  return { name: `${account} ${bucket}`, bucket }
}

/** The most of these moments that lie within one stretch of so long. */
function mostWithin(timesMs: readonly number[], spanMs: number): number {
  let first = 0
  let most = 0
  for (const [index, timeMs] of timesMs.entries()) {
    while ((timesMs[first] ?? 0) <= timeMs - spanMs) first += 1
    most = Math.max(most, index - first + 1)
  }
  return most
}

test.each([
  ['windows of the interface', 60],
  ['short windows', 2],
])('%s: no stretch of a window holds a quarter of it', async (_, windowSeconds) => {
  const hazards: string[] = []
  const { session, outcomes } = await suiteRun({
    accounts: { shared: 'all' },
    windowSeconds,
    isGentle: true,
    onHazard: (text) => hazards.push(text),
  })
  const times = new Map<string, { bucket: keyof EffectiveLimits; timesMs: number[] }>()
  for (const exchange of session.history.all()) {
    const window = windowOf(exchange)
    if (!window) continue
    const known = times.get(window.name) ?? { bucket: window.bucket, timesMs: [] }
    known.timesMs.push(exchange.sentAtMs)
    times.set(window.name, known)
  }
  const tooMany = [...times].flatMap(([name, { bucket, timesMs }]) => {
    const limit = session.options.limits[bucket]
    const most = mostWithin(
      timesMs.toSorted((a, b) => a - b),
      1000 * (limit?.windowSeconds ?? 0),
    )
    // Of an order of its own a run takes the one look that there is.
    const share = bucket.startsWith('orders.unhide') ? 1 : (limit?.count ?? 0) / 4
    return most < share || (share === 1 && most === 1)
      ? []
      : [`${name}: ${most} of ${limit?.count}`]
  })
  expect(tooMany).toEqual([])
  expect(outcomes.filter(({ check }) => ['fail', 'error'].includes(check.verdict))).toEqual([])
  const open = outcomes.filter(({ check }) => check.reason?.includes(GENTLE_REASON))
  expect(open.length).toBeGreaterThan(20)
  expect(hazards).toEqual([])
})
