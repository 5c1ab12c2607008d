import type { OpenModelFile, RateStage } from '../../../load/protocol/open-model.ts'
import { HarnessError } from '../../errors.ts'
import type { LoadGoal } from '../shared/goals.ts'
import { ANSWER_SECONDS } from './client-plan.ts'
import { peakPerSecond } from './plan.ts'

/**
 * How sessions come.
 *
 *   smoke    few sessions, at most 5 per second, and half of what the windows admit
 *   steady   up to that rate, then evenly
 *   spike    quiet, suddenly almost all that the windows admit, quiet again
 *   soak     half of what the windows admit, for long
 *   stress   up to well beyond what the windows admit, then quiet: refusals are expected and waited out
 */
export const WORKLOADS = ['smoke', 'steady', 'spike', 'soak', 'stress'] as const
export type Workload = (typeof WORKLOADS)[number]

/** Parts of the duration, and rates in parts of what the windows admit. */
type Shape = readonly { readonly part: number; readonly from: number; readonly to: number }[]

const SHAPES: Readonly<Record<Workload, { readonly seconds: number; readonly shape: Shape }>> = {
  smoke: { seconds: 3, shape: [even(1, 0.5)] },
  steady: { seconds: 60, shape: [{ part: 0.1, from: 0.05, to: 0.5 }, even(0.9, 0.5)] },
  spike: { seconds: 60, shape: [even(0.4, 0.1), even(0.2, 0.8), even(0.4, 0.1)] },
  soak: { seconds: 600, shape: [even(1, 0.5)] },
  stress: {
    seconds: 60,
    shape: [{ part: 0.5, from: 0.2, to: 2 }, even(0.2, 2), even(0.3, 0.2)],
  },
}

function even(part: number, rate: number): Shape[number] {
  return { part, from: rate, to: rate }
}

/** What the command line asks for. */
export type WorkloadChoice = {
  readonly workload: Workload
  readonly seconds?: number
  /** At the peak. */
  readonly requestsPerSecond?: number
  /** In the place of the workload's own shape. */
  readonly stages?: RequestStages
  /** Between the planned moments of a session's requests. */
  readonly thinkSeconds?: number
  readonly goals?: readonly LoadGoal[]
  /** Of the scenario mixed. */
  readonly mix?: OpenModelFile['mix']
}

/** Stages of a file (--stages): their rates are requests per second. */
export type RequestStages = { readonly file: string; readonly stages: readonly RateStage[] }

/** How sessions come, where it was asked for: a choice whose rates are sessions per second. */
export type SessionSchedule = Pick<WorkloadChoice, 'workload' | 'seconds'> & {
  readonly stages?: readonly RateStage[]
  /** At the peak. */
  readonly sessionsPerSecond?: number
}

/** `requestsEach`: requests of one session. */
export function inSessions(
  { workload, seconds, requestsPerSecond, stages: asked }: WorkloadChoice,
  requestsEach: number,
): SessionSchedule {
  const stages = asked?.stages.map((stage) => ({
    seconds: stage.seconds,
    fromPerSecond: stage.fromPerSecond / requestsEach,
    toPerSecond: stage.toPerSecond / requestsEach,
  }))
  const sessionsPerSecond = stages
    ? peakPerSecond(stages)
    : requestsPerSecond && requestsPerSecond / requestsEach
  return {
    workload,
    ...(seconds !== undefined && { seconds }),
    ...(stages && { stages }),
    ...(sessionsPerSecond !== undefined && { sessionsPerSecond }),
  }
}

/** The workload by its name; that of a file by its stages: `stages 30s:20,60s:20`. */
export function workloadName({ workload, stages: asked }: WorkloadChoice): string {
  const texts = asked?.stages.map(({ seconds, toPerSecond }) => `${seconds}s:${toPerSecond}`)
  return texts ? `stages ${texts.join(',')}` : workload
}

/** As long as an answer rarely takes: a session that keeps to its plan sends each request when it is due. */
export const THINK_SECONDS = ANSWER_SECONDS

/** Fewer sessions show nothing: a slow schedule is drawn out to so many, unless its length was asked for. */
const SESSIONS_MIN = 10

/** Small on every target: it takes longer where the windows admit more, up to so many sessions. */
const SMOKE = { perSecondMax: 5, sessions: 40 } as const

/** The peak of a workload in parts of what the windows admit. */
export function peakOf(workload: Workload): number {
  return Math.max(...SHAPES[workload].shape.map(({ from, to }) => Math.max(from, to)))
}

/**
 * The stages of a workload where the windows admit so many sessions per second, and so many at once. If one window admits
 * twice as many as come, they need not be spread over time.
 */
export function stagesOf(
  { workload, seconds, sessionsPerSecond, stages }: SessionSchedule,
  { perSecond, atOnce }: { readonly perSecond: number; readonly atOnce: number },
): readonly RateStage[] {
  if (stages) return stages
  const { shape, seconds: usualSeconds } = SHAPES[workload]
  const average = shape.reduce((sum, { part, from, to }) => sum + (part * (from + to)) / 2, 0)
  const isSmall = workload === 'smoke' && sessionsPerSecond === undefined
  const sessionsMin = isSmall
    ? Math.max(SESSIONS_MIN, Math.min(SMOKE.sessions, usualSeconds * average * perSecond))
    : SESSIONS_MIN
  const isWithinOne = isSmall && seconds === undefined && sessionsMin <= atOnce * peakOf(workload)
  const admitted = isWithinOne ? sessionsMin / (usualSeconds * average) : perSecond
  const unit = Math.min(
    isSmall ? SMOKE.perSecondMax / peakOf(workload) : Infinity,
    sessionsPerSecond === undefined ? admitted : sessionsPerSecond / peakOf(workload),
  )
  const length = seconds ?? Math.max(usualSeconds, sessionsMin / (unit * average))
  return shape.map(({ part, from, to }) => ({
    seconds: part * length,
    fromPerSecond: from * unit,
    toPerSecond: to * unit,
  }))
}

/** What the windows of the accounts admit, in sessions. */
export type Admitted = {
  readonly perAccount: number
  readonly accounts: number
  readonly requestsEach: number
}

/** Only stress may offer more than the windows admit: anything else would measure the limiter. Throws E_USAGE. */
export function requireAdmitted(
  { workload, sessionsPerSecond, stages }: SessionSchedule,
  { perAccount, accounts, requestsEach }: Admitted,
): void {
  if (workload === 'stress' || sessionsPerSecond === undefined) return
  const admitted = perAccount * accounts
  // Rates come from quotients.
  if (sessionsPerSecond <= admitted * (1 + 1e-9)) return
  const [asked, most] = [sessionsPerSecond, admitted].map((rate) =>
    Number((rate * requestsEach).toFixed(1)),
  )
  throw new HarnessError(
    'E_USAGE',
    `${stages ? '--stages' : '--rate'} asks for ${asked} requests per second, and the windows of ${accounts} accounts admit ${most} (sessions of about ${Number(requestsEach.toFixed(1))} requests)`,
    `Ask for less, use --workload stress, or give the target ${Math.ceil(sessionsPerSecond / perAccount)} accounts.`,
  )
}
