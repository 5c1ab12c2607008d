import type { Exchange } from '../../harness/client/exchange.ts'
import { isTerminal, buy, pollToEnd } from '../orders/steps.ts'
import { outcomeOf, readClear, type Desk } from './desk.ts'
import { statusNow } from './orders.ts'

/** An order whose pending budget was spent while it was pending, and which has completed since. */
export type SpentWhilePending =
  | { readonly orderId: string; readonly reads: readonly Exchange[] }
  | { readonly lacks: string }

/**
 * Between which moments after their purchase orders finished, milliseconds, as far as polls told. Spending that begins shortly before
 * leaves little room for an edge in between.
 */
export type Experience = { pendingMs: number; finishedMs: number }

/** Of the time between a poll that found an order pending and the one that found it finished: later is risky, earlier is long. */
const LATE_SHARE = 0.85

/** Orders that finish sooner are read at once: they would be finished before. */
const QUICK_MS = 3000

function delayMs({ pendingMs, finishedMs }: Experience): number {
  return finishedMs < QUICK_MS ? 0 : pendingMs + LATE_SHARE * (finishedMs - pendingMs)
}

/**
 * Buys an asynchronous voucher, spends its whole pending budget and makes `refusals` more attempts, all while it is pending; then
 * waits for its end with masked reads. Begins as late as experience advises, and adds to it.
 */
export async function spendWhilePending(
  desk: Desk,
  refusals: number,
  experience: Experience,
): Promise<SpentWhilePending> {
  const { context, budgets } = desk
  const { pending } = budgets
  const { exchange, orderId, referenceId } = await buy(context, { product: 'voucher-async' })
  const startMs = exchange.receivedAtMs + delayMs(experience)
  await context.wait('an order to be about to finish', startMs - context.clock.nowMs())
  const reads: Exchange[] = []
  for (let number = 0; number < pending.count + refusals; number++)
    reads.push(await readClear(desk, { orderId }))
  const outcomes = reads.map(outcomeOf)
  const isAsWanted = outcomes.every(
    (outcome, index) => outcome === (index < pending.count ? 'pending' : 'refused'),
  )
  const readings = await pollToEnd(context, 'voucher-async', { referenceId })
  const sinceMs = (each: Exchange): number => each.sentAtMs - exchange.receivedAtMs
  const pendingReads = reads.filter((each) => outcomeOf(each) === 'pending')
  const lastPending =
    readings.findLast(({ item }) => item['status'] === 'IN_PROGRESS')?.exchange ??
    pendingReads.at(-1)
  const finished =
    reads.find((each) => outcomeOf(each) === 'completed') ?? readings.at(-1)?.exchange
  experience.pendingMs = Math.max(0, lastPending ? sinceMs(lastPending) : 0)
  experience.finishedMs = Math.max(experience.pendingMs, finished ? sinceMs(finished) : 0)
  if (!isAsWanted) return { lacks: `${pending.count + refusals} reads gave ${outcomes.join(', ')}` }
  const status = readings.at(-1)?.item['status']
  // An order that turns back is judged elsewhere.
  const confirmed = await statusNow(context, { orderId })
  if (confirmed !== status)
    return { lacks: `the order was ${String(status)}, then ${String(confirmed)}` }
  if (!isTerminal(status) || status === 'PARTIALLY_COMPLETED')
    return { lacks: `the order ended as ${String(status)}` }
  return { orderId, reads }
}
