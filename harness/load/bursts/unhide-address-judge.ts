import { isBeyondEdges } from '../../judge/unhide.ts'
import type { Statement } from '../shared/statements.ts'
import { OTHER_ADDRESS } from './unhide-address-scripts.ts'
import { countOf, outcomeOf, say, show, spanOf } from './unhide-reads.ts'
import type { OrderReads, UnhideScript } from './unhide-reads.ts'
import type { BurstExchange } from './burst-import.ts'

/** Orders that two addresses read in turns have one budget all the same. */
export function addressStatements(
  script: UnhideScript,
  others: readonly BurstExchange[],
): Statement[] {
  const { budgets, slackMs } = script
  const limit = budgets.completed
  const orders = script.orders.map((order): OrderReads => {
    return { ...order, reads: [...order.reads, ...readsOf(order, others)] }
  })
  const read = orders.filter((order) => isRead(order, others))
  const tooMany = read.filter((order) => countOf(order, 'completed') > limit.count)
  const counts = read.map((order) => countOf(order, 'completed')).join(', ')
  const observed = `${counts} reads of ${read.length} orders passed from two addresses, the budget is ${show(limit)}`
  if (read.length === 0) return []
  if (tooMany.length === 0) return [say('UNHIDE-25', 'pass', OTHER_ADDRESS, observed)]
  const isFinal = isBeyondEdges(tooMany.map(spanOf), 1000 * limit.windowSeconds, slackMs)
  return isFinal && tooMany.length > 1
    ? [say('UNHIDE-25', 'fail', OTHER_ADDRESS, observed)]
    : [say('UNHIDE-25', 'inconclusive', OTHER_ADDRESS, `${observed}, which an edge may explain`)]
}

function readsOf({ reference }: OrderReads, others: readonly BurstExchange[]): BurstExchange[] {
  return others.filter((each) => each.reference === reference && each.kind === 'by-reference')
}

/** The first address spent the budget, and the other had an answer that says something. */
function isRead(order: OrderReads, others: readonly BurstExchange[]): boolean {
  const outcomes = order.reads.map(outcomeOf)
  const isSpent = outcomes.includes('refused') && outcomes.includes('completed')
  return isSpent && readsOf(order, others).some((each) => outcomeOf(each) !== 'other')
}
