import { usageError } from '../errors.ts'
import { argumentsBut, readPage } from '../command-line.ts'
import { parseRunOptions, type RunOptions } from '../gate/options.ts'
import type { EmbeddedOptions } from '../test-server/embedded.ts'
import { didYouMean } from '../nearest.ts'
import { parseGoals } from '../load/shared/goals.ts'
import {
  CAPACITY_PAGE,
  CAPACITY_SCENARIOS,
  OWN_OPTIONS,
  SECONDS,
  USUAL,
  type CapacityScenario,
} from './page.ts'
import type { CapacityRequest } from './plan.ts'

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
      precision: percent('--precision', values.precision) ?? USUAL.precision,
      stepSeconds: number('--step-seconds', values['step-seconds'], 600) ?? seconds.step,
      confirmSeconds:
        number('--confirm-seconds', values['confirm-seconds'], 3600) ?? seconds.confirm,
      stepsMax: Math.floor(number('--max-steps', values['max-steps'], 1000) ?? USUAL.stepsMax),
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
  return readPage(CAPACITY_PAGE, argv)
}

function sharedArguments(tokens: Parsed['tokens'], windowSeconds: string | undefined): string[] {
  const shared = argumentsBut(tokens, OWN_OPTIONS)
  return windowSeconds === undefined
    ? [...shared, `--window-seconds=${USUAL.windowSeconds}`]
    : shared
}

function scenarioOf(text: string = USUAL.scenario): CapacityScenario {
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
