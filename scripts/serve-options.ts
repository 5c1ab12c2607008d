/** The options of `npm run serve`: by flag, else by a variable REFERENCE_<OPTION>, as a container gets them. */
import { parseArgs } from 'node:util'
import { BUCKETS, DEFAULT_LIMITS, LIMIT_NAMES } from '../contract/limits.ts'
import type { Pace } from '../reference/paced.ts'
import type { LimitRules } from '../reference/service.ts'

export const HELP = `Usage: npm run serve -- [options]

Starts the reference service, with accounts and keys for a demo.

  --port N             port to listen on (default 8080; 0: any free one)
  --host ADDRESS       address to listen on (default 127.0.0.1)
  --control-port N     open the control side, which makes keys, on this port
  --control-host ADDRESS
                       address of the control side (default 127.0.0.1); it makes
                       keys and turns defects on, so beyond this machine it
                       asks for the token in REFERENCE_CONTROL_TOKEN
  --window-seconds S   shorten every rate-limit window to S seconds
  --limit BUCKET=COUNT/SECONDS
                       rule of one bucket; several by commas or repetition
  --async-ms N         milliseconds until an asynchronous order finishes (default 1500)
  --workers N --service-ms MS
                       work on N requests at once, each for MS: a service of known
                       capacity, 1000 * N / MS per second
  --platform-gift      open the feature gate of platform gifts
  --fault NAME         turn a deliberate defect on; several by commas or repetition
  --variant NAME       make a legal choice otherwise; several by commas or repetition
  --print-target FILE  write the target file for the harness
  --print-env          print the demo keys as export lines for a shell
  --list-faults        list the defects and end
  --list-variants      list the legal choices and end
  --help               print this and end

The options from --port to --variant may be given as variables too, for a container:
REFERENCE_PORT=8080, REFERENCE_CONTROL_PORT=8081, REFERENCE_PLATFORM_GIFT=true, …
A flag beats its variable.
Buckets: ${LIMIT_NAMES.filter((bucket) => bucket !== 'orders.unhide.admission').join(', ')}.
`

export class UsageError extends Error {}

/** Those that a variable can give. */
const SETTINGS = {
  port: { type: 'string' },
  host: { type: 'string' },
  'control-port': { type: 'string' },
  'control-host': { type: 'string' },
  'window-seconds': { type: 'string' },
  limit: { type: 'string', multiple: true },
  'async-ms': { type: 'string' },
  workers: { type: 'string' },
  'service-ms': { type: 'string' },
  'platform-gift': { type: 'boolean' },
  fault: { type: 'string', multiple: true },
  variant: { type: 'string', multiple: true },
} as const

const OPTIONS = {
  ...SETTINGS,
  'print-target': { type: 'string' },
  'print-env': { type: 'boolean' },
  'list-faults': { type: 'boolean' },
  'list-variants': { type: 'boolean' },
  help: { type: 'boolean' },
} as const

export type Arguments = ReturnType<typeof parse>

/** Throws UsageError for what parseArgs does not understand. */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv): Arguments {
  return { ...fromEnvironment(env), ...parse(argv) }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function fromEnvironment(env: NodeJS.ProcessEnv): Partial<Arguments> {
  const given = Object.entries(SETTINGS).flatMap(([name, option]): [string, unknown][] => {
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
