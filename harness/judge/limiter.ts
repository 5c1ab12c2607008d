/**
 * The limiter oracle: can fixed windows of `count` per `windowSeconds`, with an unknown start, explain a history of requests?
 *
 * Pure, sends nothing. Two families of windows are tried, since the interface does not show where windows start: a lattice
 * (limiter-lattice.ts) and windows that begin with the first request after the previous one (limiter-anchored.ts). The
 * server acted on each request at some unknown moment between its sending and its answer, give or take `slackMs` where several
 * nodes' clocks differ; refused requests, 4xx and unanswered ones may or may not have been counted. Only what holds for every
 * such moment is used, so a conforming server is never blamed. The explanation with the fewest violations is taken.
 */
import type { WindowLimit } from '../../contract/limits.ts'
import { rowsWhere } from '../rows.ts'
import { admittedBeyondAnyPhase } from './limiter-any-phase.ts'
import { explainByAnchors } from './limiter-anchored.ts'
import type { Explanation, LimiterQuestion, RetryPairs } from './limiter-frames.ts'
import { EDGE_GUARD_MS, columnsOf, indexHistory } from './limiter-history.ts'
import type { HistoryIndex, QuotaColumns, QuotaRequest } from './limiter-history.ts'
import { REQUEST_LABELS, countLabel, explainsAll, labelHistory } from './limiter-labels.ts'
import type { Labelled, RequestLabel } from './limiter-labels.ts'
import { explainByLattice } from './limiter-lattice.ts'
import { pairRetries } from './limiter-retries.ts'

export type { QuotaColumns, QuotaRequest } from './limiter-history.ts'
export { OUTCOME } from './limiter-history.ts'
export type { RequestLabel } from './limiter-labels.ts'

export type LimiterOptions = {
  /** Every request that may have been counted by this quota, in any order. */
  readonly requests: readonly QuotaRequest[] | QuotaColumns
  readonly limit: WindowLimit
  /** Tolerance of every window edge, milliseconds: 50 for one node, 250 for several. */
  readonly slackMs: number
  /** `partial` if requests before the first one may still have been counted in its window. */
  readonly history: 'complete' | 'partial'
}

export type LimiterVerdict = {
  /** True if fixed windows explain every answer. */
  readonly explained: boolean
  readonly model: 'lattice' | 'anchored'
  /** Window starts within the history, in the time of the requests, milliseconds. */
  readonly edgesMs: readonly number[]
  /** How far the edges could be moved, for a lattice. */
  readonly phaseSpreadMs?: number
  /** One for each request, in the order given. */
  readonly labels: readonly RequestLabel[]
  readonly counts: {
    readonly mustAccept: number
    readonly mustRefuse: number
    readonly ambiguous: number
  }
  /**
   * Windows in which exactly `count` requests were admitted for certain, no other can have been counted, and one more had to be
   * refused. Without one, a budget that is off by a request could hide at the edges.
   */
  readonly fullWindows: number
  /** Indexes of requests that were refused although they had to be accepted. */
  readonly refusedWithinBudget: readonly number[]
  /** Indexes of requests that were admitted although the budget was spent. */
  readonly admittedOverBudget: readonly number[]
  readonly retryAfter: RetryAfterVerdict
}

export type RetryAfterVerdict = {
  readonly refusals: number
  /** Refusals sent after a promised wait had passed: how often the promise could be put to the test. */
  readonly retried: number
  /** Pairs of refusals in one window, the second sent after the wait that the first had promised. Only judged if `explained`. */
  readonly tooEarly: readonly { readonly refused: number; readonly retried: number }[]
}

export function judgeLimiter(options: LimiterOptions): LimiterVerdict {
  return judgeHistory(prepareHistory(options), options)
}

/** A history with what every question about it needs, whatever the limit. */
export type PreparedHistory = {
  readonly index: HistoryIndex
  readonly retries: RetryPairs
  readonly slackMs: number
}

/** For several questions about one history: each then costs a part of judgeLimiter. */
export function prepareHistory({
  requests,
  slackMs,
}: Pick<LimiterOptions, 'requests' | 'slackMs'>): PreparedHistory {
  const columns = 'outcomes' in requests ? requests : columnsOf(requests)
  const { sentMs, receivedMs } = columns
  if (sentMs.some((sent, row) => !((receivedMs[row] as number) >= sent)))
    throw new RangeError('A request of the history was received before it was sent.')
  return { index: indexHistory(columns), retries: pairRetries(columns, slackMs), slackMs }
}

/** What is asked of a prepared history. */
export type Question = Pick<LimiterOptions, 'limit' | 'history'>

