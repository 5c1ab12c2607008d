import type { CapacityStep } from '../../schemas/generated/run-record.ts'
import { sentence } from '../text.ts'
import {
  formatMs,
  formatShare,
  isMissed,
  judgeErrors,
  judgeLatency,
  type GoalResult,
  type Goals,
  type LatencyGoal,
} from '../load/shared/goals.ts'
import { quantile } from '../load/shared/latencies.ts'
import type { StepMeasurement } from './measure.ts'
import type { StepVerdict } from './search.ts'

/** How busy the machine was while a step ran. What cannot be learned here is left out. */
export type MachineUse = {
  /** Share of all processors' time, 0..1. */
  readonly busyShare?: number
  readonly k6Cores?: number
  /** Of this process, with the embedded service in it. */
  readonly harnessCores?: number
  /** What is left of the busy time. */
  readonly othersCores?: number
}

/** Beyond these the generator cannot be trusted to have offered what was planned. */
export type GeneratorBounds = {
  readonly busyShareMax: number
  /** 99 % of the sessions start at most this late. */
  readonly lagMsMax: number
}

export type StepJudgement = {
  readonly verdict: StepVerdict
  readonly constraint?: NonNullable<CapacityStep['constraint']>
  readonly reason: string
  readonly goals: readonly GoalResult[]
}

export type StepEvidence = {
  readonly measured: StepMeasurement
  readonly machine: MachineUse
  /** Why the run of the step is void, in a sentence. */
  readonly void?: string
}

export const BUSY_SHARE_MAX = 0.95
const LAG_MS_MIN = 10

/** Starts may be late by a quarter of the tightest latency that is asked for. */
export function generatorBounds(goals: Goals, busyShareMax = BUSY_SHARE_MAX): GeneratorBounds {
  const tightestMs = Math.min(...goals.latencies.map(({ limitMs }) => limitMs))
  return { busyShareMax, lagMsMax: Math.max(LAG_MS_MIN, tightestMs / 4) }
}

/** What a step is held against. */
type Demands = {
  readonly goals: Goals
  readonly bounds: GeneratorBounds
  /** Percentiles count with their intervals; else as they were measured, which is enough to find the way. */
  readonly isFirm?: boolean
}

/**
 * Whether a step reached its goals. A generator at its end makes it inconclusive, never good; it is blamed before the service, except
 * for what the service alone took too long over or got wrong.
 */
export function judgeStep(
  evidence: StepEvidence,
  { goals, bounds, isFirm = true }: Demands,
): StepJudgement {
  const { measured } = evidence
  const results = goalResults(measured, measured.admittedMs, { ...goals, isFirm })
  const blank = whyVoid(evidence, bounds)
  if (blank !== undefined)
    return { ...generatorAtEnd(blank, results), ...(isTakenByOthers(evidence) && BY_OTHERS) }
  const { sent, refused, capped } = measured.requests
  if (refused / sent > goals.errorShareMax)
    return bad('limiter', `${refused} of ${sent} requests were refused by a limit (429)`, results)
  if (capped / sent > goals.errorShareMax)
    return bad('cap', `${capped} of ${sent} requests were refused by a spend cap (409)`, results)
  const ofService = goalResults(measured, measured.serviceMs, { ...goals, isFirm })
  const slow = ofService.filter((goal) => isMissed(goal) && goal.name !== 'achieved')
  if (slow.length > 0) return bad('service', missedText(results, slow), results)
  const late = whyLate(measured, bounds)
  if (late !== undefined) return generatorAtEnd(late, results)
  const missed = results.filter(isMissed)
  if (missed.length > 0) return bad('service', missedText(results, missed), results)
  const open = results.flatMap(({ undecided }) => undecided ?? [])
  if (open.length > 0)
    return { verdict: 'inconclusive', reason: sentence(open.join('; ')), goals: results }
  return { verdict: 'good', reason: textOf(results), goals: results }
}

function whyVoid(
  { measured, machine, void: reason }: StepEvidence,
  { busyShareMax }: GeneratorBounds,
): string | undefined {
  if (reason !== undefined) return reason
  if (measured.requests.sent === 0) return 'no request was sent'
  const { busyShare = 0, k6Cores, harnessCores, othersCores } = machine
  if (busyShare <= busyShareMax) return undefined
  const shares = [
    ...(k6Cores === undefined ? [] : [`k6 took ${k6Cores.toFixed(2)} processors`]),
    ...(harnessCores === undefined ? [] : [`this process ${harnessCores.toFixed(2)}`]),
    ...(othersCores === undefined ? [] : [`others ${othersCores.toFixed(2)}`]),
  ]
  return `the machine was ${formatShare(busyShare)} busy${shares.length > 0 ? ` (${shares.join(', ')})` : ''}`
}

