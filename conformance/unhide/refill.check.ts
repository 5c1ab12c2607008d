import type { Exchange } from '../../harness/client/exchange.ts'
import { check } from '../check.ts'
import { inconclusive, untested } from '../engine/undecided.ts'
import { isRefused } from '../windows/probe.ts'
import {
  openDesk,
  outcomeOf,
  readClear,
  showBudget,
  showCounts,
  UNHIDES,
  type Desk,
} from './desk.ts'
import { HELD_SECONDS } from './held-window.ts'
import { buyFinished } from './orders.ts'

const PENDING = { count: 2, windowSeconds: HELD_SECONDS } as const
const COMPLETED = { count: 60, windowSeconds: HELD_SECONDS } as const

/** Looks in a window, and how many until a budget must have come back. */
const LOOKS = 30
const LOOKS_MAX = 40

/** A budget that came back in part is held against the service when it does so again: once may be a hiccup of a clock. */
const DECISIVE = 2

export const pendingRefill = check({
  id: 'unhide.pending-refill',
  title: 'when the window of a pending budget ends, the whole budget is there again',
  requirements: ['RATE-03'],
  needs: {
    ...UNHIDES,
    products: ['voucher-partial'],
    purchases: 1,
    waits: [
      { orders: 1, product: 'voucher-partial' },
      { windows: 2, of: ['orders.unhide.pending'], ownSeconds: HELD_SECONDS },
    ],
    tries: DECISIVE,
  },
  run: async (context) => {
    if (!context.makeAccount)
      untested('a budget of two reads in a short window cannot be made: there is no control side')
    const desk = await openDesk(context, { pending: PENDING, completed: COMPLETED })
    const { orderId } = await buyFinished(desk.context, 'voucher-partial', 'PARTIALLY_COMPLETED')
    const partly: Exchange[] = []
    for (let round = 1; round <= DECISIVE; round++) {
      const reads = await refill(desk, orderId)
      const isPart = isRefused(reads.at(-1) as Exchange)
      if (isPart) partly.push(...reads)
      if (isPart && round < DECISIVE) continue
      context.expect('RATE-03').that('a pending budget after the end of its window', {
        holds: !isPart,
        expected: `${showBudget(PENDING)}: both reads pass right after the end, as of a fixed window`,
        observed: isPart
          ? `${DECISIVE} times the first passed and the second got 429`
          : showCounts(reads),
        exchanges: isPart ? partly : reads,
      })
    }
  },
})

/** Spends the budget by reads half a window apart, looks until it is back, and reads once more: the last of the reads tells. */
async function refill(desk: Desk, orderId: string): Promise<readonly Exchange[]> {
  const { context } = desk
  const windowMs = PENDING.windowSeconds * 1000
  const reads = [await readClear(desk, { orderId })]
  await context.wait('the middle of a window', windowMs / 2)
  while (!reads.some(isRefused) && reads.length <= 2 * PENDING.count + 1)
    reads.push(await readClear(desk, { orderId }))
  if (!reads.some(isRefused)) untested(`the pending budget admitted ${reads.length} reads`, reads)
  for (let look = 0; look < LOOKS_MAX; look++) {
    await context.wait('a spent unhide budget to come back', windowMs / LOOKS)
    const read = await readClear(desk, { orderId })
    reads.push(read)
    if (outcomeOf(read) !== 'pending') continue
    // Nodes whose clocks differ a little are then all in the new window.
    await context.wait('all nodes to be in the new window', 2 * context.slackMs)
    return [...reads, await readClear(desk, { orderId })]
  }
  return inconclusive(`the pending budget did not come back: ${showCounts(reads)}`)
}
