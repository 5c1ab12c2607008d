import type { Capacity } from '../../schemas/generated/run-record.ts'
import { HarnessError, usageError } from '../errors.ts'
import { THINK_SECONDS } from '../load/open-model/workloads.ts'
import { samplesFor, type Goals } from '../load/shared/goals.ts'
import { UNDER_WAY_FROM } from './measure.ts'
import { firstSteps, roundRate, type SearchSettings, type Step } from './search.ts'

/** What one session spends of one of its account's windows. */
export type WindowSpend = {
  /** As people call it. */
  readonly quota: string
  readonly requests: number
  readonly count: number
  readonly windowSeconds: number
}

/** What a scenario costs on a target, before anything of it is sent. */
export type ScenarioCost = {
  /** Steps count what they are; until then an estimate. */
  readonly requestsPerSession: number
  readonly spends: readonly WindowSpend[]
  /** How long a session keeps its client busy with waits of its own; 0 where it has none. */
  readonly waitSeconds: number
  /** Where sessions buy: so many share an account, where accounts can be made. More would contend for its key. */
  readonly sessionsPerAccount?: number
  /** Accounts of a target that makes none; undefined: as many as are needed. */
  readonly accounts?: number
}

/** What the caller asked for; what is left out is chosen here. */
export type CapacityRequest = {
  readonly scenario: string
  readonly goals: Goals
  readonly startPerSecond?: number
  readonly maxPerSecond?: number
  /** The rate that the target has to hold. */
  readonly wantedPerSecond?: number
  readonly precision: number
  readonly stepSeconds: number
  readonly confirmSeconds: number
  readonly stepsMax: number
  readonly secondsMax: number
  /** Undefined: not bounded. */
  readonly requestsMax?: number
}

/** Steps would last minutes until as many sessions are under way as will be. */
const THINK_SECONDS_MAX = 0.5

/**
 * As long as an answer may take by the tightest goal: a session then falls behind its plan only where the service misses that goal.
 * Undefined where the goals are too loose for that: a request is then due when the last of its session was answered.
 */
export function thinkSecondsFor(goals: Goals): number | undefined {
  const tightest = tightestSeconds(goals)
  return tightest > THINK_SECONDS_MAX ? undefined : Math.max(THINK_SECONDS, tightest)
}

export function tightestSeconds({ latencies }: Goals): number {
  return Math.min(...latencies.map(({ limitMs }) => limitMs)) / 1000
}

/** A search whose cost is bounded, before anything of it is sent. */
export type CapacityPlan = {
  readonly scenario: string
  readonly goals: Goals
  readonly settings: SearchSettings
  readonly maxSetBy: Capacity['plan']['maxSetBy']
  /** Most accounts of one step. */
  readonly accountsMax: number
  readonly cost: ScenarioCost
}

export const START_PER_SECOND = 100
const MIN_PER_SECOND = 1
/** Fewer sessions in a step show nothing. */
const SESSIONS_MIN = 10
export const MAX_PER_SECOND = 5000
/** From a start that is this much below the highest rate, three doublings are left. */
const START_SHARE = 1 / 8
/** Some requests are refused or lost, and have no latency. */
const SAMPLES_SPARE = 1.05
/** Sessions do not end in the window that they began in, and windows are spent to this share. */
const WINDOW_SHARE = 0.9

