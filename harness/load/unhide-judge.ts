import type { RequirementId } from '../../contract/requirements/index.ts'
import type { WindowLimit } from '../../contract/limits.ts'
import { judgeLimiter, parseRetryAfterSeconds } from '../judge/limiter.ts'
import { canAllHoldEdge, unexplainedRefusals, type UnhideBudgets } from '../judge/unhide.ts'
import { slackFor } from './plan.ts'
import { refusalStatements } from './refusals.ts'
import type { Statement } from './statements.ts'
import {
  ADMISSION_ORDERS,
  MASKED_ORDER,
  STATE_OF,
  unhideBudgets,
  type StateTopic,
  type UnhideTopic,
} from './unhide-plan.ts'
import { countOf, limitOf, outcomeOf, readOf, spanOf, traceOf } from './unhide-reads.ts'
import type { OrderReads } from './unhide-reads.ts'
import type { VolleyExchange } from './volley-import.ts'
import type { VolleyContext, VolleyPlan } from './volley-plan.ts'
import { releasesOf } from './volley-proof.ts'
import type { VolleyJudgement, VolleyRun } from './volley-result.ts'

/** Orders whose readers overlapped for certain that a verdict needs. */
const MET_MIN = 3

type Lane = {
  readonly topic: UnhideTopic
  readonly budgets: UnhideBudgets
  readonly slackMs: number
  /** Of masked reads. */
  readonly filtered: WindowLimit
  readonly orders: readonly OrderReads[]
}

/** Holds the reads of every order against its budgets, wherever their windows start. */
export function judgeUnhideBudgets(
  plan: VolleyPlan,
  run: VolleyRun,
  context: VolleyContext,
): VolleyJudgement {
  const lanes = plan.file.lanes.map(({ name }, index) =>
    laneOf(name as UnhideTopic, run.evidence.lanes[index]?.exchanges ?? [], context),
  )
  const orders = lanes.flatMap((lane) => lane.orders)
  const met = orders.filter(({ isMet }) => isMet).length
  const refusals = orders.flatMap(({ reads }) => reads.filter(({ status }) => status === 429))
  const statements = [
    ...lanes.flatMap((lane) =>
      lane.topic === 'admission' ? admissionStatements(lane) : stateStatements(lane, lane.topic),
    ),
    ...refusalStatements(refusals, 'unhide reads'),
  ]
  const silent = lanes.filter(({ orders: each }) => each.length === 0).map(({ topic }) => topic)
  return {
    statements,
    ...(met < MET_MIN && {
      open: `readers of ${met} orders overlapped for certain, those of ${MET_MIN} are needed`,
    }),
    ...(silent.length > 0 && { open: `no order was bought for ${silent.join(', ')}` }),
    praise: `The budgets of ${orders.length} orders held, ${met} of them with readers side by side.`,
    measurements: { ordersRead: orders.length, ordersMet: met },
    windows: lanes.flatMap((lane) =>
      lane.orders.map((order) => traceOf(order, lane.topic, lane.budgets, lane.slackMs)),
    ),
  }
}

function laneOf(
  topic: UnhideTopic,
  exchanges: readonly VolleyExchange[],
  context: VolleyContext,
): Lane {
  const budgets = unhideBudgets(context, topic)
  const reads = exchanges.filter(({ kind }) => kind === 'by-order' || kind === 'by-reference')
  const bought = new Set(
    exchanges
      .filter(({ kind, orderId }) => kind === 'buy' && orderId !== undefined)
      .map(({ reference }) => reference),
  )
  const orders = [...Map.groupBy(reads, ({ reference = -1 }) => reference)]
    .filter(([reference]) => bought.has(reference))
    .map(([reference, all]): OrderReads => {
      const releases = releasesOf(all)
      return {
        name: `${topic} order ${reference + 1}`,
        reference,
        reads: all,
        isMet: releases.some(({ overlappingPairs }) => overlappingPairs > 0),
        isFinished: exchanges.some(
          (each) =>
            each.kind === 'masked' &&
            each.reference === reference &&
            outcomeOf(each) === 'completed',
        ),
      }
    })
  const { windowSeconds } = budgets.completed
  return {
    topic,
    budgets,
    slackMs: slackFor(context.target.timing, windowSeconds),
    filtered: context.limits['orders.filtered'],
    orders,
  }
}

