import type { OpenModelContext } from './context.ts'
import { limitOf, type EffectiveLimits } from '../../quota/effective-limits.ts'
import { mixOf, sessionsOf } from '../../../load/protocol/arrival-schedule.ts'
import { OPEN_MODEL_VERSION } from '../../../load/protocol/open-model.ts'
import type { OpenModelFile, RateStage, SessionKind } from '../../../load/protocol/open-model.ts'
import { OPERATIONS } from '../../../contract/operations.ts'
import { newReferences } from '../../client/references.ts'
import type { Target } from '../../target-file/target.ts'
import { backlogOf, mostDueWithin, type Backlog } from './backlog.ts'
import { sessionsAtOnceMax, sessionsPerSecondMax, type Spend } from './quotas.ts'
import type { Micros } from '../../money.ts'
import { START_SECONDS, type LoadBudget, type UnhideTokens } from '../shared/budget.ts'
import type { LoadGoal } from '../shared/goals.ts'
import { nameSecrets, REQUEST_TIMEOUT_SECONDS } from '../rate-limits/plan.ts'
import type { K6Plan, LoadKey } from '../rate-limits/plan.ts'
import { browsePlan, PAGE_LIMIT, PAGES_MAX } from './browse-plan.ts'
import { buyerPlan, ordererPart, shopperPlan } from './buyer-plans.ts'
import type { Lacks } from '../shared/lacks.ts'
import { ANSWER_SECONDS, MARKS, POLL_SECONDS, pollsIn, type ClientPlan } from './client-plan.ts'

export type Mix = readonly { readonly kind: SessionKind; readonly weight: number }[]

/** What is left of a key's cap before the run. */
export type KeyCap = { readonly headroom: Micros | 'none' | 'unknown' }

/** What an open-model run offers. */
export type OpenModelSpec = {
  readonly scenario: string
  readonly workload: string
  readonly stages: readonly RateStage[]
  readonly mix: Mix
  /** They take turns, one turn of the mix each. */
  readonly keys: readonly LoadKey[]
  /** Sessions that may be under way at once; planned from the rate where it is left out. */
  readonly virtualUsers?: number
  /** Between the planned moments of a session's requests; left out: each is due when the last was answered. */
  readonly thinkSeconds?: number
  /** 0: the first refusal ends a session, as a search for capacity wants it. */
  readonly retriesMax?: number
}

export type OpenModelPlan = K6Plan & {
  readonly file: OpenModelFile
  readonly keys: readonly LoadKey[]
  /** In the order of the keys; unknown where it is left out. */
  readonly caps?: readonly KeyCap[]
  readonly budget: LoadBudget
  /** Of a session on average, as they were estimated. */
  readonly requestsEach?: number
  /** What latencies are held against. */
  readonly goals?: readonly LoadGoal[]
  /** By so much the clocks of several instances may differ. */
  readonly clockSkewMs?: number
}

/** What one session costs on average, as the mix has it. */
export type MixCost = {
  readonly spends: readonly Spend[]
  readonly requests: number
  readonly requestsUsual: number
  readonly busySeconds: number
}

export type MixedPart = {
  readonly part: ClientPlan
  readonly share: number
  readonly kind: SessionKind
}

/** Repeats after a 429 beyond those that what has piled up asks for, and how many of all requests before k6 is stopped. */
const RETRIES_MAX = 12
const REPEATS_FACTOR = { within: 1.5, beyond: 4 } as const
const REPEATS_SPARE = 50
const JITTER_MS_MAX = 250
const LEAD_MS = { first: 700, each: 15, max: 8000 } as const
const SPARE_SECONDS = 10
/** Beyond this the processes' own memory and start take over; several of them share a larger load. */
const USERS_MAX = 1000
/** Answers may take so many times as long as estimated, and some users come on top. */
const USERS_FACTOR = 3
const USERS_SPARE = 4
/** Think times are kept to, but for a session of more requests than usual. */
const PAUSES_FACTOR = 1.5
/** A wait is rounded up, and jittered: more wait than have to. */
const WAITING_FACTOR = 1.25

const PARTS: Readonly<Record<SessionKind, (target: Target) => ClientPlan | Lacks>> = {
  browse: browsePlan,
  buyer: buyerPlan,
  shopper: shopperPlan,
  orderer: ordererPart,
}

/** The parts of a mix, or what the target lacks for the first that it cannot have. */
export function clientPlansOf(mix: Mix, target: Target): readonly MixedPart[] | Lacks {
  const total = mix.reduce((sum, { weight }) => sum + weight, 0)
  const parts: MixedPart[] = []
  for (const { kind, weight } of mix) {
    const part = PARTS[kind](target)
    if ('lacks' in part) return part
    parts.push({ kind, part, share: weight / total })
  }
  return parts
}

