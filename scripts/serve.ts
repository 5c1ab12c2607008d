/** Starts the reference service on this machine until it is stopped. */
import { writeFile } from 'node:fs/promises'
import { helpOf } from '../harness/help-page.ts'
import { FAULTS, type FaultFact, type FaultName } from '../reference/faults/faults.ts'
import { paced } from '../reference/paced.ts'
import { demoEnvironment } from '../reference/seed.ts'
import { type RunningServer, type ServerOptions, listen } from '../reference/server.ts'
import { type Service, createService } from '../reference/service.ts'
import { targetFile } from '../reference/target.ts'
import { VARIANTS, type VariantName } from '../reference/base/variants.ts'
import {
  readArguments,
  readLimits,
  readList,
  readNumber,
  readPace,
  PORT,
  readPort,
  SERVE_PAGE,
  TOKEN_VARIABLE,
  UsageError,
} from './serve-options.ts'
import type { Arguments } from './serve-options.ts'
import { endSoon } from './end-soon.ts'

const EXIT_USAGE = 2
const EXIT_ENVIRONMENT = 3

/** Names that do not exist are refused by whoever uses them. */
function variantsOf(values: Arguments): readonly VariantName[] {
  return readList(values.variant) as VariantName[]
}

function createFrom(values: Arguments): Service {
  const limits = readLimits(values)
  const asyncMs = values['async-ms']
  const pace = readPace(values)
  try {
    const service = createService({
      faults: readList(values.fault) as FaultName[],
      variants: variantsOf(values),
      platformGift: values['platform-gift'] ? 'enabled' : 'disabled',
      ...(limits !== undefined && { limits }),
      ...(asyncMs !== undefined && {
        asyncCompletionMs: readNumber('async-ms', asyncMs, 3_600_000),
      }),
      onInternalError: (error) => console.error(error),
    })
    return pace ? paced(service, pace) : service
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message)
    throw error
  }
}

async function serve(values: Arguments): Promise<void> {
  // Asked for first: a signal may come as soon as the port is open.
  const stopped = stopSignal()
  const service = createFrom(values)
  const server = await open(service, addressesOf(values))
  try {
    await announce(values, service, server)
    await stopped
  } finally {
    await server.close()
  }
}

async function open(service: Service, addresses: ServerOptions): Promise<RunningServer> {
  try {
    return await listen(service, addresses)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`${error.message} Set ${TOKEN_VARIABLE}.`)
  }
}

async function announce(
  values: Arguments,
  service: Service,
  { baseUrl, controlBaseUrl }: RunningServer,
): Promise<void> {
  if (values['print-env']) printEnvironment()
  console.error(`The reference service listens on ${baseUrl}.`)
  if (controlBaseUrl !== undefined) console.error(`Its control side: ${controlBaseUrl}.`)
  const variants = variantsOf(values)
  if (variants.length > 0) console.error(`Variants: ${variants.join(', ')}.`)
  const faults = service.control.faults()
  if (faults.length > 0) console.error(`Faults that are on: ${faults.join(', ')}.`)
  await announceTarget(values, baseUrl, controlBaseUrl)
}

const TOKEN_LENGTH_MIN = 16

/** Undefined where none is given. */
function readToken(): string | undefined {
  const token = process.env[TOKEN_VARIABLE]
  if (token === undefined || token === '') return undefined
  if (token.length < TOKEN_LENGTH_MIN)
    throw new UsageError(
      `Got ${TOKEN_VARIABLE} of ${token.length} letters; expected ${TOKEN_LENGTH_MIN} at least.`,
    )
  return token
}

function addressesOf({
  host,
  port = PORT,
  'control-host': controlHost,
  'control-port': controlPort,
}: Arguments): ServerOptions {
  const controlToken = readToken()
  return {
    port: readPort('port', port),
    ...(host !== undefined && { host }),
    ...(controlPort !== undefined && { controlPort: readPort('control-port', controlPort) }),
    ...(controlHost !== undefined && { controlHost }),
    ...(controlToken !== undefined && { controlToken }),
  }
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
  const limits = readLimits(values)
  const content = targetFile(baseUrl, controlBaseUrl, {
    platformGift: values['platform-gift'] ? 'enabled' : 'disabled',
    variants: variantsOf(values),
    ...(asyncMs !== undefined && { asyncCompletionMs: Number(asyncMs) }),
    ...(limits !== undefined && { limits }),
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

function printVariants(): void {
  for (const [name, { summary }] of Object.entries(VARIANTS))
    console.log(`${name.padEnd(36)} ${summary}`)
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve())
  })
}

async function main(): Promise<void> {
  const values = readArguments(process.argv.slice(2), process.env)
  if (values.help) console.log(helpOf(SERVE_PAGE))
  else if (values['list-faults']) printFaults()
  else if (values['list-variants']) printVariants()
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

// Not by start.ts: the image of the reference service holds no harness.
await main().catch((error: unknown) => {
  process.exitCode = explain(error)
})
endSoon()
