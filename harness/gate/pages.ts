/** The options of a run, by group, and the pages of gate, conformance, load and plan. */
import { REPEATS } from '../baseline/options.ts'
import { flag, text, textOr, texts, type Page } from '../help-page.ts'
import { OPEN_MODEL_NAMES } from '../load/open-model/scenarios.ts'
import { THINK_SECONDS, WORKLOADS } from '../load/open-model/workloads.ts'
import { UNDER_LOAD_MIXES } from '../load/under-load/workload.ts'
import { TARGET } from '../target-file/options.ts'
import { PROFILES } from './profiles.ts'

/** What holds where a run is not told otherwise. */
export const USUAL = {
  profile: 'all',
  floorPercent: 100,
  workload: 'smoke',
  reportsDir: 'reports',
  /** Of the embedded service's windows. */
  windowSeconds: 2,
  requestsMax: 20_000,
  instances: 1,
  /** What machines that keep their clocks by NTP differ by. */
  clockSkewMs: 100,
} as const

export const CONTAINER = {
  title: 'Container',
  options: {
    image: text(
      'IMAGE',
      'start this container image and judge it; it brings its target file (npm run image builds one)',
    ),
  },
} as const

export const UNDER_LOAD = {
  'under-load': text(
    'WORKLOAD:N/s',
    `run the checks while N clients of other accounts start each second, as mixed:20/s; WORKLOAD is one of ${Object.keys(UNDER_LOAD_MIXES).join(', ')} (docs/under-load.md)`,
  ),
} as const

const SELECTION = {
  title: 'Selection (a name that matches nothing is an error)',
  options: {
    profile: text(
      'NAME',
      `which part of the work: ${Object.keys(PROFILES).join(', ')}`,
      USUAL.profile,
    ),
    only: texts(
      'A,B',
      'these checks, areas, requirements or scenarios: --only auth,RATE-03,limits.window-listing',
    ),
    'last-failed': flag('only what failed in the last run of this target under --reports'),
    list: flag('print what can be selected, then end'),
    'known-failures': text(
      'FILE',
      'a list of failures that you accept until a date; it may also set severities (docs/ci.md)',
    ),
    floor: text(
      'PERCENT',
      'least share of the requirements in scope that must be decided, passed or failed',
      USUAL.floorPercent,
    ),
  },
} as const

const SCENARIOS = {
  title: 'Load scenarios',
  options: { scenario: texts('NAME', 'only these load scenarios') },
} as const

const NO_SCENARIO = {
  title: 'Checks without load scenarios',
  options: { 'no-load': flag('no load scenario') },
} as const

const LOADED_CHECKS = { title: 'Checks under load', options: UNDER_LOAD } as const

export const PERMISSION = {
  title:
    'Permission (production needs it; a sandbox needs none, and keeps each bound that you give)',
  options: {
    'allow-purchases': flag('buy: needs --max-orders and --max-spend, too'),
    'max-orders': text('N', 'send at most so many orders'),
    'max-spend': text('CUR:AMOUNT', 'spend at most so much: USD:20.00'),
    'allow-load': flag('use up rate limits, and send load: at most --max-requests'),
    'max-requests': text('N', 'load sends at most so many requests', USUAL.requestsMax),
  },
} as const

const DURATION = {
  title: 'Duration',
  options: {
    'max-seconds': text(
      'S',
      'do not start if the plan takes longer; stop load after so many seconds',
    ),
  },
} as const

const COMPARISON = {
  title: 'Comparison with an earlier run',
  options: {
    baseline: text(
      'FILE',
      'compare with this run.json; without it, checks are compared with the last run of this target. To compare load too, FILE must be of a run that passed, with the same limits, scenarios and workload',
    ),
  },
} as const

const REPETITION = {
  title: 'Comparison of load',
  options: {
    repeats: text(
      'N',
      'carry each load scenario out N times; to compare load, both runs need several',
      REPEATS.usual,
    ),
    'max-regression': text(
      'PERCENT',
      'exit 1 if a load figure is clearly worse by more than this; exit 6 if results vary too much to tell. Not given: a worse figure is only reported',
    ),
  },
} as const

