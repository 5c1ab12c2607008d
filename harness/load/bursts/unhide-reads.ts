import type { WindowLimit } from '../../../contract/limits.ts'
import type { WindowTrace } from '../../../schemas/generated/run-record.ts'
import { judgeLimiter, type QuotaRequest } from '../../judge/limiter.ts'
import { unhideOutcomeOf, type UnhideBudgets, type UnhideRead } from '../../judge/rules/unhide.ts'
import type { UnhideTopic } from './unhide-scripts.ts'
import type { BurstExchange } from './burst-import.ts'

/** All unhide reads of one order. */
export type OrderReads = {
  readonly name: string
  readonly reads: readonly BurstExchange[]
  /** When a read had first shown it; Infinity where none did. */
  readonly shownMs: number
  /** Two of its readers overlapped for certain. */
  readonly isOverlapping: boolean
}

/** What a read showed the order to be, or that a budget refused it; `other` says nothing. */
export type ReadOutcome = UnhideRead['outcome'] | 'other'

export function outcomeOf(read: BurstExchange): ReadOutcome {
  return unhideOutcomeOf(read, read.state?.split(',') ?? []) ?? 'other'
}

/** As the judge of unhide budgets wants it; none for a read that says nothing. */
export function readOf(read: BurstExchange): UnhideRead[] {
  const outcome = outcomeOf(read)
  const { sentMs, receivedMs } = read
  return outcome === 'other' ? [] : [{ sentMs, receivedMs, outcome }]
}

/** As the limiter oracle wants it, for the budget of one state. */
function limitOf(read: BurstExchange, topic: UnhideTopic): QuotaRequest {
  const outcome = outcomeOf(read)
  const { sentMs, receivedMs, retryAfter } = read
  const kind = outcome === topic ? 'admitted' : outcome === 'refused' ? 'refused' : 'other'
  return { sentMs, receivedMs, outcome: kind, retryAfter }
}

export function countOf({ reads }: Pick<OrderReads, 'reads'>, outcome: ReadOutcome): number {
  return reads.filter((read) => outcomeOf(read) === outcome).length
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

export function show({ count, windowSeconds }: WindowLimit): string {
  return `${count} per ${windowSeconds} s`
}
