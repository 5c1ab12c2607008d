import { isTerminal } from '../../../contract/wire.ts'
import { type Exchange, asText } from '../../engine/kit.ts'
import { buy, pollToEnd } from '../orders.ts'
import { sendMany } from '../rate-limits/probe.ts'
import {
  isPast,
  outcomeOf,
  readClear,
  showOutcomes,
  type UnhideAccount,
  type Unusable,
} from './account.ts'
import { statusNow } from './orders.ts'

/** An order whose pending budget was spent while it was pending, and which has completed since. */
export type Spent = { readonly orderId: string; readonly reads: readonly Exchange[] }
type SpentWhilePending = Spent | Unusable

/**
 * What orders so far told of when they finish, milliseconds after their purchase: until when the earliest was seen pending, when the
 * earliest was seen finished, and how long the reads took. `orders` counts those that told something.
 */
export type Experience = {
  pendingMs: number
  finishedMs: number
  readsMs: number
  /** Orders that had finished before all reads were made. */
  late: number
}

export const NO_EXPERIENCE: Readonly<Experience> = {
  pendingMs: Infinity,
  finishedMs: Infinity,
  readsMs: 0,
  late: 0,
}

/** Of the time between the last sight of a pending order and the first of a finished one: later is risky, earlier is long. */
const LATE_SHARE = 0.85

/** Orders that finish sooner are read at once: later they would be finished, or an edge is improbable meanwhile. */
const QUICK_MS = 400
const QUICK_SHARE = 0.3

/** Of the admission window: where a target asks for longer pauses, each order would be seen finished beyond an edge. */
const POLL_SHARE_MAX = 1 / 4

/**
 * How long after its purchase an order is read. Spending that begins shortly before the end leaves little room for an edge in between;
 * each order that had finished too soon makes the next one be read earlier.
 */
export function delayMs(
  { pendingMs, finishedMs, readsMs, late }: Experience,
  windowMs: number,
): number {
  if (finishedMs === Infinity || finishedMs < Math.max(QUICK_MS, QUICK_SHARE * windowMs)) return 0
  const sureMs = pendingMs < finishedMs ? pendingMs : 0
  const share = LATE_SHARE / 2 ** late
  return Math.max(0, sureMs + share * (finishedMs - sureMs) - (late > 0 ? readsMs : 0))
}

/**
 * Buys an asynchronous voucher, spends its whole pending budget and makes `refusals` more attempts, all while it is pending; then
 * waits for its end with masked reads. Begins as late as experience advises, and adds to it.
 */
export async function spendWhilePending(
  unhideAccount: UnhideAccount,
  refusals: number,
  experience: Experience,
): Promise<SpentWhilePending> {
  const { context, budgets } = unhideAccount
  const { pending } = budgets
  const { late } = experience
  const { exchange, orderId, referenceId } = await buy(context, { product: 'voucher-async' })
  const windowMs = budgets.admission.windowSeconds * 1000
  const startMs = exchange.receivedAtMs + delayMs(experience, windowMs)
  await context.wait('an order to be about to finish', startMs - context.clock.nowMs())
  const most = pending.count + refusals
  const read = (): Promise<Exchange> => readClear(unhideAccount, { orderId })
  // Alone: many that come before the order is there would spend the window of masked reads.
  const first = await read()
  // Where orders finish before so many reads in turn, they are sent at once.
  const reads = [first, ...(await sendMany(read, most - 1, late > 0 ? most : 1))]
  const outcomes = reads.map(outcomeOf)
  const isAsWanted =
    outcomes.filter((outcome) => outcome === 'pending').length === pending.count &&
    outcomes.filter((outcome) => outcome === 'refused').length === refusals
  const pauseSecondsMax = POLL_SHARE_MAX * budgets.admission.windowSeconds
  // Most orders end as the earliest did: polls before that would only take room from other checks.
  const endMs = exchange.receivedAtMs + experience.finishedMs
  if (endMs < context.clock.nowMs() + 2 * pauseSecondsMax * 1000)
    await context.wait('an order to finish', endMs - context.clock.nowMs())
  const readings = await pollToEnd(context, 'voucher-async', { referenceId }, { pauseSecondsMax })
  const sinceMs = (each: Exchange): number => each.sentAtMs - exchange.receivedAtMs
  const pendingReads = reads.filter((each) => outcomeOf(each) === 'pending')
  const lastPending =
    readings.findLast(({ item }) => item['status'] === 'IN_PROGRESS')?.exchange ??
    pendingReads.at(-1)
  const tooSoon = reads.find((each) => outcomeOf(each) === 'completed')
  const finished = tooSoon ?? readings.at(-1)?.exchange
  if (lastPending) experience.pendingMs = Math.min(experience.pendingMs, sinceMs(lastPending))
  if (finished) experience.finishedMs = Math.min(experience.finishedMs, sinceMs(finished))
  experience.readsMs = (reads.at(-1)?.receivedAtMs ?? 0) - (reads[0]?.sentAtMs ?? 0)
  if (tooSoon) experience.late += 1
  if (!isAsWanted)
    return { unusable: `the reads gave ${showOutcomes(reads)}`, isPast: isPast(reads) }
  const status = readings.at(-1)?.item['status']
  // An order that turns back is judged elsewhere.
  const confirmed = await statusNow(context, { orderId })
  if (confirmed !== status)
    return { unusable: `the order was ${asText(status)}, then ${asText(confirmed)}` }
  if (!isTerminal(status) || status === 'PARTIALLY_COMPLETED')
    return { unusable: `the order ended as ${asText(status)}` }
  return { orderId, reads }
}
