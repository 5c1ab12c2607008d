/** The options of `npm run serve`: by flag, else by a variable REFERENCE_<OPTION>, as a container gets them. */
import { parseArgs } from 'node:util'
import { BUCKETS, DEFAULT_LIMITS, LIMIT_NAMES } from '../contract/limits.ts'
import { flag, optionsOf, text, texts, type Page } from '../harness/help-page.ts'
import type { Pace } from '../reference/paced.ts'
import { LOOPBACK } from '../reference/server.ts'
import { DEFAULTS, type LimitRules } from '../reference/service.ts'

/** A variable alone: a command line can be read by everybody on the machine. */
export const TOKEN_VARIABLE = 'REFERENCE_CONTROL_TOKEN'
export const PORT = '8080'

/** Those that a variable can give. */
const SETTINGS = {
  title: 'Service',
  options: {
    port: text('N', 'port to listen on; 0: any free one', PORT),
    host: text('ADDRESS', 'address to listen on', LOOPBACK),
    'control-port': text('N', 'open the control side, which makes keys, on this port'),
    'control-host': text(
      'ADDRESS',
      `address of the control side; it makes keys and turns defects on, so beyond this machine it asks for the token in ${TOKEN_VARIABLE}`,
      LOOPBACK,
    ),
    'window-seconds': text('S', 'shorten every rate-limit window to S seconds'),
    limit: texts('BUCKET=COUNT/SECONDS', 'rule of one bucket; several by commas or repetition'),
    'async-ms': text(
      'N',
      'milliseconds until an asynchronous order finishes',
      DEFAULTS.asyncCompletionMs,
    ),
    workers: text('N', 'work on N requests at once; needs --service-ms'),
    'service-ms': text(
      'MS',
      'each for so long: a service of known capacity, 1000 * N / MS per second; needs --workers',
    ),
    'platform-gift': flag('open the feature gate of platform gifts'),
    fault: texts('NAME', 'turn a deliberate defect on; several by commas or repetition'),
    variant: texts('NAME', 'make a legal choice otherwise; several by commas or repetition'),
  },
  notes: `These may be given as variables too, for a container: REFERENCE_PORT=8080, REFERENCE_PLATFORM_GIFT=true, …
A flag beats its variable.
Buckets: ${LIMIT_NAMES.filter((bucket) => bucket !== 'orders.unhide.admission').join(', ')}.`,
} as const

export const SERVE_PAGE = {
  command: 'serve',
  what: 'Starts the reference service, with accounts and keys for a demo.',
  groups: [
    SETTINGS,
    {
      title: 'Output',
      options: {
        'print-target': text('FILE', 'write the target file for the harness'),
        'print-env': flag('print the demo keys as export lines for a shell, then serve'),
        'list-faults': flag('list the defects and end'),
        'list-variants': flag('list the legal choices and end'),
      },
    },
  ],
} as const satisfies Page

export class UsageError extends Error {}

export type Arguments = ReturnType<typeof parse>

/** Throws UsageError for what parseArgs does not understand. */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv): Arguments {
  return { ...fromEnvironment(env), ...parse(argv) }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: optionsOf(SERVE_PAGE) }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function fromEnvironment(env: NodeJS.ProcessEnv): Partial<Arguments> {
  const given = Object.entries(SETTINGS.options).flatMap(([name, option]): [string, unknown][] => {
    const variable = `REFERENCE_${name.toUpperCase().replaceAll('-', '_')}`
    const text = env[variable]
    if (text === undefined || text === '') return []
    if (option.type === 'boolean') return [[name, readBoolean(variable, text)]]
    return [[name, 'multiple' in option ? [text] : text]]
  })
  return Object.fromEntries(given) as Partial<Arguments>
}

function readBoolean(variable: string, text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw new UsageError(`Got ${variable}=${text}; expected true or false.`)
  return text === 'true'
}

export function readNumber(option: string, text: string, max: number): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= max))
    throw new UsageError(`Got --${option} ${text}; expected a number from 0 to ${max}.`)
  return value
}

/** Undefined where no pace is asked for. */
export function readPace({ workers, 'service-ms': serviceMs }: Arguments): Pace | undefined {
  if (workers === undefined && serviceMs === undefined) return undefined
  if (workers === undefined || serviceMs === undefined)
    throw new UsageError('Got one of --workers and --service-ms; expected both or none.')
  return {
    workers: readNumber('workers', workers, 10_000),
    serviceMs: readNumber('service-ms', serviceMs, 60_000),
  }
}

export function readPort(option: 'port' | 'control-port', text: string): number {
  const port = readNumber(option, text, 65_535)
  if (!Number.isInteger(port)) throw new UsageError(`Got --${option} ${text}; expected an integer.`)
  return port
}

/** The entries of an option that may be given several times, each with several by commas. */
export function readList(values: readonly string[] | undefined): string[] {
  return (values ?? []).flatMap((value) => value.split(','))
}

/** The rules that differ from the interface's; undefined where none is asked for. */
export function readLimits(values: Arguments): LimitRules | undefined {
  const seconds = values['window-seconds']
  const single = readList(values.limit).map(readRule)
  if (seconds === undefined && single.length === 0) return undefined
  const all =
    seconds === undefined ? {} : shortened(readNumber('window-seconds', seconds, SECONDS_MAX))
  return { ...all, ...Object.fromEntries(single) }
}

const SECONDS_MAX = 86_400

/** Every window at the given length, with its usual count. */
function shortened(windowSeconds: number): LimitRules {
  const rules: LimitRules = {}
  for (const bucket of BUCKETS)
    if (bucket !== 'orders.unhide.admission')
      rules[bucket] = { count: DEFAULT_LIMITS[bucket].count, windowSeconds }
  return rules
}

function readRule(text: string): [string, { count: number; windowSeconds: number }] {
  const [, name = '', count = '', seconds = ''] = /^([^=]+)=(\d+)\/(\d+)$/.exec(text.trim()) ?? []
  const bucket = LIMIT_NAMES.find((each) => each === name && each !== 'orders.unhide.admission')
  if (bucket === undefined)
    throw new UsageError(
      `Got --limit ${text}; expected BUCKET=COUNT/SECONDS with a bucket that --help lists.`,
    )
  return [bucket, { count: Number(count), windowSeconds: Number(seconds) }]
}
