import type { Bucket, WindowLimit } from '../../../contract/limits.ts'
import { headerValue } from '../../../harness/client/headers.ts'
import {
  isLongEnough,
  judgeLimiter,
  type LimiterVerdict,
  type QuotaRequest,
} from '../../../harness/judge/limiter.ts'
import { contradictions } from '../../../harness/judge/rules/windows.ts'
import type { WindowTrace } from '../../../schemas/generated/run-record.ts'
import { TIMING_SLACK_MS } from '../../../harness/target-file/target.ts'
import type { CheckContext, Exchange, RequirementId } from '../../engine/kit.ts'
import {
  inconclusive,
  isAccepted,
  isThrottled,
  showAnswer,
  windowOutcomeOf,
} from '../../engine/kit.ts'
import type { Probe } from './probe.ts'

/** Points that a trace keeps for the plot. */
const POINTS_MAX = 600

export type JudgedWindow = {
  readonly verdict: LimiterVerdict
  readonly history: readonly Exchange[]
  readonly limit: WindowLimit
}

/** Ends the check, before it spends anything, where windows are too short for the slack of the target's timing. */
export function needJudgeable(
  { slackMs, target }: Pick<CheckContext, 'slackMs' | 'target'>,
  bucket: Bucket,
  limit: WindowLimit,
): void {
  const { windowSeconds } = limit
  if (isLongEnough(limit, slackMs)) return
  const needed = (2 * slackMs) / 1000
  const strict = TIMING_SLACK_MS.strict
  const stricter =
    target.timing === 'strict'
      ? ''
      : `run with --timing strict (slack ${strict} ms, windows longer than ${(2 * strict) / 1000} s), or `
  inconclusive(
    `windows of ${bucket} last ${windowSeconds} s and the slack of timing ${target.timing} is ${slackMs} ms: an edge shows only in windows longer than ${needed} s; ${stricter}judge a target with longer windows`,
  )
}

type AskedOfHistory = {
  readonly limit: WindowLimit
  readonly slackMs: number
  readonly completeness: 'complete' | 'partial'
  /** Of these the Retry-After is that of another window. */
  readonly isPromiseOfOther?: (exchange: Exchange) => boolean
}

/** Holds exchanges against the fixed-window model, whatever the phase. */
export function judgeHistory(
  history: readonly Exchange[],
  { limit, slackMs, completeness, isPromiseOfOther = () => false }: AskedOfHistory,
): JudgedWindow {
  const verdict = judgeLimiter({
    requests: history.map((exchange) => {
      const request = quotaRequestOf(exchange)
      return isPromiseOfOther(exchange) ? { ...request, retryAfter: undefined } : request
    }),
    limit,
    slackMs,
    history: completeness,
  })
  return { verdict, history, limit }
}

export function quotaRequestOf(exchange: Exchange): QuotaRequest {
  const outcome = windowOutcomeOf(exchange)
  const times = { sentMs: exchange.sentAtMs, receivedMs: exchange.receivedAtMs }
  return outcome === 'refused'
    ? { ...times, outcome, retryAfter: headerValue(exchange, 'retry-after') }
    : { ...times, outcome }
}

/** Requirements of a window that a probe decides, and what each would look like broken. */
type WindowClaim = {
  readonly requirement: RequirementId
  readonly statement: string
  readonly expected: string
  readonly broken: readonly Exchange[]
}

/** What a probe of one window says about windows as such: RATE-01, RATE-02, RATE-03 and RATE-08, or some of them. */
export function expectClaims(
  { expect, isFresh }: Pick<CheckContext, 'expect' | 'isFresh'>,
  probe: Probe,
  judged: JudgedWindow,
  only?: readonly RequirementId[],
): void {
  const { verdict, history, limit } = judged
  const budget = `${limit.count} in ${limit.windowSeconds} s`
  const contradicting = contradictions(verdict)
  const lost = lostAtTheEdge(probe, judged)
  const claims: readonly WindowClaim[] = [
    {
      requirement: 'RATE-01',
      statement: `the window of ${budget} admits its whole budget`,
      expected: 'no refusal within the budget',
      broken: lost.length > 0 ? [] : at(history, contradicting['RATE-01']),
    },
    {
      requirement: 'RATE-02',
      statement: `the window of ${budget} admits no more than its budget`,
      expected: 'no admission beyond the budget',
      broken: at(history, contradicting['RATE-02']),
    },
    {
      requirement: 'RATE-03',
      statement: `right after the edge the whole budget of ${budget} is there again`,
      expected: `${limit.count} admissions at once, although the last window was spent late`,
      broken: lost,
    },
    {
      requirement: 'RATE-08',
      statement: 'who waits as long as Retry-After says is not refused by the same window',
      expected: 'admission after the promised wait',
      broken: brokenPromises(judged),
    },
  ]
  for (const { requirement, statement, expected, broken } of claims)
    if (only?.includes(requirement) ?? true)
      expect(requirement).that(statement, {
        holds: broken.length === 0,
        expected,
        observed: besideOthers(describeBroken(broken, verdict), broken, isFresh),
        exchanges: broken,
      })
}

