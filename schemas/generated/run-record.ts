/** Generated from schemas/run-record.schema.json by `npm run generate`. Do not edit. */

export type Verdict =
  'pass' | 'warn' | 'fail' | 'observed' | 'inconclusive' | 'untested' | 'inapplicable' | 'error'
export type Changes = {
  requirement: string
  before: Verdict
  now: Verdict
}[]

/**
 * All that one run measured and decided. Renderers are pure functions of it. Secrets are redacted before it is written.
 */
export interface RunRecord {
  schemaVersion: 1
  runId: string
  command: 'gate' | 'conformance' | 'load' | 'capacity'
  startedAt: string
  endedAt: string
  durationSeconds: number
  /** True when the run was interrupted: what was measured until then stands here. */
  partial: boolean
  /** Of the whole run. */
  verdict: Verdict
  exitCode: number
  /** Why this exit code, in a sentence. */
  exitReason: string
  /** What to do now, in a sentence. */
  nextStep: string
  profile: {
    name: string
    /** Some requirement in scope was not decided. */
    partial: boolean
    /** Least share of the requirements in scope to be decided, 0 to 1. */
    floor?: number
    /** Selectors given by the caller. */
    selected: string[]
  }
  /** Requirements in scope that the run could not decide. */
  undecided: {
    requirement: string
    reason: string
  }[]
  /**
   * What to add or to correct, with the undecided requirements that it lets decide; what lets decide most comes first.
   */
  toAdd?: {
    what: string
    requirements: string[]
  }[]
  /** What could void the verdict. */
  hazards: string[]
  problems: Problem[]
  target: {
    name: string
    baseUrl: string
    kind: 'embedded' | 'url' | 'image'
    environment: 'sandbox' | 'production'
    timing: 'strict' | 'partner'
    capabilities: string[]
    roles: string[]
    products: string[]
    limits: {
      [k: string]: {
        count: number
        windowSeconds: number
        /** rate-limits, target file or default */
        source: string
        /** true where GET /rate-limits says that no rule is behind it */
        isDefault?: boolean
      }
    }
    /** Where each value came from: flag, environment, file or default. */
    origins: {
      [k: string]: string
    }
    /** Digest of the container image that was started. */
    image?: string
    /** Faults switched on in the embedded reference service. */
    faults: string[]
    /** Offset of the target's clock, from Date headers. */
    clockSkewMs?: {
      min: number
      max: number
    }
  }
  environment: {
    harness: string
    node: string
    platform: string
    cpus: number
    k6?: string
    k6Source?: string
    commit?: string
  }
  plan: {
    checks: number
    untestedChecks: number
    purchasesMax: number
    windowSecondsLongest: number
    /** Of the checks, where every first try decides. */
    expectedSeconds?: number
    /**
     * Most that the checks take: the longest chain of waits, or the queue for shared accounts, and 15 %.
     */
    boundSeconds?: number
    /** What the checks took, from the start of the first to the end of the last. */
    actualSeconds?: number
    /** What decides how long the checks take. */
    chain?: string
    /**
     * Of the checks: quota units, orders and money, as planned from what was measured before, which is no bound, and as spent.
     */
    spent?: {
      requestsPlanned: number
      requests: number
      ordersPlanned: number
      /** Made, or may have been. */
      orders: number
      /** Amounts with their currency. */
      moneyPlanned: string
      money: string
    }
    /** Of each load scenario, as planned at most and as spent. */
    load?: {
      scenario: string
      requestsMax: number
      requests: number
      ordersMax: number
      orders?: number
      moneyMax?: string
      money?: string
      /** Where nobody is kept waiting. */
      secondsExpected?: number
      secondsMax: number
      seconds?: number
    }[]
    permission: {
      purchases: boolean
      load: boolean
      reason: string
      ordersMax?: number
      spendMax?: string
    }
  }
  /** Orders that the run made or may have made, and what they cost. */
  purchases?: {
    /** Made, or may have been. */
    made: number
    /**
     * Amounts with their currency, as answers said; of an order whose price no answer said, what was reserved for it.
     */
    money: string
    /**
     * What counts against the permitted sum, where it differs: of each order the higher of what was reserved and charged, and what may have been bought unseen.
     */
    reserved?: string
    permitted?: string
    /** By how much the permitted sum may have been passed. */
    exceededBy?: string
    /** Orders that were still in progress when they were last seen. */
    pending: number
    /** Purchases of which no answer says whether they were made: they count as spent. */
    unanswered: number
    /** Orders that are named in the file alone. */
    ordersLeftOut?: number
    /**
     * The file beside the record that names every order, where load made some or there are many.
     */
    ordersFile?: string
    /**
     * Those that are not done come first.
     *
     * @maxItems 200
     */
    orders: {
      reference?: string
      orderId?: string
      product?: string
      /** As last seen, or unanswered. */
      state: string
      reserved?: string
      charged?: string
    }[]
  }
  requirements: {
    id: string
    section: string
    source: string[]
    level: 'must' | 'typical' | 'may'
    capability: string
    text: string
    verdict: Verdict
    reason?: string
    checks: string[]
  }[]
  checks: Check[]
  /** Evidence, redacted: those that a finding or an observation names. */
  exchanges: Exchange[]
  observations: Observation[]
  load: LoadResult[]
  /** Quota units that the run spent. */
  quota: {
    partition: string
    bucket: string
    spent: number
    throttled: number
    waitedSeconds?: number
  }[]
  /** Windows that the checks judged. */
  windows: WindowTrace[]
  capacity?: Capacity
  /** What blocked more than one check. Absent where nothing was folded. */
  causes?: Cause[]
  comparison?: Comparison
  baseline?: Baseline
  /** SHA-256 of the record without this member: an edited record is recognised. */
  digest?: string
  /** What the run is about, as --label says it. */
  labels?: {
    [k: string]: string
  }
  /** What --known-failures says, entry by entry. Absent where it was not given. */
  exceptions?: Exception[]
  underLoad?: UnderLoad
}
export interface Exception {
  requirement: string
  check?: string
  kind: 'known failure' | 'warn' | 'off'
  reason: string
  owner?: string
  expires?: string
  /**
   * Of a known failure: accepted while it fails; expired, stale (it passes) and unmatched (it was not decided) are red. Of a severity: in force.
   */
  state: 'accepted' | 'expired' | 'stale' | 'unmatched' | 'not selected' | 'in force'
  /** What became of the entry, in a sentence. */
  text: string
}
/** What went wrong outside the target's answers. */
export interface Problem {
  code: string
  message: string
  nextStep: string
}
/** One observation held against one requirement. */
export interface Finding {
  requirement: string
  verdict: Verdict
  /** What was looked at. */
  statement: string
  expected: string
  observed: string
  /** The exchange that the finding is about; the others lead to it. */
  offending?: string
  exchanges: string[]
}
export interface Check {
  id: string
  title: string
  area: string
  requirements: string[]
  verdict: Verdict
  reason?: string
  expected: string
  observed: string
  findings: Finding[]
  exchanges: string[]
  durationSeconds: number
  waitedSeconds?: number
  /** The command that repeats this check alone. */
  repeat: string
  /** Id of the cause that kept it from deciding anything. */
  blockedBy?: string
  /** All that it lacks, where that can be added. */
  wants?: Want[]
}
/** Something that whoever wrote the target file can add or correct. */
export interface Want {
  /** What to add, as the end of a sentence. N stands for the units. */
  what: string
  units?: number
  /** What one unit costs by the target file, with its currency. */
  unitPrice?: string
}
/** One thing that every request of its kind met with, and what followed from it. */
export interface Cause {
  id: string
  kind:
    | 'no-answer'
    | 'server-error'
    | 'no-route'
    | 'key-refused'
    | 'no-envelope'
    | 'target-file'
    | 'throttled'
  /** What is answered, to what, how often. */
  text: string
  /** Where the target file is to be corrected, for that kind. */
  place?: string
  nextStep: string
  operations: string[]
  /** Requests that met with it: all that were sent. */
  requests: number
  /** The one that stays failed for it. Absent where no check failed, because none could go on. */
  requirement?: string
  /** The check that stays failed for it. */
  check?: string
  /** Checks that it kept from deciding anything. */
  blocked: string[]
  exchanges: string[]
}
/** What came out otherwise in an earlier run of the same target. Never scored. */
export interface Comparison {
  /** Of the earlier run. */
  runId: string
  startedAt: string
  /** Requirements by what became of them since. */
  requirements?: {
    newlyBroken: Changes
    mended: Changes
    stillBroken: Changes
    noLongerDecided: Changes
    newlyDecided: Changes
    /** Decided before, and not selected in the later run. */
    notSelectedNow?: Changes
    /** Decided now, and not selected in the earlier run. */
    notSelectedBefore?: Changes
  }
  /** Questions that both runs answered. */
  questions: number
  changes: {
    id: string
    question: string
    check: string
    before: string[]
    now: string[]
  }[]
}
export interface Exchange {
  id: string
  check?: string
  operation: string
  role: string
  account?: string
  method: string
  url: string
  requestHeaders: [string, string][]
  requestBody?: string
  sentAt: string
  sentAtMs: number
  receivedAtMs: number
  status?: number
  responseHeaders?: [string, string][]
  responseBody?: string
  truncated?: boolean
  connection?: string
  error?: {
    code: string
    message: string
  }
  curl: string
}
/** A fact that the interface does not show: recorded, never scored. */
export interface Observation {
  /** An open question of the catalogue, or a name of the check's own. */
  id: string
  question: string
  answer: string
  check: string
  exchanges: string[]
}
/** Requests against one window, for the plot. */
export interface WindowTrace {
  partition: string
  bucket: string
  limit: {
    count: number
    windowSeconds: number
  }
  outcome: {
    mustAccept: number
    mustRefuse: number
    ambiguous: number
    violations: number
  }
  /** Window edges that explain the history, if found. */
  edgesMs?: number[]
  /**
   * Send ms, receive ms, HTTP status of each request (0: no answer), thinned to a bounded number.
   */
  points: [number, number, number][]
  phase?: string
}
/** What one load scenario measured. */
export interface LoadResult {
  scenario: string
  /** Wall time of all its attempts and repeats. */
  durationSeconds?: number
  workload?: string
  /** Clients, rates and think time behind the name of the workload: a comparison needs the same. */
  workloadShape?: string
  verdict: Verdict
  reason: string
  /** All that it lacks, where that can be added. */
  wants?: Want[]
  requirements: string[]
  findings: Finding[]
  measurements: {
    [k: string]: number | string
  }
  windows: WindowTrace[]
  requests: {
    planned: number
    sent: number
    admitted: number
    /** By a 429. */
    refused: number
    /** No answer, a 3xx or a 5xx: what was done is open. */
    failed: number
    /** By the spend cap. */
    capped?: number
    /** Any other 4xx. */
    rejected?: number
  }
  k6: {
    /** Absent where k6 was started by somebody else, who alone has seen it. */
    exitCode?: number
    thresholdsCrossed: string[]
    version?: string
  }
  /** The k6 processes that shared the scenario, where there were several. */
  instances?: {
    /** Its execution segment, as k6 writes it. */
    segment: string
    /** How long after the first of them. */
    startedAfterMs: number
    exchanges: number
    /** Its share of the budget, where the scenario is divided into streams or scripts. */
    requestsPlannedMax?: number
    ordersPlannedMax?: number
    moneyPlannedMax?: string
  }[]
  /** The command that repeats this scenario alone. */
  repeat?: string
  /**
   * Of a scenario of the open model: from due to received, and what the service alone took (k6's http_req_duration).
   */
  latency?: {
    admitted: Latencies
    refused: Latencies
    admittedService: Latencies
    refusedService: Latencies
    /** Percentiles of what was admitted, from due and of the service alone. */
    curve?: {
      /** 0..1 */
      shares: number[]
      dueMs: number[]
      sentMs: number[]
    }
  }
  /** What was offered and what came of it over time. */
  series?: LoadSlice[]
  /**
   * Of each repeat, where there was more than one (--repeats). The rest of the result is that of the worst.
   */
  repeats?: {
    verdict: Verdict
    figures: {
      [k: string]: number
    }
  }[]
  /** Goals that were asked for (--goal). */
  goals?: Goal[]
  /** Of a scenario of the open model, by operation. Replays and retries are among them. */
  operations?: {
    operation: string
    sent: number
    answers: {
      admitted: number
      /** By a 429. */
      refused: number
      /** By the spend cap. */
      capped: number
      /** Any other 4xx. */
      rejected: number
      /** 5xx, or any other answer that is neither 2xx nor 4xx. */
      serverErrors: number
      unanswered: number
    }
    admitted: Latencies
    /** What the service alone took: k6's http_req_duration. */
    admittedService: Latencies
    refused: Latencies
  }[]
  /** Of a scenario of the open model, by kind of client. */
  sessions?: {
    kind: string
    started: number
    /** How many ended how. */
    ends: {
      [k: string]: number
    }
    /** Of those that were done: from due to their last answer, think times and waits included. */
    latency: Latencies
  }[]
}
/** Search for the highest rate at which the goals hold. Rates are requests per second. */
export interface Capacity {
  scenario: string
  /** What a step has to reach, as --goal takes it. */
  goals: string[]
  /**
   * found: confirmed, with a rate above it that missed the goals; at-least: confirmed, and nothing above it could be tried; below: the lowest rate missed the goals.
   */
  ending: 'found' | 'at-least' | 'below' | 'inconclusive'
  /** Requests per second that a longer step confirmed. */
  capacityPerSecond?: number
  interval: {
    /** Highest confirmed rate. */
    goodPerSecond?: number
    /** Lowest rate that missed the goals. */
    badPerSecond?: number
  }
  /** What keeps the rate from going higher. */
  constraint?:
    | 'service'
    | 'limiter'
    | 'cap'
    | 'generator'
    | 'machine'
    | 'permission'
    | 'accounts'
    | 'max-rate'
    | 'time'
  reason: string
  /** The rate that was asked for. */
  minRatePerSecond?: number
  /** The search narrows until bad / good is at most 1 + precision. */
  precision: number
  plan: {
    startPerSecond: number
    maxPerSecond: number
    maxSetBy: 'max-rate' | 'accounts'
    stepSeconds: number
    confirmSeconds: number
    stepsMax: number
    secondsMax: number
    requestsMax: number
    accountsMax: number
  }
  spent: {
    /** Orders that were made, where the scenario buys. */
    orders?: number
    seconds: number
    requests: number
    accounts: number
  }
  steps: CapacityStep[]
}
/** One step of a search for capacity: a steady rate, held for a while. */
export interface CapacityStep {
  number: number
  purpose: 'ramp' | 'narrow' | 'confirm'
  seconds: number
  /** The rate that the search asked for. */
  plannedPerSecond: number
  /** Orders that were made, where the scenario buys. */
  orders?: number
  /**
   * What the sessions of the step come to, with as many requests as those had that came to their end.
   */
  offeredPerSecond: number
  /** Admitted answers per second once the step is under way. */
  achievedPerSecond: number
  verdict: 'good' | 'bad' | 'inconclusive'
  /** What a step that is not good ran into. */
  constraint?: 'service' | 'limiter' | 'cap' | 'generator' | 'machine'
  reason: string
  goals: Goal[]
  requests: {
    planned: number
    sent: number
    admitted: number
    /** By a 429. */
    refused: number
    /** By a spend cap. */
    capped: number
    /** No answer, 5xx, or any other answer that was not asked for. */
    failed: number
  }
  admitted: Latencies
  refused: Latencies
  generator: {
    /** How late sessions started. */
    lagMsP99: number
    lagMsMax: number
    sessionsPlanned: number
    sessionsStarted: number
    /** Share of all processors' time that was spent, 0..1. */
    machineBusy?: number
    /** CPU seconds of k6 per second. */
    k6Cores?: number
    /** CPU seconds of this process per second, the embedded service's included. */
    harnessCores?: number
  }
}
/** From when a request was due to its last byte; 0 where there was none. */
export interface Latencies {
  count: number
  msP50: number
  /** Records of earlier versions have none. */
  msP90?: number
  msP95: number
  msP99: number
  msP999: number
  msMax: number
}
/**
 * A stretch of a schedule; requests are counted where they were due, achieved where they were answered.
 */
