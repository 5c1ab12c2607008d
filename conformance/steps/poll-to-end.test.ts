import { expect, it } from 'vitest'
import type { CheckContext } from '../engine/kit.ts'
import { pollToEnd } from './orders.ts'

/** How many readings one poll takes of an order that shows these statuses in turn, and the last one for ever. */
async function readingsOf(
  statuses: readonly string[],
  { headers = [], ...polling }: { headers?: readonly string[][]; pauseSecondsMax?: number } = {},
): Promise<number> {
  let [nowMs, read] = [0, 0]
  const getOrders = (): unknown => {
    const status = statuses[Math.min(read++, statuses.length - 1)]
    const json = { data: { page: { items: [{ orderId: 'one', status }] } } }
    return { operation: 'getOrders', response: { status: 200, headers, body: '' }, json }
  }
  const context = {
    target: { products: { voucher: { completesWithinSeconds: 2 } } },
    clock: { nowMs: () => nowMs },
    api: { as: () => ({ getOrders }) },
    wait: (_: string, ms: number) => (nowMs += ms),
  } as unknown as CheckContext
  const readings = await pollToEnd(context, 'voucher', { referenceId: 'one' }, polling)
  return readings.length
}

it('polls an order until it has finished', async () => {
  expect(await readingsOf(['IN_PROGRESS', 'IN_PROGRESS', 'SUCCESS'])).toBe(3)
})

it('does not wait for an order whose status the interface does not have', async () => {
  expect(await readingsOf(['success'])).toBe(1)
})

it('ends with the wait for an order that never finishes', async () => {
  expect(await readingsOf(['IN_PROGRESS'])).toBe(21)
})

it('polls sooner than the target asks where the end must be seen soon', async () => {
  const headers = [['Retry-After', '60']]
  expect(await readingsOf(['IN_PROGRESS'], { headers })).toBe(2)
  expect(await readingsOf(['IN_PROGRESS'], { headers, pauseSecondsMax: 0.5 })).toBe(11)
})
