import { isThrottled } from '../../answers.ts'
import type { RequirementId } from '../../../contract/requirements/index.ts'
import type { WindowLimit } from '../../../contract/limits.ts'
import type { WindowTrace } from '../../../schemas/generated/run-record.ts'
import { judgeLimiter, type QuotaRequest } from '../../judge/limiter.ts'
import type { Span, UnhideBudgets, UnhideRead } from '../../judge/unhide.ts'
import type { UnhideTopic } from './unhide-scripts.ts'
import type { Statement } from '../shared/statements.ts'
import type { BurstExchange } from './burst-import.ts'

/** All unhide reads of one order. */
export type OrderReads = {
  readonly name: string
  readonly reads: readonly BurstExchange[]
  /** When a read had first shown it; Infinity where none did. */
  readonly shownMs: number
  /** Two of its readers overlapped for certain. */
  readonly isMet: boolean
}

/** What a read showed the order to be, or that a budget refused it; `other` says nothing. */
export type ReadOutcome = UnhideRead['outcome'] | 'other'

export function outcomeOf(read: BurstExchange): ReadOutcome {
  const { status, state } = read
  if (isThrottled(read)) return 'refused'
  if (status !== 200) return 'other'
  const states = state?.split(',') ?? []
  if (states.some((each) => each === 'SUCCESS' || each === 'CANCELLED')) return 'completed'
  const isPending = states.every((each) => each === 'IN_PROGRESS' || each === 'PARTIALLY_COMPLETED')
  return isPending && states.length > 0 ? 'pending' : 'other'
}

/** As the judge of unhide budgets wants it; none for a read that says nothing. */
export function readOf(read: BurstExchange): UnhideRead[] {
  const outcome = outcomeOf(read)
  const { sentMs, receivedMs } = read
  return outcome === 'other' ? [] : [{ sentMs, receivedMs, outcome }]
}

/** As the limiter oracle wants it, for the budget of one state. */
export function limitOf(read: BurstExchange, topic: UnhideTopic): QuotaRequest {
  const outcome = outcomeOf(read)
  const { sentMs, receivedMs, retryAfter } = read
  const kind = outcome === topic ? 'admitted' : outcome === 'refused' ? 'refused' : 'other'
  return { sentMs, receivedMs, outcome: kind, retryAfter }
}

export function countOf({ reads }: Pick<OrderReads, 'reads'>, outcome: ReadOutcome): number {
  return reads.filter((read) => outcomeOf(read) === outcome).length
}

export function spanOf({ reads }: OrderReads): Span {
  return {
    fromMs: Math.min(...reads.map(({ sentMs }) => sentMs)),
    toMs: Math.max(...reads.map(({ receivedMs }) => receivedMs)),
  }
}

/** The plot of one order. */
export function traceOf(
  { name, reads }: OrderReads,
  { topic, budgets, slackMs }: Pick<UnhideScript, 'topic' | 'budgets' | 'slackMs'>,
): WindowTrace {
  const limit = budgets[topic]
  const requests = reads.map((read) => limitOf(read, topic))
  const verdict = judgeLimiter({ requests, limit, slackMs, history: 'partial' })
  const { counts, explained, refusedWithinBudget, admittedOverBudget } = verdict
  const violations = admittedOverBudget.length + refusedWithinBudget.length
  return {
    partition: name,
    bucket: `orders.unhide.${topic}`,
    limit: { count: limit.count, windowSeconds: limit.windowSeconds },
    outcome: { ...counts, violations },
    edgesMs: [],
    points: reads.map(({ sentMs, receivedMs, status }) => [sentMs, receivedMs, status]),
    phase: explained ? verdict.model : 'unexplained',
  }
}

/** One script with the reads of its orders. */
export type UnhideScript = {
  readonly topic: UnhideTopic
  readonly budgets: UnhideBudgets
  readonly slackMs: number
  /** Of masked reads. */
  readonly filtered: WindowLimit
  readonly orders: readonly OrderReads[]
}

export function say(
  requirement: RequirementId,
  verdict: Statement['verdict'],
  name: string,
  observed: string,
): Statement {
  return { requirement, verdict, observed: `${name}: ${observed}` }
}

export function show({ count, windowSeconds }: WindowLimit): string {
  return `${count} per ${windowSeconds} s`
}
