/** What no fixed windows explain, wherever they start: more than two budgets within less than a window. */
import { orderBy, rowsWhere, valuesAt } from '../rows.ts'
import type { LimiterQuestion } from './limiter-frames.ts'
import { OUTCOME, countBelow, countUpTo } from './limiter-history.ts'

/** A span shorter than a window lies in two windows at most. */
const WINDOWS_TOUCHED = 2

/**
 * Rows of requests that were admitted although every window that could have taken them was full: in one span of less than a window,
 * those beyond two budgets, in the order of their answers. Labels of single requests cannot tell this where a burst is as short as
 * the slack of an edge: each request alone could have been the one that the edge let through.
 */
export function admittedBeyondAnyPhase({ index, limit, slackMs }: LimiterQuestion): number[] {
  const { certainSent, certainReceived, columns } = index
  const spanMs = limit.windowSeconds * 1000 - 2 * slackMs
  const budget = WINDOWS_TOUCHED * limit.count
  const { length } = certainSent
  for (let at = 0; at + budget < length; at++) {
    const fromMs = certainSent[at] as number
    const toMs = fromMs + spanMs
    // Those sent before or answered after may be the same ones: at least so many lie within.
    const within = countUpTo(certainReceived, toMs) - countBelow(certainSent, fromMs)
    if (within > budget) return beyond(columns, fromMs, toMs, budget)
  }
  return []
}

function beyond(
  { outcomes, sentMs, receivedMs }: LimiterQuestion['index']['columns'],
  fromMs: number,
  toMs: number,
  budget: number,
): number[] {
  const rows = rowsWhere(
    outcomes.length,
    (row) =>
      outcomes[row] === OUTCOME.admitted &&
      (sentMs[row] as number) >= fromMs &&
      (receivedMs[row] as number) <= toMs,
  )
  const order = orderBy(valuesAt(receivedMs, rows))
  const answered = order === undefined ? rows : order.map((at) => rows[at] as number)
  return Array.from(answered.subarray(budget))
}
