import { isTerminal } from '../../contract/wire.ts'
import { coveringSeconds } from '../../harness/plan/waits.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, inapplicable, isThrottled, onlyWithControlSide } from '../engine/kit.ts'
import { buy, patienceSeconds } from '../steps/orders.ts'
import { sendMany } from '../steps/rate-limits/probe.ts'
import {
  openUnhideAccount,
  outcomeOf,
  readClear,
  showBudget,
  showCounts,
  showOutcomes,
  stretched,
  UNHIDES,
  type UnhideAccount,
} from '../steps/unhide/account.ts'
import { statusNow } from '../steps/unhide/orders.ts'

const PRODUCT = 'voucher-async'
const PENDING = 3
const COMPLETED = 2

/** Long beside the time that an order takes, so that few orders meet an edge before they have finished. */
const WINDOW_SECONDS = 8
const ROUNDS_MAX = 6

/** Looks in a window, and how many until admission must have come back. */
const LOOKS = 30
const LOOKS_MAX = 40

/** Of the time that an order took: the pause between its first read and the others. */
const PAUSE_SHARE = 0.5

/** So many orders that ended before the shortest pause was over: no later one would do better. */
const TOO_SOON_MAX = 2

/** Admission that came back in part, or not at all, is held against the service when it does so again: once may be a hiccup of a clock. */
const DECISIVE = 2

export const admissionRefill = check({
  id: 'unhide.admission-refill',
  title: 'when an admission window ends, its whole budget is there again',
  requirements: ['RATE-03'],
  needs: {
    ...UNHIDES,
    capabilities: ['shop', 'unhide', 'async'],
    products: [PRODUCT],
    purchases: 1 + ROUNDS_MAX,
    waits: [
      { orders: 3, product: PRODUCT },
      {
        windows: 1,
        of: ['orders.unhide.admission'],
        ownSeconds: WINDOW_SECONDS,
        ownCovers: PRODUCT,
      },
    ],
    tries: ROUNDS_MAX,
    ofKeysOfFile: onlyWithControlSide('budgets of a few reads in a short window'),
  },
  run: async (context) => {
    const windowSeconds = coveringSeconds(context.target, PRODUCT, WINDOW_SECONDS)
    const wanted = {
      pending: { count: PENDING, windowSeconds },
      completed: { count: COMPLETED, windowSeconds },
    }
    const unhideAccount = await openUnhideAccount(context, await stretched(context, wanted))
    // Longer than the gap between two looks, or the one read and the others would come back together.
    const gapMs = (unhideAccount.budgets.admission.windowSeconds * 1000) / LOOKS
    const timeMs = await timeOf(unhideAccount, gapMs)
    const pauseMsMin = gapMs + 4 * context.slackMs
    const partly: Exchange[] = []
    const stuck: Exchange[][] = []
    const notes: string[] = []
    let tooSoon = 0
    for (let round = 1; round <= ROUNDS_MAX && tooSoon < TOO_SOON_MAX; round++) {
      // Earlier each time that an order had finished before.
      const pauseMs = Math.max(pauseMsMin, (PAUSE_SHARE * timeMs) / 2 ** notes.length)
      const { reads, unusable, isStuck } = await refill(
        unhideAccount,
        { pauseMs, gapMs },
        notes.length > 0,
      )
      if (isStuck) stuck.push([...reads])
      if (stuck.length === DECISIVE) return expectBack(unhideAccount, stuck.flat())
      if (unusable !== undefined) {
        notes.push(unusable)
        if (pauseMs === pauseMsMin && reads.slice(0, -1).some(isCompleted)) tooSoon++
        continue
      }
      const last = reads.at(-1) as Exchange
      const isPart = isThrottled(last)
      if (isPart) partly.push(...reads)
      if (isPart && partly.length < DECISIVE * reads.length) continue
      context.expect('RATE-03').that('admission after the end of its window', {
        holds: !isPart,
        expected: `${showBudget(unhideAccount.budgets.admission)}: two reads pass right after the end, as of a fixed window`,
        observed: isPart
          ? `${DECISIVE} times the first passed and the second got 429`
          : showCounts(reads),
        exchanges: isPart ? partly : reads,
      })
      return
    }
    // Orders that end too soon, or far from when the first did, leave this window to the other checks of windows that come back.
    inapplicable(`no order could be read as planned: ${notes.join('; ')}`)
  },
})

