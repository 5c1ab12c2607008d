import type { PlannedRead, PlannedStep } from '../../../load/protocol/bursts.ts'
import type { BurstContext } from './burst-plan.ts'

/** Orders are read this long after one another, beyond the slack: then no edge can lie in two of the bursts. */
export const APART_MS = 60
export const MEET_MS = 250
/** Reads that are released at once. */
export const READERS_MAX = 40
export const RETRY_ROUNDS = 3
const POLL_MS_MAX = 2000

/** Masked reads until orders are no more pending, within the budget of masked reads; where an edge matters, a refused one is repeated. */
export function finish(
  { limits }: BurstContext,
  orders: readonly number[],
  maxSeconds: number,
): PlannedStep {
  const { count, windowSeconds } = limits['orders.filtered']
  const everyMs = Math.ceil((1.25 * orders.length * 1000 * windowSeconds) / count)
  return {
    do: 'finish',
    reads: orders.map((reference) => ({ key: 0, reference, kind: 'masked' })),
    everyMs: Math.min(POLL_MS_MAX, everyMs),
    maxSeconds,
  }
}

export function buy(
  orders: readonly { readonly reference: number; readonly product: number }[],
): PlannedStep {
  const purchases = orders.map((order) => ({ key: 0, units: 1, ...order }))
  return { do: 'buy', phase: 'spare', purchases }
}

export function release(
  phase: 'attempt' | 'beyond',
  reads: readonly PlannedRead[],
  widthMax = READERS_MAX,
): PlannedStep[] {
  const width = Math.min(widthMax, READERS_MAX)
  return range(Math.ceil(reads.length / width), 0).map((index) => ({
    do: 'read',
    phase,
    reads: reads.slice(index * width, (index + 1) * width),
  }))
}

/** Reads of one order by orderId and by referenceId in turns: aliases share its budgets. */
export function alternate(reference: number, count: number): PlannedRead[] {
  return readsOf(['by-order', 'by-reference'], reference, count)
}

/** The same, and by both names together. */
export function alternateAll(reference: number, count: number): PlannedRead[] {
  return readsOf(['by-order', 'by-reference', 'by-both'], reference, count)
}

/** Reads of one order by these names in turns. */
export function readsOf(
  kinds: readonly [PlannedRead['kind'], ...PlannedRead['kind'][]],
  reference: number,
  count: number,
): PlannedRead[] {
  return range(count, 0).map((index) => {
    return { key: 0, reference, kind: kinds[index % kinds.length] ?? kinds[0] }
  })
}

export function inTurns(lists: readonly (readonly PlannedRead[])[]): PlannedRead[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return range(longest, 0).flatMap((index) => lists.flatMap((list) => list[index] ?? []))
}

export function range(count: number, from: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}
