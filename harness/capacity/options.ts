import type { ParseArgsOptionsConfig } from 'node:util'
import { usageError } from '../errors.ts'
import { readArguments } from '../command-line.ts'
import { parseRunOptions, type RunOptions } from '../gate/options.ts'
import type { EmbeddedOptions } from '../test-server/embedded.ts'
import { didYouMean } from '../nearest.ts'
import { TARGET_OPTIONS } from '../target-file/options.ts'
import { parseGoals } from '../load/shared/goals.ts'
import type { CapacityRequest } from './plan.ts'

/** Those whose load is even: a step shows one rate. */
export const CAPACITY_SCENARIOS = ['browse', 'mixed'] as const
export type CapacityScenario = (typeof CAPACITY_SCENARIOS)[number]

/** The command line of a search for capacity. */
export type CapacityOptions = {
  /** What it has in common with other runs. */
  readonly run: RunOptions
  readonly requested: Omit<CapacityRequest, 'requestsMax' | 'scenario'> & {
    readonly scenario: CapacityScenario
  }
  readonly busyShareMax?: number
  readonly pace?: NonNullable<EmbeddedOptions['pace']>
  readonly planOnly: boolean
}

/** Options that mean the same as for any run. */
const SHARED_OPTIONS = {
  ...TARGET_OPTIONS,
  image: { type: 'string' },
  fault: { type: 'string', multiple: true },
  'window-seconds': { type: 'string' },
  reports: { type: 'string' },
  'run-dir': { type: 'string' },
  label: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  'allow-load': { type: 'boolean' },
  'max-requests': { type: 'string' },
  'allow-purchases': { type: 'boolean' },
  'max-orders': { type: 'string' },
  'max-spend': { type: 'string' },
  'show-origins': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig

const OWN_OPTIONS = {
  scenario: { type: 'string' },
  goal: { type: 'string', multiple: true },
  'start-rate': { type: 'string' },
  'max-rate': { type: 'string' },
  'min-rate': { type: 'string' },
  precision: { type: 'string' },
  'step-seconds': { type: 'string' },
  'confirm-seconds': { type: 'string' },
  'max-steps': { type: 'string' },
  'max-seconds': { type: 'string' },
  'max-cpu': { type: 'string' },
  workers: { type: 'string' },
  'service-ms': { type: 'string' },
  plan: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig

const OPTIONS = { ...SHARED_OPTIONS, ...OWN_OPTIONS }

/** Windows of the embedded service: those of the interface, so that they do not limit what few accounts may send. */
const WINDOW_SECONDS = 60
const DEFAULTS = { precision: 0.2, stepsMax: 30 } as const
/** Sessions that wait for their orders are under way for seconds: a step has to be longer than they are. */
const SECONDS: Readonly<
  Record<
    CapacityScenario,
    { readonly step: number; readonly confirm: number; readonly max: number }
  >
> = {
  browse: { step: 3, confirm: 10, max: 240 },
  mixed: { step: 8, confirm: 16, max: 480 },
}
const RATE_MAX = 100_000

/** Reads a command line. Throws E_USAGE with what was given and what is understood. */
export function parseCapacityOptions(argv: readonly string[]): CapacityOptions {
  const { values, tokens } = parse(argv)
  const goals = parseGoals(values.goal ?? [])
  const rates = {
    startPerSecond: number('--start-rate', values['start-rate'], RATE_MAX),
    maxPerSecond: number('--max-rate', values['max-rate'], RATE_MAX),
    wantedPerSecond: number('--min-rate', values['min-rate'], RATE_MAX),
  }
  const busyShareMax = percent('--max-cpu', values['max-cpu'])
  const pace = paceOf(values)
  const scenario = scenarioOf(values.scenario)
  const seconds = SECONDS[scenario]
  return {
    run: parseRunOptions('load', sharedArguments(tokens, values['window-seconds'])),
    requested: {
      scenario,
      goals,
      ...definedOnly(rates),
      precision: percent('--precision', values.precision) ?? DEFAULTS.precision,
      stepSeconds: number('--step-seconds', values['step-seconds'], 600) ?? seconds.step,
      confirmSeconds:
        number('--confirm-seconds', values['confirm-seconds'], 3600) ?? seconds.confirm,
      stepsMax: Math.floor(number('--max-steps', values['max-steps'], 1000) ?? DEFAULTS.stepsMax),
      secondsMax: number('--max-seconds', values['max-seconds'], 86_400) ?? seconds.max,
    },
    ...(busyShareMax !== undefined && { busyShareMax }),
    ...(pace && { pace }),
    planOnly: values.plan ?? false,
  }
}

type Parsed = ReturnType<typeof parse>

function parse(argv: readonly string[]) {
  if (argv.some((each) => each === '--baseline' || each.startsWith('--baseline=')))
    throw usageError(
      '--baseline compares repeated runs of load, and a search for capacity is none',
      'Hold it against an earlier search by the rate that this one confirmed: --min-rate N passes where that rate still holds, and fails (exit 1) where it no longer does.',
    )
  return readArguments({ args: [...argv], options: OPTIONS, strict: true, tokens: true })
}

function sharedArguments(tokens: Parsed['tokens'], windowSeconds: string | undefined): string[] {
  const shared = tokens.flatMap((token) => {
    if (token.kind !== 'option' || !Object.hasOwn(SHARED_OPTIONS, token.name)) return []
    return token.value === undefined ? [`--${token.name}`] : [`--${token.name}=${token.value}`]
  })
  return windowSeconds === undefined ? [...shared, `--window-seconds=${WINDOW_SECONDS}`] : shared
}

function scenarioOf(text: string = CAPACITY_SCENARIOS[0]): CapacityScenario {
  const known = CAPACITY_SCENARIOS.find((each) => each === text)
  if (known) return known
  const names = [...CAPACITY_SCENARIOS]
  throw usageError(
    `--scenario was ${JSON.stringify(text)}`,
    didYouMean(text, names, `Choose from ${names.join(', ')}.`),
  )
}

function paceOf(values: Parsed['values']): CapacityOptions['pace'] {
  const workers = number('--workers', values.workers, 10_000)
  const serviceMs = number('--service-ms', values['service-ms'], 60_000)
  if (workers === undefined && serviceMs === undefined) return undefined
  if (workers === undefined || serviceMs === undefined || !Number.isInteger(workers))
    throw usageError(
      '--workers N and --service-ms MS belong together',
      'Give both: N requests at once, each MS long, make a capacity of 1000 * N / MS per second.',
    )
  return { workers, serviceMs }
}

function number(flag: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!/^\d{1,7}(\.\d{1,3})?$/.test(text) || value <= 0 || value > max)
    throw usageError(
      `${flag} was ${JSON.stringify(text)}, a number above 0 and up to ${max} was expected`,
    )
  return value
}

function percent(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  return (number(flag, text.replace(/%$/, ''), 100) ?? 0) / 100
}

function definedOnly<T extends object>(entries: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}