/** Answers that contradict the budget. */
export function brokenIn({ verdict, history }: JudgedWindow): readonly Exchange[] {
  return at(history, [...verdict.refusedWithinBudget, ...verdict.admittedOverBudget])
}

/** How they are counted in a finding. */
export function showFit(broken: readonly Exchange[]): string {
  return broken.length === 0 ? 'every answer fits' : contradictText(broken.length)
}

function contradictText(answers: number): string {
  return answers === 1 ? '1 answer contradicts it' : `${answers} answers contradict it`
}

/** What was observed; with the doubt that stays of refusals where others may use the account as well. */
export function besideOthers(
  observed: string,
  broken: readonly Exchange[],
  isFresh: boolean,
): string {
  return isFresh || !broken.some(isThrottled)
    ? observed
    : `${observed}. Others who use this account all the time would look the same`
}

/**
 * Refusals right after the edge, where the first window did admit its whole budget: what was spent late is still held against the
 * client, as a sliding window or a token bucket would. Only where fixed windows do not explain the history.
 */
export function lostAtTheEdge(probe: Probe, { verdict, limit }: JudgedWindow): readonly Exchange[] {
  const admitted = probe.sync.filter(isAccepted).length
  if (verdict.explained || admitted !== limit.count) return []
  return probe.burst.slice(0, limit.count).filter(isThrottled)
}

function brokenPromises({ verdict, history }: JudgedWindow): readonly Exchange[] {
  return at(history, contradictions(verdict)['RATE-08'])
}

/** In how many windows a Retry-After was too short. Once may be a hiccup of a clock, so it has to happen again. */
export function windowsWithEarlyPromises(judged: JudgedWindow): number {
  const { edgesMs } = judged.verdict
  const windows = brokenPromises(judged).map(({ sentAtMs }) =>
    edgesMs.findLastIndex((edgeMs) => edgeMs <= sentAtMs),
  )
  return new Set(windows).size
}

function describeBroken([first, ...others]: readonly Exchange[], verdict: LimiterVerdict): string {
  const { mustAccept, mustRefuse, ambiguous } = verdict.counts
  const all = mustAccept + mustRefuse + ambiguous
  const labels = `of ${all} answers ${mustAccept} had to be accepted and ${mustRefuse} refused; ${ambiguous} were too near an edge to say`
  return first
    ? `${contradictText(others.length + 1)}, first ${showAnswer(first)} (exchange ${first.id}); ${labels}`
    : `no answer contradicts it; ${labels}`
}

/** Why a probe decides too little, if it does: a burst that crossed an edge, or labels that noise made ambiguous. */
export function weaknessOf(
  probe: Probe,
  { verdict, history, limit }: JudgedWindow,
): string | undefined {
  const { counts } = verdict
  if (verdict.refusedWithinBudget.length + verdict.admittedOverBudget.length > 0) return undefined
  const count = (sent: readonly Exchange[], label: string): number =>
    history.filter((each, index) => verdict.labels[index] === label && sent.includes(each)).length
  const accepts = count(probe.burst, 'must-accept')
  // Another window may have refused the end of the burst.
  const refuses = count([...probe.burst, ...(probe.within ?? [])], 'must-refuse')
  if (accepts >= limit.count * 0.8 && refuses > 0) return undefined
  return `the burst after the edge decides too little: only ${accepts} of ${limit.count} answers had to be accepted, and ${refuses} refused. It crossed an edge or was too slow; the clock leaves ${counts.ambiguous} answers open`
}

/** The requests of a window, for the report's plot. */
export function traceOf(
  { history, verdict, limit }: JudgedWindow,
  { bucket, partition, phase }: Readonly<Record<'bucket' | 'partition' | 'phase', string>>,
): WindowTrace {
  const step = Math.ceil(history.length / POINTS_MAX)
  const startMs = history[0]?.sentAtMs ?? 0
  return {
    partition,
    bucket,
    phase,
    limit: { count: limit.count, windowSeconds: limit.windowSeconds },
    outcome: {
      mustAccept: verdict.counts.mustAccept,
      mustRefuse: verdict.counts.mustRefuse,
      ambiguous: verdict.counts.ambiguous,
      violations: verdict.refusedWithinBudget.length + verdict.admittedOverBudget.length,
    },
    edgesMs: verdict.edgesMs.map((edgeMs) => edgeMs - startMs),
    points: history
      .filter((_, index) => index % step === 0)
      .map(({ sentAtMs, receivedAtMs, response }) => [
        sentAtMs - startMs,
        receivedAtMs - startMs,
        response?.status ?? 0,
      ]),
  }
}

function at(history: readonly Exchange[], indexes: readonly number[]): Exchange[] {
  return indexes.flatMap((index) => history[index] ?? [])
}