export function costOf(parts: readonly MixedPart[]): MixCost {
  const average = (of: (part: ClientPlan) => number): number =>
    parts.reduce((sum, { part, share }) => sum + share * of(part), 0)
  return {
    spends: parts.flatMap(({ part, share }) =>
      part.spends.map(({ quota, requests }) => ({ quota, requests: share * requests })),
    ),
    requests: average(({ requestsMax }) => requestsMax),
    requestsUsual: average(({ requestsUsual }) => requestsUsual),
    busySeconds: average(({ busySeconds }) => busySeconds),
  }
}

/** Sessions per second that the windows of one account admit. */
export function accountRate(parts: readonly MixedPart[], limits: EffectiveLimits): number {
  return sessionsPerSecondMax(costOf(parts).spends, limits)
}

/**
 * Plans a run of the open model: what each session sends, how much in all, how long it takes. Pure; `parts` are those of the mix. Throws a
 * RangeError where the stages start no session or there is no key.
 */
export function planOpenModel(
  context: Pick<OpenModelContext, 'target' | 'limits'>,
  spec: OpenModelSpec,
  parts: readonly MixedPart[],
): OpenModelPlan {
  const sessions = sessionsOf(spec.stages)
  if (sessions < 1 || spec.keys.length === 0)
    throw new RangeError(
      `${sessions} sessions with ${spec.keys.length} keys cannot be planned: at least one of both is needed.`,
    )
  const secrets = nameSecrets([spec])
  const admittedPerSecond = admittedOf(parts, context.limits, spec)
  const backlog = backlogOf(spec.stages, admittedPerSecond)
  const isBeyond = peakPerSecond(spec.stages) > admittedPerSecond
  const file = fileOf(context, spec, { sessions, secrets, parts, backlog, isBeyond })
  const counts = countKinds(spec.mix, sessions)
  const sum = (of: (part: ClientPlan) => number): number =>
    parts.reduce((total, { kind, part }) => total + (counts.get(kind) ?? 0) * of(part), 0)
  const budget: LoadBudget = {
    requestsMax: file.requestsMax + file.virtualUsers,
    ordersMax: sum(({ ordersMax }) => ordersMax),
    ...moneyOf(parts, counts),
    ...(file.operations.unhide && { unhide: unhideTokens(counts) }),
    expectedSeconds:
      START_SECONDS +
      file.leadMs / 1000 +
      Math.max(secondsOf(spec.stages), backlog.untilSeconds) +
      Math.max(...parts.map(({ part }) => part.busySeconds)),
    wallSecondsMax: file.maxSeconds,
  }
  return {
    scenario: spec.scenario,
    file,
    keys: spec.keys,
    budget,
    secrets: Object.fromEntries([...secrets].map(([secret, name]) => [name, secret])),
    unitsMax: Math.min(sessions, file.virtualUsers),
    requestsMin: sum(({ requestsMin }) => requestsMin),
    requestsMax: budget.requestsMax,
    wallSecondsMax: file.maxSeconds,
  }
}

/** A buyer reads its order in clear once, when it is final; an orderer at once, in whatever state it is. */
function unhideTokens(counts: ReadonlyMap<SessionKind, number>): UnhideTokens[] {
  const [buyers, orderers] = [counts.get('buyer') ?? 0, counts.get('orderer') ?? 0]
  const once = { completed: 1, admission: 1 }
  return [
    ...(buyers > 0 ? [{ name: 'buyers', orders: buyers, perOrder: { ...once, pending: 0 } }] : []),
    ...(orderers > 0
      ? [{ name: 'orderers', orders: orderers, perOrder: { ...once, pending: 1 } }]
      : []),
  ]
}

type Laid = {
  readonly sessions: number
  readonly secrets: ReadonlyMap<string, string>
  readonly parts: readonly MixedPart[]
  readonly backlog: Backlog
  /** More come at times than the windows admit. */
  readonly isBeyond: boolean
}