const BY_OTHERS = { constraint: 'machine' } as const

/** Whether other processes took more of the processors than the generator and this process together. */
function isTakenByOthers({ measured, machine }: StepEvidence): boolean {
  const { k6Cores = 0, harnessCores = 0, othersCores = 0 } = machine
  return measured.requests.sent > 0 && othersCores > k6Cores + harnessCores
}

function whyLate(measured: StepMeasurement, { lagMsMax }: GeneratorBounds): string | undefined {
  const { sessionsPlanned, sessionsStarted, lagMs } = measured
  if (sessionsStarted < sessionsPlanned)
    return `${sessionsPlanned - sessionsStarted} of ${sessionsPlanned} sessions were never started`
  const lag = quantile(lagMs, 0.99)
  if (lag <= lagMsMax) return undefined
  return `sessions started up to ${formatMs(lag)} late (p99), ${formatMs(lagMsMax)} are allowed`
}

/** Answers that a short step misses by the phase of its last requests alone. */
const ANSWERS_SLACK = 2
/** Of a step, in which the achieved rate is counted. */
const COUNTED_SHARE = 0.75

function goalResults(
  measured: StepMeasurement,
  latenciesMs: Float64Array,
  { latencies, errorShareMax, achievedShareMin, isFirm }: Goals & { readonly isFirm: boolean },
): GoalResult[] {
  const { requests, duePerSecond, achievedPerSecond } = measured
  const answers = requests.sent * COUNTED_SHARE
  const slack = answers === 0 ? 0 : ANSWERS_SLACK / answers
  const achieved = duePerSecond === 0 ? 0 : achievedPerSecond / duePerSecond
  return [
    ...latencies.map((goal) => {
      const judged = judgeLatency(latenciesMs, goal)
      return isFirm ? judged : asMeasured(judged, latenciesMs, goal)
    }),
    judgeErrors(requests.failed, requests.sent, errorShareMax),
    {
      name: 'achieved',
      expected: `at least ${formatShare(achievedShareMin)}`,
      observed: formatShare(achieved),
      met: achieved + slack >= achievedShareMin,
    },
    steadyResult(measured.growthMs, Math.min(...latencies.map(({ limitMs }) => limitMs))),
  ]
}

function asMeasured(
  firm: GoalResult,
  latenciesMs: Float64Array,
  { quantile: share, limitMs }: LatencyGoal,
): GoalResult {
  const { undecided: _open, ...judged } = firm
  return { ...judged, met: latenciesMs.length > 0 && quantile(latenciesMs, share) <= limitMs }
}

/** A queue that grows misses any goal in the end, whatever a step of seconds shows of it. */
const GROWTH_SHARE_MAX = 0.1
const GROWTH = 'growth of the median'

function steadyResult(growthMs: number, limitMs: number): GoalResult {
  const growthMsMax = GROWTH_SHARE_MAX * limitMs
  return {
    name: GROWTH,
    expected: `at most ${formatMs(growthMsMax)}`,
    observed: formatMs(Math.max(0, growthMs)),
    met: growthMs <= growthMsMax,
  }
}

function generatorAtEnd(reason: string, goals: readonly GoalResult[]): StepJudgement {
  return { verdict: 'inconclusive', constraint: 'generator', reason: sentence(reason), goals }
}

function bad(
  constraint: 'service' | 'limiter' | 'cap',
  reason: string,
  goals: readonly GoalResult[],
): StepJudgement {
  return { verdict: 'bad', constraint, reason: sentence(reason), goals }
}

/** Figures from due to received where the step has them; those of the service alone may be what was missed. */
function missedText(results: readonly GoalResult[], missed: readonly GoalResult[]): string {
  return missed
    .map(({ name, expected, observed }) => {
      const shown =
        results.find((each) => each.name === name && isMissed(each))?.observed ?? observed
      return `${name} was ${shown}, ${expected} was asked for`
    })
    .join('; ')
}

function textOf(results: readonly GoalResult[]): string {
  const asked = results.filter(({ name }) => name !== GROWTH)
  return sentence(asked.map(({ name, observed }) => `${name} ${observed}`).join(', '))
}
