import { isLost } from '../../../contract/answers.ts'
import type { Evidence } from './import.ts'
import type { LoadResult, WindowTrace } from '../../../schemas/generated/run-record.ts'
import { loadResultOf } from '../shared/conclusion.ts'
import { findingsOf } from './judge-findings.ts'
import { groupByQuota, rowsWith, undecidedReason, type QuotaGroup } from './judge-groups.ts'
import type { QuotaOutcome } from '../../judge/limiter-history.ts'
import type { LoadPlan } from './plan.ts'
import type { K6Run } from '../evidence/k6-run.ts'
import { FEW_SHARES, percentilesOf } from '../shared/latencies.ts'
import { rounded } from '../../text.ts'

/** Judges what a scenario recorded. Only the evidence counts: k6's exit code and thresholds can take a pass away, not give one. */
export function judgeLoad(plan: LoadPlan, run: K6Run<Evidence>, k6Version: string): LoadResult {
  const groups = groupByQuota(plan, run)
  const findings = findingsOf(groups)
  const requests = countRequests(plan, groups)
  return loadResultOf(
    {
      scenario: plan.scenario,
      findings,
      requests,
      measurements: measure(run, groups),
      windows: groups.map(traceOf),
      clockStepMsMax: Math.min(...groups.map((group) => group.slackMs)),
      undecided: undefined,
      undecidedPoints: undecidedPoints(groups),
      passReason: passReasonOf(groups),
    },
    run,
    k6Version,
  )
}

/** Where only the default is known, an endpoint may have a window of its own: that its answers do not fit the default is said, not blamed. */
function passReasonOf(groups: readonly QuotaGroup[]): string {
  const fitting = groups.filter(({ verdict }) => verdict.explained)
  const answers = sumOf(fitting, ({ samples }) => samples.length)
  const told = `Fixed windows explain all ${answers} answers of ${fitting.length} quotas.`
  const others = groups.filter((group) => !fitting.includes(group))
  if (others.length === 0) return told
  const names = others.map(({ first }) => first.name).join(', ')
  return `${told} Not judged: ${names}. The default does not explain its answers, and no window of its own is known.`
}

/** Quotas that were not decided, each with its reason. */
function undecidedPoints(groups: readonly QuotaGroup[]): string | undefined {
  const open = groups.flatMap((group) => {
    const reason = undecidedReason(group)
    return reason === undefined ? [] : [`${group.first.name}: ${reason}`]
  })
  return open.length === 0 ? undefined : `Not decided: ${open.join('; ')}.`
}

function countRequests(plan: LoadPlan, groups: readonly QuotaGroup[]): LoadResult['requests'] {
  const count = (outcome: QuotaOutcome): number =>
    sumOf(groups, ({ samples }) => rowsWith(samples, outcome).length)
  return {
    planned: plan.requestsMin,
    sent: sumOf(groups, ({ samples }) => samples.length),
    admitted: count('admitted'),
    refused: count('refused'),
    failed: sumOf(
      groups,
      ({ samples }) => samples.status.filter((status) => isLost({ status })).length,
    ),
  }
}

function sumOf(groups: readonly QuotaGroup[], of: (group: QuotaGroup) => number): number {
  return groups.reduce((sum, group) => sum + of(group), 0)
}

/** Latencies are those of the batches in which requests were sent: they bound the server's own from above. */
function measure(run: K6Run<Evidence>, groups: readonly QuotaGroup[]): LoadResult['measurements'] {
  return {
    durationSeconds: rounded(run.durationSeconds),
    clockStepMs: rounded(run.clockStepMs),
    otherAnswers: sumOf(groups, ({ samples }) => rowsWith(samples, 'other').length),
    newConnections: sumOf(groups, ({ samples }) => samples.connection.count('n')),
    ...percentilesOf('admittedLatencyMs', latenciesMs('admitted', groups), FEW_SHARES),
    ...percentilesOf('refusedLatencyMs', latenciesMs('refused', groups), FEW_SHARES),
    ...Object.fromEntries(
      groups.map(({ first, verdict }) => [
        `explanation of ${first.name}`,
        verdict.explained ? verdict.model : 'none',
      ]),
    ),
  }
}

function latenciesMs(outcome: 'admitted' | 'refused', groups: readonly QuotaGroup[]): Float64Array {
  const rows = groups.map(({ samples }) => rowsWith(samples, outcome))
  const times = new Float64Array(rows.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const [index, { samples }] of groups.entries())
    for (const row of rows[index] ?? [])
      times[at++] = (samples.receivedMs[row] as number) - (samples.sentMs[row] as number)
  return times
}

const POINTS_MAX = 600
const VIOLATION_POINTS_MAX = 100
const EDGES_MAX = 200

/** The plot of one quota: times in milliseconds since k6 started its test; thinned evenly, violations kept first. */
function traceOf(group: QuotaGroup): WindowTrace {
  const { verdict, samples, first } = group
  const { counts, refusedWithinBudget, admittedOverBudget } = verdict
  const violations = [...refusedWithinBudget, ...admittedOverBudget]
  return {
    partition: first.partition,
    bucket: first.bucket,
    limit: { count: first.limit.count, windowSeconds: first.limit.windowSeconds },
    outcome: { ...counts, violations: violations.length },
    edgesMs: edgesWithin(group),
    points: thin(samples.length, violations).map((row) => [
      samples.sentMs[row] as number,
      samples.receivedMs[row] as number,
      samples.status[row] as number,
    ]),
    phase: verdict.explained ? verdict.model : 'unexplained',
  }
}

function edgesWithin({ verdict, samples }: QuotaGroup): number[] {
  const fromMs = samples.sentMs[0] ?? 0
  const toMs = samples.receivedMs.reduce((latest, time) => Math.max(latest, time), fromMs)
  return verdict.edgesMs
    .filter((edgeMs) => edgeMs >= fromMs && edgeMs <= toMs)
    .slice(0, EDGES_MAX)
    .map(rounded)
}

/** Rows that the plot shows, in order. */
function thin(length: number, violations: readonly number[]): number[] {
  const kept = new Set(violations.slice(0, VIOLATION_POINTS_MAX))
  const room = POINTS_MAX - kept.size
  const step = Math.max(1, length / room)
  for (let at = 0; at < length && kept.size < POINTS_MAX; at += step) kept.add(Math.floor(at))
  return [...kept].toSorted((a, b) => a - b)
}