/** Of the service that is started where no target is named. */
export function serviceOptions(windowSeconds: number): {
  readonly 'window-seconds': ReturnType<typeof text>
  readonly fault: ReturnType<typeof texts>
} {
  return {
    'window-seconds': text('S', 'how long its rate-limit windows last', windowSeconds),
    fault: texts(
      'NAME',
      'embedded only: switch a bug on, to watch it turn red (npm run serve -- --list-faults)',
    ),
  }
}

const SERVICE = {
  title: 'Reference service (embedded, or the image that npm run image builds)',
  options: serviceOptions(USUAL.windowSeconds),
} as const

const OPEN_MODEL = {
  title: `Clients that arrive (${OPEN_MODEL_NAMES.join(', ')})`,
  options: {
    workload: text('NAME', `${WORKLOADS.join(', ')}: how clients arrive`, USUAL.workload),
    seconds: text('S', 'for how long'),
    rate: text(
      'N',
      'requests per second at the peak; more than the windows admit needs --workload stress',
    ),
    stages: text(
      'FILE',
      'instead: k6\'s own stages, JSON such as [{ "duration": "30s", "target": 20 }]; a target is requests per second',
    ),
    'think-time': text(
      'T',
      "from the planned moment of a request to that of the session's next one",
      `${THINK_SECONDS * 1000}ms`,
    ),
    mix: text(
      'browse=7,buy=2,checkout=1',
      'shares of the clients of the scenario mixed, in whole numbers',
    ),
    goal: texts(
      "'[OPERATION ]GOAL'",
      'p99=200ms, p95=1s, max=2s or errors=0.1%, of one operation or all; missed is exit 1, undecided exit 6: a percentile counts with its interval',
    ),
    out: texts(
      'OUTPUT',
      "k6's own metrics too: opentelemetry, experimental-prometheus-rw, web-dashboard, json=FILE, csv=FILE; set up by its own variables K6_OTEL_*, K6_PROMETHEUS_RW_*",
    ),
    'watch-pid': text(
      'PID',
      'draw processors, memory and connections of this process on this machine, with its children',
    ),
    tag: texts('NAME=VALUE', "on k6's own metrics"),
    header: texts(
      "'NAME: VALUE'",
      'on every request of k6, but none that the harness sends itself; its value is not recorded',
    ),
  },
} as const

const MANY = {
  title: 'Several processes and machines (docs/many-machines.md; npm run load:k8s for Kubernetes)',
  options: {
    instances: text('N', 'k6 processes that share each scenario', USUAL.instances),
    prepare: text('DIR', 'write what k6 needs, with a README, instead of running it'),
    'keys-file': text(
      'FILE',
      'with --prepare: where the keys go, outside of DIR; needed where the target makes them',
    ),
    judge: text('DIR', 'the verdict on a prepared run, by the evidence that was brought into DIR'),
    'clock-skew-ms': text(
      'N',
      'with --judge: by how much the clocks of the machines differ at most',
      USUAL.clockSkewMs,
    ),
  },
} as const

export const OUTPUT = {
  title: 'Output',
  options: {
    reports: text('DIR', 'write runs below DIR; DIR/latest leads to the newest', USUAL.reportsDir),
    'run-dir': text('DIR', 'write this run into DIR instead; an earlier run in DIR is deleted'),
    json: flag('print the verdict, or the plan, as JSON instead of words (reports/README.md)'),
    label: texts(
      'NAME=VALUE,…',
      'what the run is of, for the report: service=orders,commit=4f2a91c',
    ),
    'show-origins': flag('print every value of the target and where it came from, then end'),
  },
} as const

export const PLANNED = {
  title: 'Plan',
  options: { for: textOr('COMMAND', 'the run to plan: gate, conformance or load', 'gate') },
} as const

