import type { WindowLimit } from '../../../contract/limits.ts'
import type { Statement } from '../shared/statements.ts'
import { countOf, outcomeOf, say, show } from './unhide-reads.ts'
import type { OrderReads, UnhideScript } from './unhide-reads.ts'
import { budgetOfTopic } from './unhide-topics.ts'

/** An edge may fall into one release. */
const BROKEN_MIN = 2

/**
 * Orders whose reads were spread over a window. When the wait that was told is over, a fixed window is another one and passes a
 * whole budget, or is still the same and passes nothing; it passes a part to who meets its edge only.
 */
export function spreadStatements(script: UnhideScript): Statement[] {
  const state = budgetOfTopic(script.topic)
  return script.orders
    .filter((order) => isSteady(order, state))
    .flatMap((order) => statementsOf(order, state, script.budgets[state]))
}

function isSteady({ reads }: OrderReads, state: 'pending' | 'completed'): boolean {
  return reads.every((each) => [state, 'refused'].includes(outcomeOf(each)))
}

function statementsOf(
  { name, reads }: OrderReads,
  state: 'pending' | 'completed',
  limit: WindowLimit,
): Statement[] {
  const told = reads.filter(({ phase }) => phase === 'wait-retry-after')
  const passed = [...Map.groupBy(told, ({ sentMs }) => sentMs).values()].map((release) =>
    countOf({ reads: release }, state),
  )
  const parts = passed.filter((count) => count > 0 && count < limit.count)
  const observed = `${passed.join(' and ')} reads passed after the waits that Retry-After gave; the budget is ${show(limit)}`
  if (parts.length >= BROKEN_MIN) return [say('RATE-03', 'fail', name, observed)]
  return passed.includes(limit.count) ? [say('RATE-03', 'pass', name, observed)] : []
}