export interface LoadSlice {
  fromSeconds: number
  seconds: number
  /** First attempts that were due. */
  offered: number
  /** Admitted answers that came. */
  achieved: number
  /** Attempts that were due here and were admitted. */
  admitted: number
  refused: number
  /** No answer, a 3xx or a 5xx. */
  errors: number
  /** What the process of --watch-pid took in this slice, with its children. */
  process?: {
    /** CPU seconds per second. */
    processors: number
    /** Most resident memory. */
    memoryBytes: number
    /** Most established TCP connections; left out where they may not be seen. */
    connections?: number
  }
  latency: Latencies
  /** First attempts that were sent. */
  sent?: number
}
/** The load of this run beside that of an earlier one of the same target. */
export interface Baseline {
  /** Of the earlier run. */
  runId: string
  startedAt: string
  /** Probability that a run as good as its baseline shows any figure as worse. */
  alpha: number
  /**
   * What is worse by more than this, with all of its interval, fails the run (--max-regression).
   */
  regressionPercentMax?: number
  figures: BaselineFigure[]
}
export interface BaselineFigure {
  scenario: string
  figure: 'admittedMsP50' | 'admittedMsP95' | 'admittedMsP99' | 'achievedPerSecond' | 'unanswered'
  /** Better or worse only beyond noise. */
  verdict: 'within noise' | 'better' | 'worse' | 'regression' | 'undecided' | 'not comparable'
  /** Why it is not comparable. */
  reason?: string
  repeats: {
    before: number
    now: number
  }
  medians: {
    before: number
    now: number
  }
  /** From the baseline to this run, with its interval. */
  change?: {
    estimate: number
    low: number
    high: number
    /** Of the baseline's; else in the figure's own unit. */
    isPercent: boolean
  }
}
/** What load lay on the target while the checks ran (--under-load). */
export interface UnderLoad {
  /** What --under-load asked for, with its rate. */
  workload: string
  /** Clients that were to start each second. */
  ratePerSecond: number
  /** Accounts that the background used, none of them one of the checks. */
  accounts: number
  /** From the start of the checks to their end. */
  seconds: number
  /** The generator offered what was asked for as long as the checks ran. */
  isKeptUp: boolean
  clients: {
    /** Due while the checks ran. */
    offered: number
    started: number
    /** From due to started. */
    lateMsP99: number
  }
  background: Traffic
  checks: Traffic
  together: Traffic
}
/**
 * Requests that were sent within a stretch of time, and what came of them. Latency: of answers, from sent to received.
 */
export interface Traffic {
  sent: number
  sentPerSecond: number
  answered: number
  /** Answers with HTTP 429. */
  refused: number
  /** No answer, a 3xx or a 5xx. */
  errors: number
  inFlightMean: number
  inFlightMax: number
  latency: Latencies
}
/**
 * A goal with what became of it. A percentile is met only if all of its interval is, and missed only if none of it is.
 */
export interface Goal {
  name: string
  /** Whose answers alone are judged. */
  operation?: string
  expected: string
  observed: string
  met: boolean
  /** Why it is neither met nor missed. */
  undecided?: string
  limitMs?: number
  /**
   * Of a goal of one operation: its percentile in each slice of the series that has such an answer.
   */
  overTime?: {
    fromSeconds: number
    seconds: number
    ms: number
  }[]
  samples?: number
  /**
   * Where the percentile lies with 95 % confidence; an end that the samples do not reach is left out.
   */
  intervalMs?: {
    low?: number
    high?: number
  }
}