function fileOf(
  { target, limits }: Pick<OpenModelContext, 'target' | 'limits'>,
  spec: OpenModelSpec,
  { sessions, secrets, parts, backlog, isBeyond }: Laid,
): OpenModelFile {
  const { stages } = spec
  const cost = costOf(parts)
  const windows = cost.spends.map(
    ({ quota }) => limitOf(limits, quota.bucket, quota.endpoint).windowSeconds,
  )
  const windowSeconds = Math.max(0, ...windows)
  // Who is next is a lottery: one client may be refused in every window until nobody waits any more.
  const windowsOver = Math.ceil(backlog.seconds / Math.min(...windows))
  const { retriesMax = RETRIES_MAX + windowsOver } = spec
  const pausesSeconds = Math.max(0, (spec.thinkSeconds ?? 0) - ANSWER_SECONDS) * cost.requests
  const virtualUsers = Math.min(
    sessions,
    spec.virtualUsers ?? usersFor(stages, { ...cost, pausesSeconds }, backlog),
  )
  const leadMs = Math.min(LEAD_MS.max, LEAD_MS.first + LEAD_MS.each * virtualUsers)
  const scheduleSeconds = secondsOf(stages)
  const waitSeconds = Math.max(...parts.map(({ part }) => part.waitSecondsMax))
  const overdueSeconds = Math.max(0, backlog.untilSeconds - scheduleSeconds)
  const tailSeconds =
    overdueSeconds +
    waitSeconds +
    PAUSES_FACTOR * pausesSeconds +
    Math.min(retriesMax, TAIL_WINDOWS) * windowSeconds
  return {
    version: OPEN_MODEL_VERSION,
    scenario: spec.scenario,
    workload: spec.workload,
    stages,
    mix: spec.mix,
    sessions,
    keyEnvs: spec.keys.map(({ secret }) => secrets.get(secret) as string),
    virtualUsers,
    leadMs,
    operations: Object.assign(
      {},
      ...parts.map(({ part }) => part.operations),
    ) as OpenModelFile['operations'],
    pricesMax: Object.assign({}, ...parts.map(({ part }) => part.pricesMax ?? {})) as NonNullable<
      OpenModelFile['pricesMax']
    >,
    references: newReferences(target.referenceForm),
    warmUrl: `${target.baseUrl}${target.operations.whoami.path ?? OPERATIONS.whoami.path}`,
    pageLimit: PAGE_LIMIT,
    pagesMax: PAGES_MAX,
    marks: MARKS,
    ...(spec.thinkSeconds !== undefined && { thinkSeconds: spec.thinkSeconds }),
    retriesMax,
    waitSecondsMax: Math.ceil(2 * windowSeconds + 1),
    jitterMsMax: Math.min(JITTER_MS_MAX, 125 * windowSeconds),
    pollSeconds: POLL_SECONDS,
    pollsMax: 1 + pollsIn(waitSeconds),
    requestTimeoutSeconds: REQUEST_TIMEOUT_SECONDS,
    maxSeconds: Math.ceil(leadMs / 1000 + scheduleSeconds + tailSeconds + SPARE_SECONDS),
    requestsMax: Math.ceil(
      REPEATS_FACTOR[isBeyond ? 'beyond' : 'within'] * sessions * cost.requests +
        // Whoever waits asks once in each window.
        Math.ceil(backlog.sessionSeconds / Math.min(...windows)) +
        REPEATS_SPARE,
    ),
  }
}

/** Sessions that are admitted in a second. Those that one window admits wait for nothing, however fast they come. */
function admittedOf(
  parts: readonly MixedPart[],
  limits: EffectiveLimits,
  { stages, keys }: Pick<OpenModelSpec, 'stages' | 'keys'>,
): number {
  const { spends } = costOf(parts)
  const evenly = sessionsPerSecondMax(spends, limits) * keys.length
  const atOnce = sessionsAtOnceMax(spends, limits) * keys.length
  return sessionsOf(stages) <= atOnce ? Math.max(evenly, peakPerSecond(stages)) : evenly
}

/** After the schedule's end a session may wait for so many windows. */
const TAIL_WINDOWS = 4

export function secondsOf(stages: readonly RateStage[]): number {
  return stages.reduce((sum, { seconds }) => sum + seconds, 0)
}

export function peakPerSecond(stages: readonly RateStage[]): number {
  return Math.max(
    ...stages.flatMap(({ fromPerSecond, toPerSecond }) => [fromPerSecond, toPerSecond]),
  )
}

/** Those who are answered, and those who wait. */
function usersFor(
  stages: readonly RateStage[],
  { busySeconds, pausesSeconds }: MixCost & { readonly pausesSeconds: number },
  { sessionsMax }: Backlog,
): number {
  const underWaySeconds = USERS_FACTOR * busySeconds + PAUSES_FACTOR * pausesSeconds
  const answered = mostDueWithin(stages, underWaySeconds)
  return Math.min(USERS_MAX, Math.ceil(USERS_SPARE + answered + WAITING_FACTOR * sessionsMax))
}

/** How many of the sessions are of each kind. */
function countKinds(mix: Mix, sessions: number): ReadonlyMap<SessionKind, number> {
  const turn = mixOf(mix)
  const counts = new Map<SessionKind, number>()
  for (const [at, kind] of turn.entries()) {
    const count = Math.ceil(Math.max(0, sessions - at) / turn.length)
    counts.set(kind, (counts.get(kind) ?? 0) + count)
  }
  return counts
}

function moneyOf(
  parts: readonly MixedPart[],
  counts: ReadonlyMap<SessionKind, number>,
): Pick<LoadBudget, 'money'> {
  const spending = parts.flatMap(({ kind, part: { money } }) =>
    money
      ? [{ currency: money.currency, micros: money.micros * BigInt(counts.get(kind) ?? 0) }]
      : [],
  )
  const [first] = spending
  if (first === undefined || spending.some(({ currency }) => currency !== first.currency)) return {}
  const micros = spending.reduce((sum, each) => sum + each.micros, 0n)
  return { money: { currency: first.currency, micros } }
}