function say(
  requirement: RequirementId,
  verdict: Statement['verdict'],
  name: string,
  observed: string,
): Statement {
  return { requirement, verdict, observed: `${name}: ${observed}` }
}

/** What a state is counted by, and that further reads are refused. */
const COUNTED_BY = {
  completed: ['UNHIDE-07', 'UNHIDE-10'],
  pending: ['UNHIDE-05'],
  partial: ['UNHIDE-06'],
  cancelled: ['UNHIDE-08'],
} as const satisfies Record<StateTopic, readonly RequirementId[]>

/** Orders of one state: as many reads pass as its budget has, whichever name they use, and each order has its own. */
function stateStatements(lane: Lane, topic: StateTopic): Statement[] {
  const { orders, budgets } = lane
  const limit = budgets[STATE_OF[topic]]
  const disguised = orders.filter((order) => isDisguised(order, STATE_OF[topic], limit))
  if (disguised.length > 0) {
    const failed = disguised.flatMap(({ reads }) => reads.filter(({ status }) => status >= 500))
    const observed = `${limit.count} reads of each of ${disguised.length} orders passed, the others were answered by HTTP ${failed[0]?.status}`
    return COUNTED_BY[topic].map((requirement) => say(requirement, 'fail', topic, observed))
  }
  const steady = orders.filter(({ reads }) => {
    const outcomes = new Set(reads.map(outcomeOf))
    return [...outcomes].every((each) => each === STATE_OF[topic] || each === 'refused')
  })
  if (steady.length === 0)
    return [...COUNTED_BY[topic], 'UNHIDE-13' as const].map((requirement) =>
      say(requirement, 'inconclusive', topic, `no order stayed ${topic} while it was read`),
    )
  const blocked = steady.filter((order) => blockedReads(order, lane).length > 0)
  const tooMany = steady.filter((order) => countOf(order, STATE_OF[topic]) > limit.count)
  if (blocked.length > 0) return [blockedStatement(blocked, steady, lane, topic)]
  if (tooMany.length > 0) return excessStatements(tooMany, lane, topic)
  return rightStatements(steady, lane, topic)
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

/** Refusals that no budget of this order explains. */
function blockedReads({ reads }: OrderReads, { budgets, slackMs }: Lane): number[] {
  return unexplainedRefusals(reads.flatMap(readOf), budgets, slackMs)
}

/** What refuses reads that their own budget admits: other reads of the account, other orders, or a smaller budget. */
function blockedStatement(
  blocked: readonly OrderReads[],
  steady: readonly OrderReads[],
  { budgets, filtered }: Lane,
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
  return say(isShared ? 'UNHIDE-14' : COUNTED_BY[topic][0], 'fail', place, observed)
}

/** More than a budget passed. One edge explains it for one order, not for several that were read apart. */
function excessStatements(
  tooMany: readonly OrderReads[],
  { budgets, slackMs }: Lane,
  topic: StateTopic,
): Statement[] {
  const limit = budgets[STATE_OF[topic]]
  const spans = tooMany.map(spanOf)
  const isFinal =
    tooMany.some((order) => !explained(order, topic, limit, slackMs)) ||
    (spans.length > 1 && !canAllHoldEdge(spans, limit.windowSeconds * 1000, slackMs))
  const isAlias = tooMany.every((order) =>
    (['by-order', 'by-reference'] as const).every(
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
  { budgets }: Lane,
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
    say('UNHIDE-13', 'pass', topic, `${observed}, by both names in turns`),
    ...(isMasked
      ? [say('UNHIDE-22', 'pass', topic, 'masked reads of an order left its budget whole')]
      : []),
    ...(refused.length > 1
      ? [say('UNHIDE-14', 'pass', topic, 'each order had its budget beside the others')]
      : []),
  ]
}

/** What is left of admission when orders have completed. */
function admissionStatements(lane: Lane): Statement[] {
  const { orders, budgets } = lane
  const { control, spent, open } = ADMISSION_ORDERS
  const find = (reference: number): OrderReads[] =>
    orders.filter((order) => order.reference === reference)
  const suited = (reference: number): OrderReads[] =>
    find(reference).filter((order) => isSuited(order, budgets.pending.count))
  const [bracket] = find(control)
  const hasNoEdge = bracket !== undefined && isBracket(bracket, budgets.completed)
  const over = spent.flatMap(suited)
  const exact = open.flatMap(suited)
  if (over.length + exact.length === 0)
    return [
      say('UNHIDE-17', 'inconclusive', 'admission', 'no order could be read as planned, then end'),
    ]
  return [
    ...over.flatMap((order) => overStatements(order, lane, hasNoEdge)),
    ...exact.flatMap((order) => exactStatements(order, lane, hasNoEdge)),
  ]
}

function phaseOf(
  { reads }: Pick<OrderReads, 'reads'>,
  phase: 'attempt' | 'beyond',
): VolleyExchange[] {
  return reads.filter((each) => each.phase === phase)
}

/** Spent while pending, as its pending budget allows, and seen to be completed before it was read again. */
function isSuited(order: OrderReads, pendingCount: number): boolean {
  const attempts = phaseOf(order, 'attempt').map(outcomeOf)
  const beyond = phaseOf(order, 'beyond').map(outcomeOf)
  return (
    order.isFinished &&
    attempts.every((each) => each === 'pending' || each === 'refused') &&
    attempts.filter((each) => each === 'pending').length === pendingCount &&
    beyond.length > 0 &&
    beyond.every((each) => each === 'completed' || each === 'refused')
  )
}

/** Spent before the attempts and still refused after them: no edge lay in between. */
function isBracket(order: OrderReads, { count }: WindowLimit): boolean {
  const before = phaseOf(order, 'attempt').map(outcomeOf)
  const after = phaseOf(order, 'beyond').map(outcomeOf)
  return (
    before.filter((each) => each === 'completed').length === count &&
    before.includes('refused') &&
    after.length > 0 &&
    after.every((each) => each === 'refused')
  )
}

/** What a read after the whole of admission breaks: its sum, that refused attempts count, and that completion changes nothing. */
const OF_ADMISSION = ['UNHIDE-17', 'UNHIDE-19', 'UNHIDE-21'] as const

/** All of admission was attempted: nothing is left. */
function overStatements(order: OrderReads, { budgets }: Lane, hasNoEdge: boolean): Statement[] {
  const attempts = phaseOf(order, 'attempt').length
  const passed = countOf({ reads: phaseOf(order, 'beyond') }, 'completed')
  const observed = `after ${attempts} attempts, ${passed} more passed, admission is ${show(budgets.admission)}`
  if (passed === 0) return OF_ADMISSION.map((each) => say(each, 'pass', order.name, observed))
  return OF_ADMISSION.map((each) =>
    hasNoEdge
      ? say(each, 'fail', order.name, observed)
      : say(each, 'inconclusive', order.name, `${observed}, which an edge may explain`),
  )
}

/**
 * The completed budget is left, of admission as well: it can be read whole, and no more. Even with every read counted, none of them
 * can have spent either before the last one.
 */
function exactStatements(order: OrderReads, { budgets }: Lane, hasNoEdge: boolean): Statement[] {
  const { count } = budgets.completed
  const attempts = phaseOf(order, 'attempt').length
  const beyond = phaseOf(order, 'beyond')
  const passed = countOf({ reads: beyond }, 'completed')
  const observed = `after ${attempts} attempts, ${passed} of ${beyond.length} more passed, the completed budget is ${show(budgets.completed)}, admission ${show(budgets.admission)}`
  if (passed === 0)
    return (['UNHIDE-17', 'UNHIDE-20'] as const).map((each) =>
      say(each, 'fail', order.name, observed),
    )
  const left = say('UNHIDE-20', 'pass', order.name, observed)
  // The first read after completion, or one of them, was held to another budget than the completed one.
  if (passed < count)
    return [
      left,
      ...(['UNHIDE-09', 'UNHIDE-17'] as const).map((each) =>
        say(each, 'fail', order.name, observed),
      ),
    ]
  const whole = say('UNHIDE-17', 'pass', order.name, observed)
  if (passed === count) return [left, whole, say('UNHIDE-09', 'pass', order.name, observed)]
  const more = hasNoEdge
    ? say('UNHIDE-09', 'fail', order.name, observed)
    : say('UNHIDE-09', 'inconclusive', order.name, `${observed}, which an edge may explain`)
  return [left, more]
}

function show({ count, windowSeconds }: WindowLimit): string {
  return `${count} per ${windowSeconds} s`
}
