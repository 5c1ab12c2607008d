import { isServerError, isThrottled } from '../../../contract/answers.ts'
import type { RequirementId } from '../../../contract/requirements/index.ts'
import type { WindowLimit } from '../../../contract/limits.ts'
import { exceedsBudget, unexplainedRefusals } from '../../judge/rules/unhide.ts'
import type { Statement } from '../shared/statements.ts'
import type { UnhideTopic } from './unhide-scripts.ts'
import { countOf, outcomeOf, readOf, show } from './unhide-reads.ts'
import { say, sayAll } from '../shared/statements.ts'
import type { OrderReads, UnhideScript } from './unhide-reads.ts'
import { parseRetryAfterSeconds } from '../../retry-after.ts'

/** What a state is counted by, and that further reads are refused. */
const COUNTED_BY = {
  completed: ['UNHIDE-07', 'UNHIDE-10'],
  pending: ['UNHIDE-05'],
} as const satisfies Record<UnhideTopic, readonly RequirementId[]>

/** Orders of one state: as many reads pass as its budget has, whichever name they use, and each order has its own. */
export function stateStatements(script: UnhideScript): Statement[] {
  const { topic, orders, budgets } = script
  const limit = budgets[topic]
  const disguised = orders.filter((order) => isDisguised(order, topic, limit))
  if (disguised.length > 0) {
    const failed = disguised.flatMap(({ reads }) => reads.filter(isServerError))
    const observed = `${limit.count} reads of each of ${disguised.length} orders passed, the others were answered by HTTP ${failed[0]?.status}`
    return sayAll(COUNTED_BY[topic], 'fail', { name: topic }, observed)
  }
  const vanished = orders.filter(isVanished)
  if (vanished.length > 0) {
    const observed = `reads of ${vanished.length} of ${orders.length} orders found nothing after others had shown them`
    return sayAll(COUNTED_BY[topic], 'fail', { name: topic }, observed)
  }
  const steady = orders.filter(({ reads }) => {
    const outcomes = new Set(reads.map(outcomeOf))
    return [...outcomes].every((each) => each === topic || each === 'refused')
  })
  // Each order had completed before it could be read, as it may: there was no pending order to judge.
  if (topic === 'pending' && orders.length > 0 && orders.every(isPast)) return []
  if (steady.length === 0) {
    const observed = `no order stayed ${topic} while it was read`
    return sayAll([...COUNTED_BY[topic], 'UNHIDE-13'], 'inconclusive', { name: topic }, observed)
  }
  const blocked = steady.filter((order) => blockedReads(order, script).length > 0)
  const tooMany = steady.filter((order) => countOf(order, topic) > limit.count)
  if (blocked.length > 0) return [blockedStatement(blocked, steady, script)]
  if (tooMany.length > 0) return excessStatements(tooMany, script)
  return rightStatements(steady, script)
}

/** Never read as pending, and read as completed. */
function isPast(order: OrderReads): boolean {
  return countOf(order, 'pending') === 0 && countOf(order, 'completed') > 0
}

/** As many reads pass as the budget has; what is beyond is refused, but by a 5xx. */
function isDisguised(order: OrderReads, state: UnhideTopic, { count }: WindowLimit): boolean {
  const failed = order.reads.filter(isServerError)
  return (
    failed.length > 0 &&
    countOf(order, state) === count &&
    countOf(order, state) + failed.length === order.reads.length
  )
}

/** A read that was sent when another had shown the order finds nothing. */
function isVanished({ reads, shownMs }: OrderReads): boolean {
  return reads.some(
    ({ status, state, sentMs }) =>
      (status === 200 || status === 404) && state === undefined && sentMs >= shownMs,
  )
}

/** Refusals that no budget of this order explains. */
function blockedReads({ reads }: OrderReads, { budgets, slackMs }: UnhideScript): number[] {
  return unexplainedRefusals(reads.flatMap(readOf), budgets, slackMs)
}

/** What refuses reads that their own budget admits: other reads of the account, other orders, or a smaller budget. */
function blockedStatement(
  blocked: readonly OrderReads[],
  steady: readonly OrderReads[],
  { topic, budgets, filtered }: UnhideScript,
): Statement {
  const limit = budgets[topic]
  const counts = steady.map((order) => countOf(order, topic))
  const observed = `${counts.join(', ')} reads of ${steady.length} orders passed, each has ${show(limit)}`
  const place = blocked.map(({ name }) => name).join(', ')
  // A budget of its own would not be whole again so soon.
  const waits = blocked.flatMap(({ reads }) =>
    reads
      .filter(isThrottled)
      .map(({ retryAfter }) => parseRetryAfterSeconds(retryAfter) ?? Infinity),
  )
  const isFiltered =
    limit.windowSeconds > 2 * filtered.windowSeconds &&
    waits.some((seconds) => seconds <= Math.ceil(filtered.windowSeconds))
  if (isFiltered) {
    const how = `${observed}; refused for as long as a window of masked reads`
    return say('UNHIDE-23', 'fail', { name: place }, how)
  }
  const total = counts.reduce((sum, count) => sum + count, 0)
  const isShared = total > 0 && total <= limit.count && counts.includes(0)
  if (isShared) return say('UNHIDE-14', 'fail', { name: place }, observed)
  return say(COUNTED_BY[topic][0], 'fail', { name: place }, observed)
}

/** More than a budget passed. Edges explain it for few orders, not for several that were read apart. */
function excessStatements(tooMany: readonly OrderReads[], script: UnhideScript): Statement[] {
  const { topic, budgets, slackMs } = script
  const limit = budgets[topic]
  // Nobody read the orders before, so their windows are seen from their first request.
  const isFinal = exceedsBudget(
    tooMany.map(({ reads }) => reads.flatMap(readOf)),
    { state: topic, limit, slackMs, history: 'complete' },
  )
  const isAlias = tooMany.every((order) =>
    (['by-order', 'by-reference', 'by-both'] as const).every(
      (kind) =>
        countOf({ reads: order.reads.filter((read) => read.kind === kind) }, topic) <= limit.count,
    ),
  )
  const requirements = isAlias ? (['UNHIDE-13'] as const) : COUNTED_BY[topic]
  const counts = tooMany.map((order) => countOf(order, topic)).join(', ')
  const how = isAlias ? ', as many by each name' : ''
  const observed = `${counts} reads passed, the budget is ${show(limit)}${how}`
  const verdict = isFinal ? 'fail' : 'inconclusive'
  const edge = isFinal ? '' : ', which an edge may explain'
  const place = { name: tooMany.map(({ name }) => name).join(', ') }
  return sayAll(requirements, verdict, place, `${observed}${edge}`)
}

function rightStatements(
  steady: readonly OrderReads[],
  { topic, budgets }: UnhideScript,
): Statement[] {
  const limit = budgets[topic]
  const whole = steady.filter((order) => countOf(order, topic) === limit.count)
  const refused = whole.filter(({ reads }) => reads.length > limit.count)
  if (refused.length === 0) return []
  const observed = `${limit.count} reads of each of ${refused.length} orders passed, the others were refused`
  return [
    ...sayAll(COUNTED_BY[topic], 'pass', { name: topic }, observed),
    // With a budget of one there is nothing to share: the first name spends it, the other is refused.
    say('UNHIDE-13', 'pass', { name: topic }, `${observed}, by all of their names in turns`),
    ...(refused.length > 1
      ? [say('UNHIDE-14', 'pass', { name: topic }, 'each order had its budget beside the others')]
      : []),
  ]
}
