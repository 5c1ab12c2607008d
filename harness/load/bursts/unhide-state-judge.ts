import type { RequirementId } from '../../../contract/requirements/index.ts'
import type { WindowLimit } from '../../../contract/limits.ts'
import { judgeLimiter, parseRetryAfterSeconds } from '../../judge/limiter.ts'
import { isBeyondEdges, unexplainedRefusals } from '../../judge/unhide.ts'
import type { Statement } from '../shared/statements.ts'
import { MASKED_ORDER, STATE_OF, type StateTopic } from './unhide-topics.ts'
import { countOf, limitOf, outcomeOf, readOf, say, show, spanOf } from './unhide-reads.ts'
import type { OrderReads, UnhideScript } from './unhide-reads.ts'

/** What a state is counted by, and that further reads are refused. */
const COUNTED_BY = {
  completed: ['UNHIDE-07', 'UNHIDE-10'],
  pending: ['UNHIDE-05'],
  partial: ['UNHIDE-06'],
  cancelled: ['UNHIDE-08'],
  checkout: ['UNHIDE-15'],
} as const satisfies Record<StateTopic, readonly RequirementId[]>

/** That the budget of checkouts refuses at all is another matter. */
const REFUSED_BY = { ...COUNTED_BY, checkout: ['UNHIDE-10'] } as const

/** Checkouts with some completed orders and some that are not: the completed budget counts their reads. */
export function checkoutStatements(script: UnhideScript): Statement[] {
  const orders = script.orders.filter(isMixed)
  if (orders.length > 0) return stateStatements({ ...script, orders }, 'checkout')
  return [
    say('UNHIDE-15', 'inconclusive', 'checkout', 'none had completed and other orders at once'),
  ]
}

function isMixed({ reads }: OrderReads): boolean {
  const shown = reads.filter(({ status }) => status === 200)
  return (
    shown.length > 0 &&
    shown.every(({ state }) => {
      const states = state?.split(',') ?? []
      const completed = states.filter((each) => each === 'SUCCESS' || each === 'CANCELLED')
      return completed.length > 0 && completed.length < states.length
    })
  )
}

/** Orders of one state: as many reads pass as its budget has, whichever name they use, and each order has its own. */
export function stateStatements(script: UnhideScript, topic: StateTopic): Statement[] {
  const { orders, budgets } = script
  const limit = budgets[STATE_OF[topic]]
  const disguised = orders.filter((order) => isDisguised(order, STATE_OF[topic], limit))
  if (disguised.length > 0) {
    const failed = disguised.flatMap(({ reads }) => reads.filter(({ status }) => status >= 500))
    const observed = `${limit.count} reads of each of ${disguised.length} orders passed, the others were answered by HTTP ${failed[0]?.status}`
    return REFUSED_BY[topic].map((requirement) => say(requirement, 'fail', topic, observed))
  }
  const vanished = orders.filter(isVanished)
  if (vanished.length > 0) {
    const observed = `reads of ${vanished.length} of ${orders.length} orders found nothing after others had shown them`
    return REFUSED_BY[topic].map((requirement) => say(requirement, 'fail', topic, observed))
  }
  const steady = orders.filter(({ reads }) => {
    const outcomes = new Set(reads.map(outcomeOf))
    return [...outcomes].every((each) => each === STATE_OF[topic] || each === 'refused')
  })
  if (steady.length === 0)
    return [...COUNTED_BY[topic], ...(topic === 'checkout' ? [] : (['UNHIDE-13'] as const))].map(
      (requirement) =>
        say(requirement, 'inconclusive', topic, `no order stayed ${topic} while it was read`),
    )
  const blocked = steady.filter((order) => blockedReads(order, script).length > 0)
  const tooMany = steady.filter((order) => countOf(order, STATE_OF[topic]) > limit.count)
  if (blocked.length > 0) return [blockedStatement(blocked, steady, script, topic)]
  if (tooMany.length > 0) return excessStatements(tooMany, script, topic)
  return rightStatements(steady, script, topic)
}