/** Of completed orders whose completed budget is whole. */
function expectBack({ context, budgets }: UnhideAccount, stuck: readonly Exchange[]): void {
  context.expect('RATE-03').that('admission after the end of its window', {
    holds: false,
    expected: `${showBudget(budgets.admission)}: a read passes, whatever was refused before`,
    observed: `${DECISIVE} times nothing passed for more than a window: ${showCounts(stuck)}`,
    exchanges: stuck,
  })
}

/** How long an order takes, milliseconds. */
async function timeOf({ context }: UnhideAccount, gapMs: number): Promise<number> {
  const { exchange, orderId } = await buy(context, { product: PRODUCT })
  await waitForEnd(context, orderId, gapMs)
  return context.clock.nowMs() - exchange.receivedAtMs
}

/** Waits until an order has ended. Looks at a pace of its own: as long as a target may ask to wait, the window is over. */
async function waitForEnd(context: CheckContext, orderId: string, gapMs: number): Promise<void> {
  const untilMs = context.clock.nowMs() + patienceSeconds(context, PRODUCT) * 1000
  while (!isTerminal(await statusNow(context, { orderId })) && context.clock.nowMs() < untilMs)
    await context.wait('an order to finish', gapMs)
}

const isCompleted = (read: Exchange): boolean => outcomeOf(read) === 'completed'

/** All reads of an order. Unusable: an edge or the end of the order came in between. */
type Refill = {
  readonly reads: readonly Exchange[]
  readonly unusable?: string
  /** Refused for more than a window. */
  readonly isStuck?: boolean
}

/**
 * Spends admission while an order is pending, by one read and later the others; looks, once it has completed, until admission is back,
 * and reads once more: where windows slide, only the one read has come back.
 */
async function refill(
  unhideAccount: UnhideAccount,
  { pauseMs, gapMs }: { readonly pauseMs: number; readonly gapMs: number },
  areAtOnce: boolean,
): Promise<Refill> {
  const { context, budgets } = unhideAccount
  const { orderId } = await buy(context, { product: PRODUCT })
  const read = (): Promise<Exchange> => readClear(unhideAccount, { orderId })
  const reads = [await read()]
  await context.wait('the middle of the time that an order takes', pauseMs)
  // Sent at once where orders had finished before.
  const others = budgets.admission.count - 1
  reads.push(...(await sendMany(read, others, areAtOnce ? others : 1)))
  await waitForEnd(context, orderId, gapMs)
  const first = await read()
  reads.push(first)
  const outcomes = reads.map(outcomeOf)
  // A read that showed it completed would leave too little of that budget for the two that decide.
  const areAsPlanned =
    outcomes.filter((each) => each === 'pending').length === PENDING &&
    !outcomes.includes('completed')
  if (!areAsPlanned || !isThrottled(first))
    return { reads, unusable: `the reads gave ${showOutcomes(reads)}` }
  for (let look = 0; look < LOOKS_MAX; look++) {
    await context.wait('spent admission to come back', gapMs)
    reads.push(await read())
    if (isThrottled(reads.at(-1) as Exchange)) continue
    // Nodes whose clocks differ a little are then all in the new window.
    await context.wait('all nodes to be in the new window', 2 * context.slackMs)
    return { reads: [...reads, await read()] }
  }
  const spanMs = (reads.at(-1)?.sentAtMs ?? 0) - first.receivedAtMs
  const isStuck = spanMs > budgets.admission.windowSeconds * 1000 + 2 * context.slackMs
  return { reads, unusable: `admission did not come back: ${showCounts(reads)}`, isStuck }
}
