/**
 * The three budgets of one order's unhide reads, judged without knowing where their windows start: the one definition for checks at
 * rest and for judges of load. Pure.
 */
import type { WindowLimit } from '../../../contract/limits.ts'
import type { TransactionStatus } from '../../../contract/wire.ts'
import { isAccepted, isThrottled, type Answered } from '../../../contract/answers.ts'
import { isLongEnough, judgeLimiter, type QuotaRequest } from '../limiter.ts'

/** One unhide read of an order: what it showed the order to be, or that a budget refused it. The server acted in [sentMs, receivedMs]. */
export type UnhideRead = {
  readonly sentMs: number
  readonly receivedMs: number
  readonly outcome: 'pending' | 'completed' | 'refused'
}

/** By which budget the status of an order is counted (Limits, rules 3 and 4). */
const COUNTED_AS: Readonly<Record<TransactionStatus, 'pending' | 'completed'>> = {
  IN_PROGRESS: 'pending',
  PARTIALLY_COMPLETED: 'pending',
  SUCCESS: 'completed',
  CANCELLED: 'completed',
}

/**
 * What an answer says of the budgets, by the statuses of the orders in it: one that is completed makes it a completed reading (rule 6).
 * Undefined for an answer that says nothing: neither a 429 nor an order of a status that the interface has.
 */
export function unhideOutcomeOf(
  answer: Answered,
  statuses: readonly unknown[],
): UnhideRead['outcome'] | undefined {
  if (isThrottled(answer)) return 'refused'
  if (!isAccepted(answer)) return undefined
  const counted = new Set(statuses.map((each) => COUNTED_AS[each as TransactionStatus]))
  if (counted.has('completed')) return 'completed'
  return counted.size === 1 ? [...counted][0] : undefined
}

export type UnhideBudgets = {
  readonly pending: WindowLimit
  readonly completed: WindowLimit
  readonly admission: WindowLimit
}

/** A stretch of time on the monotonic clock, milliseconds. */
export type Span = { readonly fromMs: number; readonly toMs: number }

/** The admission quota that follows from the two budgets (Limits, rule 2). Windows of whole milliseconds. */
export function admissionOf(pending: WindowLimit, completed: WindowLimit): WindowLimit {
  let [large, small] = [pending, completed].map(({ windowSeconds }) =>
    Math.round(windowSeconds * 1000),
  ) as [number, number]
  while (small > 0) [large, small] = [small, large % small]
  return { count: pending.count + completed.count, windowSeconds: large / 1000 }
}

/**
 * Indexes of refusals that no budget can explain: wherever the windows start, none of the three was spent. Every attempt may count
 * for admission, a refused one too; a reply counts for the budget of the state that it shows.
 */
export function unexplainedRefusals(
  reads: readonly UnhideRead[],
  budgets: UnhideBudgets,
  slackMs: number,
): number[] {
  return reads.flatMap((read, index) => {
    if (read.outcome !== 'refused') return []
    const others = reads.filter((_, other) => other !== index)
    const spent = (limit: WindowLimit, counts: (each: UnhideRead) => boolean): boolean =>
      others.filter((each) => counts(each) && mayShareWindow(each, read, limit, slackMs)).length >=
      limit.count
    const isExplained =
      spent(budgets.admission, () => true) ||
      spent(budgets.pending, ({ outcome }) => outcome === 'pending') ||
      spent(budgets.completed, ({ outcome }) => outcome === 'completed')
    return isExplained ? [] : [index]
  })
}

/** Whether some window can hold both, with the earlier one counted before the later one. */
function mayShareWindow(
  earlier: UnhideRead,
  later: UnhideRead,
  { windowSeconds }: WindowLimit,
  slackMs: number,
): boolean {
  return (
    earlier.sentMs <= later.receivedMs &&
    earlier.receivedMs >= later.sentMs - windowSeconds * 1000 - 2 * slackMs
  )
}

/** Reads of orders that nobody else reads, and the budget that each of them has. */
type ReadOrders = {
  readonly state: 'pending' | 'completed'
  readonly limit: WindowLimit
  readonly slackMs: number
  /** `partial` if reads before the first one may still be counted. */
  readonly history: 'complete' | 'partial'
}

/** Whether more passed than the budget of each order admits, wherever its windows start. */
export function exceedsBudget(
  orders: readonly (readonly UnhideRead[])[],
  { state, limit, slackMs, history }: ReadOrders,
): boolean {
  const countedOf = ({ outcome, ...times }: UnhideRead): QuotaRequest => {
    const counted = outcome === state ? 'admitted' : 'other'
    return { ...times, outcome: outcome === 'refused' ? outcome : counted }
  }
  const isExcess = (reads: readonly UnhideRead[]): boolean =>
    !judgeLimiter({ requests: reads.map(countedOf), limit, slackMs, history }).explained
  const tooMany = orders.filter(
    (reads) => reads.filter(({ outcome }) => outcome === state).length > limit.count,
  )
  return (
    (isLongEnough(limit, slackMs) && tooMany.some(isExcess)) ||
    isBeyondEdges(tooMany.map(spanOf), limit.windowSeconds * 1000, slackMs)
  )
}

export function spanOf(reads: readonly Pick<UnhideRead, 'sentMs' | 'receivedMs'>[]): Span {
  return {
    fromMs: Math.min(...reads.map(({ sentMs }) => sentMs)),
    toMs: Math.max(...reads.map(({ receivedMs }) => receivedMs)),
  }
}

/** Edges that fall into the spans of orders whose windows start at moments of their own are held to be none at this chance. */
const CHANCE_MAX = 1e-4

/**
 * So many orders have to have had too many before edges no longer explain it. In windows of 4 s, edges in two bursts of 40 ms have a
 * chance of one in 10,000. A run has some thirty such bursts.
 */
const EXCESSIVE_MIN = 3

/**
 * Bursts of several orders that each admitted more than a budget: an edge in each of them would explain that. It does not if three things
 * hold. They are enough orders. No one edge of windows that start together can lie in all of them. If each order's windows have their own
 * start, edges in all of them are no more probable than CHANCE_MAX.
 */
export function isBeyondEdges(spans: readonly Span[], windowMs: number, slackMs: number): boolean {
  return areEdgesImprobable(spans, windowMs) && !canAllHoldEdge(spans, windowMs, slackMs)
}

/** Whether there are enough spans, and edges in all of them are less probable than CHANCE_MAX, where each has its own windows. */
function areEdgesImprobable(spans: readonly Span[], windowMs: number): boolean {
  return spans.length >= EXCESSIVE_MIN && chanceOfEdges(spans, windowMs) <= CHANCE_MAX
}

/** How probable an edge in each of the spans is, where each has windows of its own that start anywhere. */
function chanceOfEdges(spans: readonly Span[], windowMs: number): number {
  return spans.reduce(
    (chance, { fromMs, toMs }) => chance * Math.min(1, (toMs - fromMs) / windowMs),
    1,
  )
}

/**
 * Whether windows of this length can have an edge in every one of the spans. Bursts that admitted more than a budget each need one;
 * where windows of a service start at one moment, they must share it.
 */
export function canAllHoldEdge(spans: readonly Span[], windowMs: number, slackMs: number): boolean {
  const wide = spans.map(({ fromMs, toMs }) => ({ fromMs: fromMs - slackMs, toMs: toMs + slackMs }))
  return wide.some(({ fromMs: edgeMs }) =>
    wide.every(({ fromMs, toMs }) => {
      const firstEdgeMs = edgeMs + Math.ceil((fromMs - edgeMs) / windowMs) * windowMs
      return firstEdgeMs <= toMs
    }),
  )
}
