/** Starts the reference service on this machine until it is told to stop. */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { BUCKETS, DEFAULT_LIMITS } from '../contract/limits.ts'
import { FAULTS } from '../reference/faults.ts'
import type { FaultFact, FaultName } from '../reference/faults.ts'
import { demoEnvironment } from '../reference/seed.ts'
import { listen } from '../reference/server.ts'
import { createService } from '../reference/service.ts'
import type { LimitRules, Service } from '../reference/service.ts'
import { targetFile } from '../reference/target.ts'

const HELP = `Usage: npm run serve -- [options]

Starts the reference service, with accounts and keys for a demo.

  --port N             port to listen on (default 8080; 0: any free one)
  --host ADDRESS       address to listen on (default 127.0.0.1)
  --control-port N     open the control side on this loopback port
  --window-seconds S   shorten every rate-limit window to S seconds
  --async-ms N         milliseconds until an asynchronous order finishes (default 1500)
  --platform-gift      open the feature gate of platform gifts
  --fault NAME         turn a deliberate defect on; may be given several times
  --print-target FILE  write the target file for the harness
  --print-env          print the demo keys as export lines for a shell
  --list-faults        list the defects and end
  --help               print this and end
`

const EXIT_USAGE = 2
const EXIT_ENVIRONMENT = 3

class UsageError extends Error {}

const OPTIONS = {
  port: { type: 'string', default: '8080' },
  host: { type: 'string', default: '127.0.0.1' },
  'control-port': { type: 'string' },
  'window-seconds': { type: 'string' },
  'async-ms': { type: 'string' },
  'platform-gift': { type: 'boolean', default: false },
  fault: { type: 'string', multiple: true },
  'print-target': { type: 'string' },
  'print-env': { type: 'boolean', default: false },
  'list-faults': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

type Arguments = ReturnType<typeof readArguments>

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readNumber(option: string, text: string, max: number): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= max))
    throw new UsageError(`Got --${option} ${text}; expected a number from 0 to ${max}.`)
  return value
}

function readPort(option: 'port' | 'control-port', text: string): number {
  const port = readNumber(option, text, 65_535)
  if (!Number.isInteger(port)) throw new UsageError(`Got --${option} ${text}; expected an integer.`)
  return port
}

/** Every window at the given length, with its usual count. */
function shortened(windowSeconds: number): LimitRules {
  const rules: LimitRules = {}
  for (const bucket of BUCKETS)
    if (bucket !== 'orders.unhide.admission')
      rules[bucket] = { count: DEFAULT_LIMITS[bucket].count, windowSeconds }
  return rules
}

function createFrom(values: Arguments): Service {
  const seconds = values['window-seconds']
  const asyncMs = values['async-ms']
  try {
    return createService({
      faults: (values.fault ?? []) as FaultName[],
      platformGift: values['platform-gift'] ? 'enabled' : 'disabled',
      ...(seconds !== undefined && {
        limits: shortened(readNumber('window-seconds', seconds, 86_400)),
      }),
      ...(asyncMs !== undefined && {
        asyncCompletionMs: readNumber('async-ms', asyncMs, 3_600_000),
      }),
      onInternalError: (error) => console.error(error),
    })
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message)
    throw error
  }
}

async function serve(values: Arguments): Promise<void> {
  // Asked for first: a signal may come as soon as the port is open.
  const stopped = stopSignal()
  const service = createFrom(values)
  const controlPort = values['control-port']
  const server = await listen(service, {
    host: values.host,
    port: readPort('port', values.port),
    ...(controlPort !== undefined && { controlPort: readPort('control-port', controlPort) }),
  })
  const { baseUrl, controlBaseUrl } = server
  if (values['print-env']) printEnvironment()
  console.error(`The reference service listens on ${baseUrl}.`)
  if (controlBaseUrl !== undefined) console.error(`Its control side: ${controlBaseUrl}.`)
  const faults = service.control.faults()
  if (faults.length > 0) console.error(`Faults that are on: ${faults.join(', ')}.`)
  await announceTarget(values, baseUrl, controlBaseUrl)
  await stopped
  await server.close()
}

async function announceTarget(
  values: Arguments,
  baseUrl: string,
  controlBaseUrl: string | undefined,
): Promise<void> {
  const path = values['print-target']
  if (path === undefined) {
    console.error('Write a target file for the harness with --print-target FILE.')
    return
  }
  const asyncMs = values['async-ms']
  const content = targetFile(baseUrl, controlBaseUrl, {
    platformGift: values['platform-gift'] ? 'enabled' : 'disabled',
    ...(asyncMs !== undefined && { asyncCompletionMs: Number(asyncMs) }),
  })
  await writeFile(path, `${JSON.stringify(content, null, 2)}\n`)
  console.error(`Target file: ${path}. Its keys come from the environment; see --print-env.`)
}

function printEnvironment(): void {
  for (const [name, value] of Object.entries(demoEnvironment()))
    console.log(`export ${name}=${value}`)
}

function printFaults(): void {
  for (const [name, { breaks, summary }] of Object.entries<FaultFact>(FAULTS))
    console.log(`${name.padEnd(36)} ${breaks.padEnd(10)} ${summary}`)
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}

async function main(): Promise<void> {
  const values = readArguments()
  if (values.help) console.log(HELP)
  else if (values['list-faults']) printFaults()
  else await serve(values)
}

function explain(error: unknown): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\nTry npm run serve -- --help.`)
    return EXIT_USAGE
  }
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  console.error(`The reference service could not start: ${(error as Error).message}.`)
  return EXIT_ENVIRONMENT
}

await main().catch((error: unknown) => {
  process.exitCode = explain(error)
})
