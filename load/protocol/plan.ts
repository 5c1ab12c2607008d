/** What the orchestrator hands to k6: one JSON file. API keys are never in it, only the names of environment variables. */

export const PLAN_VERSION = 1

/** Most requests of a stream that are sent at once. */
export const PARALLEL_MAX = 20

/** One quota under load: requests of one kind, from one account, with one or more of its keys. */
export type PlannedStream = {
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** Absolute URL with query. */
  readonly url: string
  /** Several that take turns instead: all keys send to the first, then all to the next. */
  readonly urls?: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** What the message of a refusal is looked through for: the source of a regular expression; case does not matter. */
  readonly refusalNames?: string
  /** Names of the environment variables that hold the keys; requests take turns. */
  readonly keyEnvs: readonly string[]
  readonly count: number
  readonly windowSeconds: number
  /** Requests sent at once; up to PARALLEL_MAX, if bursts of so many do not fit between two edges. */
  readonly parallel: number
  /** Requests beyond the budget, each time it is overstepped. */
  readonly overBudget: number
  /** Tolerance of window edges: bursts keep this far from them. */
  readonly slackMs: number
  /** Milliseconds between two looks for the window's edge. */
  readonly probeGapMs: number
  /** So often an edge is looked for and spent around again, where answers were held up so long that a burst ran into an edge. */
  readonly repeatsMax: number
  /** Fewest requests that a complete run of the stream sends. */
  readonly requestsMin: number
}

export type PlanFile = {
  readonly version: typeof PLAN_VERSION
  readonly scenario: string
  readonly streams: readonly PlannedStream[]
  readonly requestTimeoutSeconds: number
  /** k6 stops the scenario after this. */
  readonly maxSeconds: number
}

/** Environment variables that k6 is started with, next to the keys. */
export const PLAN_ENV = {
  plan: 'HARNESS_PLAN',
  summary: 'HARNESS_SUMMARY',
  /** Set where a sum is permitted: an order that costs more than planned then ends the test. */
  priceBound: 'HARNESS_PRICE_BOUND',
  /** Headers that the caller adds to every request, as JSON: values may be secrets. */
  headers: 'HARNESS_HEADERS',
  /** Set where k6 sends its own metrics: each answer then has one with tags. */
  outputs: 'HARNESS_OUTPUTS',
} as const

/** What k6 says of such an order, as the last of its words. */
export const OVERCHARGED = 'an order was charged more than planned'

/** Such an order, as k6 read both prices. */
export type LoadOvercharge = { readonly charged: number; readonly planned: number }

/** Those that say which certificate k6 shows, where it shows one. */
export const NETWORK_ENV = {
  host: 'HARNESS_CLIENT_HOST',
  certFile: 'HARNESS_CLIENT_CERT_FILE',
  keyFile: 'HARNESS_CLIENT_KEY_FILE',
} as const

/** Custom metrics of the scenarios. */
export const METRIC = {
  exchanges: 'harness_exchanges',
  streamsFinished: 'harness_streams_finished',
  /** Time of an answer, with the tags operation, status and verdict. */
  answer: 'harness_answer_duration',
} as const