/** As many reads pass as the budget has; what is beyond is refused, but by a 5xx. */
function isDisguised(
  order: OrderReads,
  state: 'pending' | 'completed',
  { count }: WindowLimit,
): boolean {
  const failed = order.reads.filter(({ status }) => status >= 500)
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
  { budgets, filtered }: UnhideScript,
  topic: StateTopic,
): Statement {
  const limit = budgets[STATE_OF[topic]]
  const counts = steady.map((order) => countOf(order, STATE_OF[topic]))
  const observed = `${counts.join(', ')} reads of ${steady.length} orders passed, each has ${show(limit)}`
  const place = blocked.map(({ name }) => name).join(', ')
  // A budget of its own would not be whole again so soon.
  const waits = blocked.flatMap(({ reads }) =>
    reads.flatMap(({ status, retryAfter }) =>
      status === 429 ? (parseRetryAfterSeconds(retryAfter) ?? Infinity) : [],
    ),
  )
  const isFiltered =
    limit.windowSeconds > 2 * filtered.windowSeconds &&
    waits.some((seconds) => seconds <= Math.ceil(filtered.windowSeconds))
  if (isFiltered) {
    const how = `${observed}; refused for as long as a window of masked reads`
    return say('UNHIDE-23', 'fail', place, how)
  }
  const wholes = counts.filter((count) => count === limit.count).length
  const isMasked =
    topic === 'completed' &&
    blocked.every(({ reference }) => reference === MASKED_ORDER) &&
    wholes === counts.length - 1
  if (isMasked)
    return say('UNHIDE-22', 'fail', place, `${observed}; it alone was read masked before`)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const isShared = total > 0 && total <= limit.count && counts.includes(0)
  if (isShared) return say('UNHIDE-14', 'fail', place, observed)
  return say(COUNTED_BY[topic][0], 'fail', place, observed)
}

/** More than a budget passed. One edge explains it for one order, not for several that were read apart. */
function excessStatements(
  tooMany: readonly OrderReads[],
  { budgets, slackMs }: UnhideScript,
  topic: StateTopic,
): Statement[] {
  const limit = budgets[STATE_OF[topic]]
  const spans = tooMany.map(spanOf)
  const isFinal =
    tooMany.some((order) => !explained(order, topic, limit, slackMs)) ||
    (spans.length > 1 && isBeyondEdges(spans, limit.windowSeconds * 1000, slackMs))
  const isAlias =
    topic !== 'checkout' &&
    tooMany.every((order) =>
      (['by-order', 'by-reference', 'by-both'] as const).every(
        (kind) =>
          countOf({ reads: order.reads.filter((read) => read.kind === kind) }, STATE_OF[topic]) <=
          limit.count,
      ),
    )
  const requirements = isAlias ? (['UNHIDE-13'] as const) : COUNTED_BY[topic]
  const counts = tooMany.map((order) => countOf(order, STATE_OF[topic])).join(', ')
  const how = isAlias ? ', as many by each name' : ''
  const observed = `${counts} reads passed, the budget is ${show(limit)}${how}`
  const verdict = isFinal ? 'fail' : 'inconclusive'
  const edge = isFinal ? '' : ', which an edge may explain'
  return requirements.map((requirement) =>
    say(requirement, verdict, tooMany.map(({ name }) => name).join(', '), `${observed}${edge}`),
  )
}

/** The oracle: nobody read the order before, so its windows are seen from their first request. */
function explained(
  { reads }: OrderReads,
  topic: StateTopic,
  limit: WindowLimit,
  slackMs: number,
): boolean {
  const requests = reads.map((read) => limitOf(read, STATE_OF[topic]))
  return judgeLimiter({ requests, limit, slackMs, history: 'complete' }).explained
}

function rightStatements(
  steady: readonly OrderReads[],
  { budgets }: UnhideScript,
  topic: StateTopic,
): Statement[] {
  const limit = budgets[STATE_OF[topic]]
  const whole = steady.filter((order) => countOf(order, STATE_OF[topic]) === limit.count)
  const refused = whole.filter(({ reads }) => reads.length > limit.count)
  if (refused.length === 0) return []
  const isMasked =
    topic === 'completed' && refused.some(({ reference }) => reference === MASKED_ORDER)
  const observed = `${limit.count} reads of each of ${refused.length} orders passed, the others were refused`
  return [
    ...COUNTED_BY[topic].map((requirement) => say(requirement, 'pass', topic, observed)),
    // With a budget of one there is nothing to share: the first name spends it, the other is refused.
    ...(topic === 'checkout'
      ? []
      : [say('UNHIDE-13', 'pass', topic, `${observed}, by all of their names in turns`)]),
    ...(isMasked
      ? [say('UNHIDE-22', 'pass', topic, 'masked reads of an order left its budget whole')]
      : []),
    ...(refused.length > 1
      ? [say('UNHIDE-14', 'pass', topic, 'each order had its budget beside the others')]
      : []),
  ]
}