export function judgeHistory(prepared: PreparedHistory, asked: Question): LimiterVerdict {
  const { retries } = prepared
  const question = questionOf(prepared, asked)
  const judged = [explainByLattice(question, retries), explainByAnchors(question)].map(
    (explanation) => judgeExplanation(question, explanation, retries),
  )
  const best = judged.reduce((a, b) => (isBetter(b, a) ? b : a))
  return report(prepared, best.violations === 0 ? withBeyond(question, best) : best)
}

/** `explained` of judgeHistory, at a part of its cost where the answer is no. */
export function isExplained(prepared: PreparedHistory, asked: Question): boolean {
  const question = questionOf(prepared, asked)
  // First what needs no explanation to be found, and shows most of what several counters admit.
  return (
    admittedBeyondAnyPhase(question).length === 0 &&
    (explainsAll(question, explainByAnchors(question)) ||
      explainsAll(question, explainByLattice(question, prepared.retries)))
  )
}

/** Where each answer alone fits, all of them together may still be too many. */
function withBeyond(question: LimiterQuestion, judged: Judged): Judged {
  const admittedOverBudget = admittedBeyondAnyPhase(question)
  if (admittedOverBudget.length === 0) return judged
  return {
    ...judged,
    labelled: { ...judged.labelled, admittedOverBudget },
    violations: admittedOverBudget.length,
  }
}

function questionOf({ index, slackMs }: PreparedHistory, asked: Question): LimiterQuestion {
  requireJudgeable(asked.limit, slackMs)
  return {
    index,
    limit: asked.limit,
    slackMs: slackMs + EDGE_GUARD_MS,
    observedFromMs: asked.history === 'complete' ? -Infinity : index.firstSentMs,
  }
}

function violationsOf({ refusedWithinBudget, admittedOverBudget }: Labelled): number {
  return refusedWithinBudget.length + admittedOverBudget.length
}

/** Whether an edge can be told from its neighbours: the slack on both sides has to leave some of the window. */
export function isLongEnough({ windowSeconds }: WindowLimit, slackMs: number): boolean {
  return slackMs >= 0 && 2 * slackMs < windowSeconds * 1000
}

/** Edges wider than the windows between them explain everything: that would be a verdict about nothing. */
function requireJudgeable(limit: WindowLimit, slackMs: number): void {
  const windowMs = limit.windowSeconds * 1000
  if (!(limit.count >= 1) || !(windowMs > 0))
    throw new RangeError(
      `A limit of ${limit.count} per ${limit.windowSeconds} s cannot be judged: both must be positive.`,
    )
  if (!isLongEnough(limit, slackMs))
    throw new RangeError(
      `A slack of ${slackMs} ms cannot be judged with windows of ${windowMs} ms: it must be under half of one.`,
    )
}

type Judged = {
  readonly explanation: Explanation
  readonly labelled: Labelled
  readonly violations: number
  /** Of the pairs of retries, those that lie in one window. */
  readonly tooEarly: Uint32Array
}

function judgeExplanation(
  question: LimiterQuestion,
  explanation: Explanation,
  retries: RetryPairs,
): Judged {
  const labelled = labelHistory(question, explanation)
  const { frameOf } = labelled
  const tooEarly = rowsWhere(retries.refused.length, (pair) => {
    const frame = frameOf[retries.refused[pair] as number] as number
    return frame >= 0 && frame === frameOf[retries.retried[pair] as number]
  })
  return {
    explanation,
    labelled,
    violations: violationsOf(labelled),
    tooEarly,
  }
}

function isBetter(a: Judged, b: Judged): boolean {
  if (a.violations !== b.violations) return a.violations < b.violations
  return a.tooEarly.length < b.tooEarly.length
}

function report(
  { index, retries }: PreparedHistory,
  { explanation, labelled, violations, tooEarly }: Judged,
): LimiterVerdict {
  const explained = violations === 0
  return {
    explained,
    model: explanation.model,
    edgesMs: explanation.frames.map((frame) => frame.startMs),
    ...(explanation.phaseSpreadMs !== undefined && { phaseSpreadMs: explanation.phaseSpreadMs }),
    labels: Array.from(labelled.labels, (label) => REQUEST_LABELS[label] as RequestLabel),
    counts: {
      mustAccept: countLabel(labelled.labels, 'must-accept'),
      mustRefuse: countLabel(labelled.labels, 'must-refuse'),
      ambiguous: countLabel(labelled.labels, 'ambiguous'),
    },
    fullWindows: labelled.fullWindows,
    refusedWithinBudget: labelled.refusedWithinBudget,
    admittedOverBudget: labelled.admittedOverBudget,
    retryAfter: {
      refusals: index.refusedSent.length,
      retried: retries.retried.length,
      tooEarly: explained
        ? Array.from(tooEarly, (pair) => ({
            refused: retries.refused[pair] as number,
            retried: retries.retried[pair] as number,
          }))
        : [],
    },
  }
}