/** Throws E_USAGE where the accounts cannot carry what is asked for, E_PERMISSION where the requests are not permitted. */
export function planCapacity(requested: CapacityRequest, cost: ScenarioCost): CapacityPlan {
  const { goals, scenario, precision, stepSeconds, confirmSeconds, stepsMax, secondsMax } =
    requested
  const carried = carriedPerSecond(cost)
  for (const [flag, rate] of [
    ['--max-rate', requested.maxPerSecond],
    ['--min-rate', requested.wantedPerSecond],
    ['--start-rate', requested.startPerSecond],
  ] as const)
    if (rate !== undefined && rate > carried)
      throw tooFewAccounts(flag, { ratePerSecond: rate, seconds: confirmSeconds }, cost)
  if (carried < MIN_PER_SECOND)
    throw tooFewAccounts(
      'the lowest rate of a search',
      { ratePerSecond: MIN_PER_SECOND, seconds: confirmSeconds },
      cost,
    )
  const unbounded = Math.max(MAX_PER_SECOND, 2 * (requested.wantedPerSecond ?? 0))
  const maxPerSecond = requested.maxPerSecond ?? Math.min(unbounded, roundDown(carried))
  const startPerSecond =
    requested.startPerSecond ??
    Math.max(MIN_PER_SECOND, Math.min(START_PER_SECOND, roundRate(maxPerSecond * START_SHARE)))
  const settings: SearchSettings = {
    startPerSecond,
    maxPerSecond,
    minPerSecond: Math.min(MIN_PER_SECOND, startPerSecond),
    stepSeconds: Math.max(stepSeconds, stepSecondsMin(goals, cost)),
    confirmSeconds: Math.max(confirmSeconds, stepSecondsMin(goals, cost)),
    requestsMin: SESSIONS_MIN * cost.requestsPerSession,
    confirmRequestsMin: Math.ceil(SAMPLES_SPARE * samplesFor(goals.latencies)),
    precision,
    ...(requested.wantedPerSecond !== undefined && { wantedPerSecond: requested.wantedPerSecond }),
    stepsMax,
    secondsMax,
    requestsMax: requested.requestsMax ?? Number.MAX_SAFE_INTEGER,
  }
  requireRoom(settings)
  return {
    scenario,
    goals,
    settings: {
      ...settings,
      requestsMax: Math.min(settings.requestsMax, requestsAtMost(settings)),
    },
    maxSetBy: requested.maxPerSecond === undefined && carried < unbounded ? 'accounts' : 'max-rate',
    accountsMax: accountsFor(
      { ratePerSecond: maxPerSecond, seconds: Math.max(stepSeconds, confirmSeconds) },
      cost,
    ),
    cost,
  }
}

/** Requests come at their rate once as many sessions are under way as will be: that has to be so when a step begins to count. */
function stepSecondsMin(goals: Goals, { requestsPerSession }: ScenarioCost): number {
  const pauses = Math.ceil(requestsPerSession) - 1
  return Math.ceil((pauses * (thinkSecondsFor(goals) ?? 0)) / UNDER_WAY_FROM)
}

/** Accounts that a step needs so that no window of theirs is overspent, wherever it starts; fresh ones, or those that there are. */
export function accountsFor(
  { ratePerSecond, seconds }: Pick<Step, 'ratePerSecond' | 'seconds'>,
  { accounts, requestsPerSession, spends, sessionsPerAccount = Infinity }: ScenarioCost,
): number {
  if (accounts !== undefined) return accounts
  const sessionsPerSecond = ratePerSecond / requestsPerSession
  return Math.max(
    1,
    Math.ceil(sessionsFor({ ratePerSecond, seconds }, requestsPerSession) / sessionsPerAccount),
    ...spends.map(({ requests, count, windowSeconds }) => {
      const sessions = Math.ceil(sessionsPerSecond * Math.min(seconds, windowSeconds))
      return Math.ceil((sessions * requests) / (WINDOW_SHARE * count))
    }),
  )
}

/** Sessions of a step. */
export function sessionsFor(
  { ratePerSecond, seconds }: Pick<Step, 'ratePerSecond' | 'seconds'>,
  requestsPerSession: number,
): number {
  return Math.max(1, Math.round((ratePerSecond * seconds) / requestsPerSession))
}

/** Requests per second that the windows of the target's accounts admit. */
function carriedPerSecond({ accounts, requestsPerSession, spends }: ScenarioCost): number {
  if (accounts === undefined) return Infinity
  const sessionsPerSecond = Math.min(
    ...spends.map(
      ({ requests, count, windowSeconds }) => (WINDOW_SHARE * count) / windowSeconds / requests,
    ),
  )
  return accounts * sessionsPerSecond * requestsPerSession
}

