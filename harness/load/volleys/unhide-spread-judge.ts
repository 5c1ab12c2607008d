import type { Statement } from '../statements.ts'
import { countOf, outcomeOf, say, show } from './unhide-reads.ts'
import type { OrderReads, UnhideLane } from './unhide-reads.ts'

/** An edge may fall into one release. */
const BROKEN_MIN = 2

/**
 * Pending orders whose reads were spread over a window. When the wait that was told is over, a fixed window is another one and passes a
 * whole budget, or is still the same and passes nothing; it passes a part to who meets its edge only.
 */
export function spreadStatements(lane: UnhideLane): Statement[] {
  return lane.orders.filter(isSteady).flatMap((order) => statementsOf(order, lane))
}

function isSteady({ reads }: OrderReads): boolean {
  return reads.every((each) => ['pending', 'refused'].includes(outcomeOf(each)))
}

function statementsOf(
  { name, reads }: OrderReads,
  { budgets: { pending } }: UnhideLane,
): Statement[] {
  const told = reads.filter(({ phase }) => phase === 'told')
  const passed = [...Map.groupBy(told, ({ sentMs }) => sentMs).values()].map((release) =>
    countOf({ reads: release }, 'pending'),
  )
  const parts = passed.filter((count) => count > 0 && count < pending.count)
  const observed = `${passed.join(' and ')} reads passed when the waits that were told were over, the budget is ${show(pending)}`
  if (parts.length >= BROKEN_MIN) return [say('RATE-03', 'fail', name, observed)]
  return passed.includes(pending.count) ? [say('RATE-03', 'pass', name, observed)] : []
}