const WHAT = [TARGET, CONTAINER, SELECTION] as const

const BOUNDS = [PERMISSION, DURATION] as const

const GATE = [...WHAT, SCENARIOS, NO_SCENARIO, LOADED_CHECKS, ...BOUNDS] as const

const OF_LOAD = [COMPARISON, REPETITION, SERVICE, OPEN_MODEL, MANY, OUTPUT] as const

/** A run understands all of them, so that it can say which command an option belongs to. */
export const RUN_PAGE = {
  command: 'gate',
  what: '',
  groups: [...GATE, ...OF_LOAD],
} as const satisfies Page

const ABOUT = 'Without a target, the embedded reference service is started and judged.'

const EXITS = `
0 everything in scope decided and passed      1 the target failed
2 usage or configuration, nothing sent        3 the environment is not ready
4 the harness itself failed                   5 too few requirements could be decided: the report says what to add
6 inconclusive: noise, try again              129/130/143 interrupted, partial record written`

export const RUN_PAGES = {
  gate: {
    command: 'gate',
    what: 'Carries out every check and load scenario against a target and says whether it may be released.',
    about: ABOUT,
    groups: [...GATE, COMPARISON, REPETITION, SERVICE, OUTPUT],
    exits: EXITS,
    examples: `
npm run gate                                        the embedded reference service, windows shortened
ORDERING_KEY=… npm run gate -- --base-url https://sandbox.example --environment sandbox
npm run gate -- --target staging.target.json        with what the harness cannot see by itself
npm run gate -- --target live.target.json --allow-purchases --max-orders 100 --max-spend USD:50
npm run gate -- --image ordering-reference          a container, started for this run
npm run gate -- --under-load mixed:20/s             the checks while 20 clients of other accounts start each second
npm run gate -- --only auth --no-load               one area, in seconds; npm run plan says how long a run takes
npm run gate -- --fault window-sliding-log          watch a bug turn red`,
  },
  conformance: {
    command: 'conformance',
    what: 'Carries out the conformance checks alone: without k6, unless --under-load asks for it.',
    about: ABOUT,
    groups: [...WHAT, LOADED_CHECKS, ...BOUNDS, COMPARISON, SERVICE, OUTPUT],
    exits: EXITS,
    examples: `
npm run conformance -- --only limits                one area
npm run conformance -- --only RATE-03,auth.scopes-browser-forms
npm run conformance -- --under-load orders:50/s     the checks while other accounts buy
npm run conformance -- --list                       what there is to select`,
  },
  load: {
    command: 'load',
    what: 'Runs the load scenarios alone, with k6.',
    about: ABOUT,
    groups: [...WHAT, SCENARIOS, ...BOUNDS, ...OF_LOAD],
    exits: EXITS,
    examples: `
npm run load                                        every scenario against the embedded service
npm run load -- --scenario mixed --workload steady  a minute of clients that browse, buy and poll
npm run load -- --target staging.target.json --allow-load --max-requests 5000
npm run load -- --prepare prepared --target staging.target.json
npm run load -- --judge prepared                    what k6 wrote was brought back: the verdict
npm run load -- --list`,
  },
  plan: {
    command: 'plan',
    what: 'Prints what a run with the same options would send, buy and take, and refuses what does not fit. Sends the read-only preflight alone.',
    about: ABOUT,
    groups: [PLANNED, ...GATE, SERVICE, OPEN_MODEL, OUTPUT],
    exits: EXITS,
    examples: `
npm run plan                                        the gate against the embedded service
npm run plan -- --window-seconds 60                 at the windows of the interface
npm run plan -- --target staging.target.json --allow-purchases --max-orders 400 --max-spend USD:500
npm run plan -- --for load --max-seconds 600        every load scenario, no checks
npm run plan -- --scenario spend-contention --max-seconds 120
npm run plan -- --profile read-only --json`,
  },
} as const satisfies Record<string, Page>
