import type { Role } from '../../../contract/capabilities.ts'
import type { Bucket, WindowLimit } from '../../../contract/limits.ts'
import { PARALLEL_MAX, PLAN_VERSION } from '../../../load/protocol/plan.ts'
import type { PlanFile, PlannedStream } from '../../../load/protocol/plan.ts'
import { START_SECONDS, type CounterBudget, type LoadBudget } from '../shared/budget.ts'
import { TIMING_SLACK_MS } from '../../target-file/target.ts'
import type { Target } from '../../target-file/target.ts'

/** One quota to put under load. The account should be fresh: what it spent before the run is unknown to the judge. */
export type LoadStream = {
  readonly name: string
  readonly bucket: Bucket
  /** What the quota is counted by, for example account and endpoint. Streams of one partition share its windows. */
  readonly partition: string
  /** Of which the target may have said that no rule is behind it; and which may be that of all endpoints, not its own. */
  readonly limit: WindowLimit & { readonly isDefault?: true; readonly isGeneral?: true }
  readonly method: 'GET' | 'POST'
  /** Path with query, below the target's base URL. */
  readonly path: string
  /** Paths that take turns, instead of the one. */
  readonly paths?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** What the messages of its refusals have to hold (PlannedStream). */
  readonly refusalNames?: string
  /** Keys of one account; requests take turns. */
  readonly keys: readonly LoadKey[]
  /** Others may use the account, too. */
  readonly isShared?: true
}

export type LoadKey = {
  readonly role: Role
  /** The environment variable that the key came from, for the record. */
  readonly env: string
  readonly secret: string
  readonly account: string
}

/** What is needed to run any scenario with k6. */
export type K6Plan = {
  readonly scenario: string
  /** What k6 reads. Holds no key. */
  readonly file: object
  /** Environment variables with the keys, for the k6 process alone. */
  readonly secrets: Readonly<Record<string, string>>
  /** Environment variables that set k6's Go runtime; none, where its defaults do. */
  readonly runtime?: Readonly<Record<string, string>>
  /** So many processes can share it, each with something to do; undefined: any number. */
  readonly unitsMax?: number
  /** What each stream or script may spend, in their order; undefined where there are none. */
  readonly units?: readonly LoadBudget[]
  readonly requestsMin: number
  readonly requestsMax: number
  /** What the run takes at most, if answers come in time. */
  readonly wallSecondsMax: number
}

export type LoadPlan = K6Plan & {
  readonly expectedSeconds: number
  readonly counters: readonly CounterBudget[]
  readonly file: PlanFile
  readonly streams: readonly LoadStream[]
}

/** Requests sent beyond the budget, each of the three times: one leak in twenty shows among 60 with 95 %. */
const OVER_BUDGET_REQUESTS = 60
/** A burst is sent in about this many batches; fewer would blur when each request was sent. */
const BATCHES_PER_BUDGET = 20
const PROBES_PER_WINDOW = 50
const PROBE_GAP_MS = { min: 10, max: 250 } as const
/** An edge of a window of an hour need not be known to a quarter of a second. */
const PROBES_PER_WINDOW_MAX = 480
export const REQUEST_TIMEOUT_SECONDS = 10
/** A drill that was held up at an edge looks for the next one so often: a halt of seconds is a large part of a short window. */
const REPEATS_MAX = { short: 2, long: 1 } as const
const SHORT_WINDOW_SECONDS = 10
/** Until the first edge shows, and to just after the next one. */
const WINDOWS_USUAL = 2.1
/** The drill takes at most 1.25 windows to find the edge and 2 more to spend around it; the rest is for slow answers. */
const WINDOWS_MAX = 4
/** A budget has just been spent when an edge is looked for again. */
const WINDOWS_PER_REPEAT = 3
const SPARE_SECONDS = 10