function tooFewAccounts(
  flag: string,
  { ratePerSecond, seconds }: Pick<Step, 'ratePerSecond' | 'seconds'>,
  cost: ScenarioCost,
): HarnessError {
  const { accounts = 0, spends } = cost
  const longest = Math.max(seconds, ...spends.map(({ windowSeconds }) => windowSeconds))
  const { accounts: _those, sessionsPerAccount: _shared, ...unbounded } = cost
  const needed = accountsFor({ ratePerSecond, seconds: longest }, unbounded)
  const carried = roundDown(carriedPerSecond(cost))
  const windows = spends.map(
    ({ quota, count, windowSeconds }) => `${quota} ${count} per ${windowSeconds} s`,
  )
  return usageError(
    `${flag} is ${ratePerSecond} requests per second, which needs ${needed} accounts; the target file has ${accounts}, and their windows (${windows.join(', ')}) admit ${carried} per second`,
    `More would measure the limiter, not the service. Ask for at most ${carried} per second, raise the limits of the environment, or use a target that makes accounts (control).`,
  )
}

/** A search that has no room for its first step and one that confirms it would end without an answer. */
function requireRoom(settings: SearchSettings): void {
  const { startPerSecond, maxPerSecond } = settings
  if (startPerSecond > maxPerSecond)
    throw usageError(
      `--start-rate is ${startPerSecond} requests per second, more than the highest rate of ${maxPerSecond}`,
      'Lower --start-rate, or raise --max-rate.',
    )
  const seconds = firstSteps(settings).reduce((sum, step) => sum + step.seconds, 0)
  const requests = Math.ceil(startPerSecond * seconds)
  if (seconds > settings.secondsMax || settings.stepsMax < 2)
    throw usageError(
      `a first step and one that confirms it take ${seconds} s and 2 steps, ${settings.secondsMax} s and ${settings.stepsMax} are permitted`,
      'Raise --max-seconds, or shorten --step-seconds and --confirm-seconds.',
    )
  if (requests > settings.requestsMax)
    throw new HarnessError(
      'E_PERMISSION',
      `a first step and one that confirms it send ${requests} requests, ${settings.requestsMax} are permitted`,
      `Raise --max-requests to ${requests} or more, or lower --start-rate.`,
    )
}

/** What the bounds of time alone leave: every second at the highest rate. */
function requestsAtMost({ maxPerSecond, secondsMax }: SearchSettings): number {
  return Math.ceil(maxPerSecond * secondsMax)
}

function roundDown(rate: number): number {
  const rounded = roundRate(rate)
  return rounded <= rate ? rounded : roundRate(rate >= 20 ? rate - 1 : rate - 0.1)
}

/** The plan in lines for people. */
export function planLines({
  settings,
  goals,
  maxSetBy,
  accountsMax,
  cost,
  scenario,
}: CapacityPlan): string[] {
  const { startPerSecond, maxPerSecond, stepSeconds, confirmSeconds } = settings
  const latencies = goals.latencies.map(({ name, limitMs }) => `${name} at most ${limitMs} ms`)
  const setBy = { 'max-rate': '--max-rate', accounts: 'what the accounts admit' }
  return [
    `scenario ${scenario}: ${Math.round(100 * cost.requestsPerSession) / 100} requests per session`,
    `goals: ${latencies.join(', ')}, errors at most ${100 * goals.errorShareMax} %, achieved at least ${100 * goals.achievedShareMin} %`,
    `rates: from ${startPerSecond} to ${maxPerSecond} requests per second (${setBy[maxSetBy]}), narrowed to ${Math.round(100 * settings.precision)} %`,
    `steps: at most ${settings.stepsMax}, of ${stepSeconds} s each, ${confirmSeconds} s and ${settings.confirmRequestsMin} requests or more to confirm; at most ${settings.secondsMax} s of load and ${settings.requestsMax} requests`,
    `accounts: ${cost.accounts === undefined ? `up to ${accountsMax} fresh ones per step` : `${accountsMax} of the target file`}`,
  ]
}
