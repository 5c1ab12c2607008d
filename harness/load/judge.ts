import type { LoadResult, WindowTrace } from '../../schemas/generated/run-record.ts'
import { loadResultOf } from './conclusion.ts'
import type { LoadSample } from './import.ts'
import { findingsOf } from './judge-findings.ts'
import { groupByQuota, outcomeOf, undecidedReason } from './judge-groups.ts'
import type { QuotaGroup } from './judge-groups.ts'
import type { LoadPlan } from './plan.ts'
import type { K6Run } from './run.ts'

/** Judges what a scenario recorded. Only the evidence counts: k6's exit code and thresholds can take a pass away, not give one. */
export function judgeLoad(plan: LoadPlan, run: K6Run, k6Version: string): LoadResult {
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
      open: openOf(groups),
      praise: `Fixed windows explain all ${requests.sent} answers of ${groups.length} quotas.`,
    },
    run,
    k6Version,
  )
}

/** Quotas that were not decided, each with its reason. */
function openOf(groups: readonly QuotaGroup[]): string | undefined {
  const open = groups.flatMap((group) => {
    const reason = undecidedReason(group)
    return reason === undefined ? [] : [`${group.first.name}: ${reason}`]
  })
  return open.length === 0 ? undefined : `Not decided: ${open.join('; ')}.`
}

function countRequests(plan: LoadPlan, groups: readonly QuotaGroup[]): LoadResult['requests'] {
  const samples = groups.flatMap((group) => group.samples)
  const count = (outcome: ReturnType<typeof outcomeOf>): number =>
    samples.filter((sample) => outcomeOf(sample) === outcome).length
  return {
    planned: plan.requestsMin,
    sent: samples.length,
    admitted: count('admitted'),
    refused: count('refused'),
    failed: count('unknown'),
  }
}

/** Latencies are those of the batches in which requests were sent: they bound the server's own from above. */
function measure(run: K6Run, groups: readonly QuotaGroup[]): LoadResult['measurements'] {
  const samples = groups.flatMap((group) => group.samples)
  const others = samples.filter((sample) => outcomeOf(sample) === 'other').length
  return {
    durationSeconds: round(run.durationSeconds),
    clockStepMs: round(run.clockStepMs),
    otherAnswers: others,
    newConnections: samples.filter(({ newConnection }) => newConnection).length,
    ...latencies('admitted', samples),
    ...latencies('refused', samples),
    ...Object.fromEntries(
      groups.map(({ first, verdict }) => [
        `explanation of ${first.name}`,
        verdict.explained ? verdict.model : 'none',
      ]),
    ),
  }
}

function latencies(
  outcome: 'admitted' | 'refused',
  samples: readonly LoadSample[],
): Record<string, number> {
  const times = Float64Array.from(
    samples.filter((sample) => outcomeOf(sample) === outcome),
    ({ sentMs, receivedMs }) => receivedMs - sentMs,
  ).toSorted()
  if (times.length === 0) return {}
  const at = (part: number): number =>
    round(times[Math.min(times.length - 1, Math.ceil(part * times.length) - 1)] ?? 0)
  return {
    [`${outcome}LatencyMsP50`]: at(0.5),
    [`${outcome}LatencyMsP99`]: at(0.99),
    [`${outcome}LatencyMsMax`]: at(1),
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
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
    points: thin(samples, violations).map(({ sentMs, receivedMs, status }) => [
      sentMs,
      receivedMs,
      status,
    ]),
    phase: verdict.explained ? verdict.model : 'unexplained',
  }
}

function edgesWithin({ verdict, samples }: QuotaGroup): number[] {
  const fromMs = samples[0]?.sentMs ?? 0
  const toMs = samples.reduce((latest, { receivedMs }) => Math.max(latest, receivedMs), fromMs)
  return verdict.edgesMs
    .filter((edgeMs) => edgeMs >= fromMs && edgeMs <= toMs)
    .slice(0, EDGES_MAX)
    .map(round)
}

function thin(samples: readonly LoadSample[], violations: readonly number[]): LoadSample[] {
  const kept = new Set(violations.slice(0, VIOLATION_POINTS_MAX))
  const room = POINTS_MAX - kept.size
  const step = Math.max(1, samples.length / room)
  for (let at = 0; at < samples.length && kept.size < POINTS_MAX; at += step)
    kept.add(Math.floor(at))
  return samples.filter((_, index) => kept.has(index))
}
