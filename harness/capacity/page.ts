/** The options of a search for capacity. */
import { flag, text, texts, type Page } from '../help-page.ts'
import { CONTAINER, OUTPUT, PERMISSION, serviceOptions } from '../gate/pages.ts'
import { DEFAULT_GOALS } from '../load/shared/goals.ts'
import { TARGET } from '../target-file/options.ts'
import { MAX_PER_SECOND, START_PER_SECOND } from './plan.ts'
import { BUSY_SHARE_MAX } from './verdict.ts'

/** Those whose load is even: a step shows one rate. */
export const CAPACITY_SCENARIOS = ['browse', 'mixed'] as const
export type CapacityScenario = (typeof CAPACITY_SCENARIOS)[number]

export const USUAL = {
  scenario: 'browse',
  /** Windows of the embedded service: those of the interface, so that they do not limit what few accounts may send. */
  windowSeconds: 60,
  precision: 0.2,
  stepsMax: 30,
} as const

/** Sessions that wait for their orders are under way for seconds: a step has to be longer than they are. */
export const SECONDS: Readonly<
  Record<
    CapacityScenario,
    { readonly step: number; readonly confirm: number; readonly max: number }
  >
> = {
  browse: { step: 3, confirm: 10, max: 240 },
  mixed: { step: 8, confirm: 16, max: 480 },
}

function secondsOf(what: keyof (typeof SECONDS)['browse']): string {
  return `${SECONDS.browse[what]}; mixed ${SECONDS.mixed[what]}`
}

function percentOf(share: number): string {
  return `${share * 100}%`
}

const { latencies, errorShareMax, achievedShareMin } = DEFAULT_GOALS
const USUAL_GOALS = [
  ...latencies.map(({ name, limitMs }) => `${name}=${limitMs}ms`),
  `errors=${percentOf(errorShareMax)}`,
  `achieved=${percentOf(achievedShareMin)}`,
].join(', ')

const GOALS = {
  title: 'Goals (each step has to reach all of them)',
  options: {
    goal: texts(
      'NAME=LIMIT',
      'p50, p99, p99.9, max, …: a latency from due to received. errors: the largest share of requests without a right answer. achieved: the least share of the offered rate that is answered',
      USUAL_GOALS,
    ),
    'min-rate': text('N', 'the rate that you need: exit 1 if the target misses it'),
  },
  notes:
    'Always required too: the median latency grows by at most a tenth of the tightest latency goal. A growing queue misses every goal in the end.',
} as const

const SEARCH = {
  title: 'Search (rates are requests per second)',
  options: {
    scenario: text(
      'NAME',
      'what clients do: browse, or mixed (seven browse, two buy, one checks a cart out)',
      USUAL.scenario,
    ),
    'start-rate': text('N', 'where to begin, at most', START_PER_SECOND),
    'max-rate': text('N', 'where to end, at most', MAX_PER_SECOND),
    precision: text(
      'PERCENT',
      'stop once the lowest bad rate is at most this much above the highest good one',
      percentOf(USUAL.precision),
    ),
    'step-seconds': text('S', 'length of a step', secondsOf('step')),
    'confirm-seconds': text('S', 'length of the step that confirms', secondsOf('confirm')),
    'max-steps': text('N', 'most steps of the whole search', USUAL.stepsMax),
    'max-seconds': text('S', 'most seconds of load of the whole search', secondsOf('max')),
    'max-cpu': text(
      'PERCENT',
      'a step decides nothing if this machine was busier',
      percentOf(BUSY_SHARE_MAX),
    ),
    plan: flag(
      'print what the search would take at most, and end; sends the read-only preflight alone',
    ),
  },
} as const

const SERVICE = {
  title: 'Embedded service',
  options: serviceOptions(USUAL.windowSeconds),
  notes: 'Windows of other lengths have small budgets.',
} as const

const PACE = {
  title: 'Its pace: a capacity of 1000 * N / MS per second, to try the search on',
  options: {
    workers: text('N', 'serve N requests at once; needs --service-ms'),
    'service-ms': text('MS', 'each so many milliseconds long; needs --workers'),
  },
} as const

/** What the search reads itself; a run reads the rest. */
export const OWN_OPTIONS = { ...GOALS.options, ...SEARCH.options, ...PACE.options }

export const CAPACITY_PAGE = {
  command: 'capacity',
  what: 'Searches for the highest rate of requests at which a target holds its goals: doubling, bisection, a longer step that confirms.',
  about: `
Clients arrive at planned times whether or not earlier ones are done, over as many accounts as their windows ask for. Each step is a k6 run of its own. The result names what limits the rate: service, limiter, cap, generator, …
Without a target, the embedded reference service is started, with the windows of the interface.`,
  groups: [GOALS, SEARCH, TARGET, CONTAINER, PERMISSION, SERVICE, PACE, OUTPUT],
  notes:
    'It refuses a rate above what the windows of the accounts admit: that would measure the limiter.',
  exits: `
0 found and confirmed, or the highest rate that was asked for held
1 the rate asked for with --min-rate is missed, or the service broke a requirement under load
2 usage, permission or too few accounts, no load sent    3 the environment is not ready
4 a fault of the harness       6 inconclusive: generator, noise, time
129/130/143 interrupted, partial record written`,
  examples: `
npm run capacity                                            the embedded service, about a minute and a half
npm run capacity -- --workers 1 --service-ms 25 --start-rate 10   a service that can do 40 per second
npm run capacity -- --goal p99=50ms --goal p99.9=250ms --goal errors=0%
npm run capacity -- --target staging.target.json --min-rate 200 --max-seconds 300
npm run capacity -- --target staging.target.json --plan`,
} as const satisfies Page