/** Plans a scenario: what each stream sends, how much in all and how long it takes. Sends nothing. */
export function planLoad(
  scenario: string,
  target: Pick<Target, 'baseUrl' | 'timing'>,
  streams: readonly LoadStream[],
): LoadPlan {
  const secrets = nameSecrets(streams)
  const planned = streams.map((stream) => planStream(stream, target, secrets))
  const longestSeconds = Math.max(0, ...planned.map(drillSecondsMax))
  const windowSeconds = Math.max(0, ...planned.map((each) => each.windowSeconds))
  const expectedSeconds = START_SECONDS + WINDOWS_USUAL * windowSeconds
  const wallSecondsMax = Math.ceil(longestSeconds + SPARE_SECONDS)
  return {
    scenario,
    file: {
      version: PLAN_VERSION,
      scenario,
      streams: planned,
      requestTimeoutSeconds: REQUEST_TIMEOUT_SECONDS,
      maxSeconds: wallSecondsMax,
    },
    streams,
    unitsMax: streams.length,
    units: planned.map((stream) => ({
      requestsMax: requestsMax(stream),
      ordersMax: 0,
      expectedSeconds,
      wallSecondsMax,
    })),
    secrets: Object.fromEntries([...secrets].map(([secret, name]) => [name, secret])),
    counters: planned.map((stream, index) => ({
      name: stream.name,
      bucket: streams[index]?.bucket ?? 'default',
      keys: stream.keyEnvs.length,
      requestsMax: requestsMax(stream),
      requestsPerWindowMax: stream.count + stream.overBudget,
    })),
    requestsMin: planned.reduce((sum, stream) => sum + stream.requestsMin, 0),
    requestsMax: planned.reduce((sum, stream) => sum + requestsMax(stream), 0),
    expectedSeconds,
    wallSecondsMax,
  }
}

/** The name of the environment variable in which k6 finds each key. */
export function nameSecrets(
  users: readonly { readonly keys: readonly LoadKey[] }[],
): ReadonlyMap<string, string> {
  const secrets = new Set(users.flatMap(({ keys }) => keys.map(({ secret }) => secret)))
  return new Map([...secrets].map((secret, index) => [secret, `HARNESS_KEY_${index}`]))
}

function planStream(
  stream: LoadStream,
  target: Pick<Target, 'baseUrl' | 'timing'>,
  secrets: ReadonlyMap<string, string>,
): PlannedStream {
  const { count, windowSeconds } = stream.limit
  return {
    name: stream.name,
    method: stream.method,
    url: `${target.baseUrl}${stream.path}`,
    ...(stream.paths && { urls: stream.paths.map((path) => `${target.baseUrl}${path}`) }),
    headers: stream.headers ?? {},
    ...(stream.body !== undefined && { body: stream.body }),
    ...(stream.refusalNames !== undefined && { refusalNames: stream.refusalNames }),
    keyEnvs: stream.keys.map(({ secret }) => secrets.get(secret) as string),
    count,
    windowSeconds,
    parallel: parallelFor(count, stream.keys.length),
    overBudget: OVER_BUDGET_REQUESTS,
    slackMs: slackFor(target.timing, windowSeconds),
    probeGapMs: probeGapMs(windowSeconds),
    repeatsMax: windowSeconds > SHORT_WINDOW_SECONDS ? REPEATS_MAX.long : REPEATS_MAX.short,
    requestsMin: 3 * count + 3 * OVER_BUDGET_REQUESTS,
  }
}

/** Edges cannot be blurred by more than a tenth of the window, or nothing could be decided. */
export function slackFor(timing: Target['timing'], windowSeconds: number): number {
  return Math.min(TIMING_SLACK_MS[timing], 100 * windowSeconds)
}

function parallelFor(count: number, keys: number): number {
  return Math.max(1, keys, Math.min(PARALLEL_MAX, Math.ceil(count / BATCHES_PER_BUDGET)))
}

function probeGapMs(windowSeconds: number): number {
  const evenly = (1000 * windowSeconds) / PROBES_PER_WINDOW
  const gapMsMax = Math.max(PROBE_GAP_MS.max, (1000 * windowSeconds) / PROBES_PER_WINDOW_MAX)
  return Math.min(gapMsMax, Math.max(PROBE_GAP_MS.min, evenly))
}

function drillSecondsMax({ windowSeconds, repeatsMax }: PlannedStream): number {
  return windowSeconds * (WINDOWS_MAX + WINDOWS_PER_REPEAT * repeatsMax)
}

/** An edge may pass while the budget is overstepped, so that a second one is spent; and each false edge costs a confirmation. */
function requestsMax(stream: PlannedStream): number {
  const probes = Math.ceil((1250 * stream.windowSeconds) / stream.probeGapMs)
  const repeat = 3 * stream.count + 2 * stream.overBudget + probes
  return stream.requestsMin + 2 * stream.count + probes + stream.repeatsMax * repeat
}
