import path from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as after } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import type { CliOptions, TestUserConfig, Vitest } from 'vitest/node'
import type { ConformanceResult, ConformanceRunner } from '../harness/gate/conformance.ts'
import type { SystematicCause } from '../harness/judge/causes.ts'
import type { Outage } from '../harness/judge/outages.ts'
import { ENDING_SIGNALS } from '../harness/signals.ts'
import { openTemporaryFolder } from '../harness/temporary-folder.ts'
import type { SuiteMessage, SuiteTask } from './host.ts'
import { RecordReporter } from './reporter.ts'

/** After the request to stop, how long the checks may take to end in order, and how long vitest may. */
const STOP_GRACE_MS = 900
const CLOSE_GRACE_MS = 300

const ENDED_HARD =
  'The checks did not stop in time and were ended: what the last of them sent and bought is not counted.'

/**
 * Of young objects, in the worker from its start. By default V8 lets them take several times as much as is alive. The run takes 445
 * instead of 630 MB at most, and 2 % more processor time.
 */
const SEMI_SPACE_MB = 8
const SPACE_FLAGS = [
  `--max-semi-space-size=${SEMI_SPACE_MB}`,
  `--min-semi-space-size=${SEMI_SPACE_MB}`,
  // This thread has its space already: it stays as small as it is, until the checks have ended.
  '--semi-space-growth-factor=1',
]
const GROWING_AGAIN = '--semi-space-growth-factor=2'

const NO_MONEY = new Map<string, bigint>()
const NOTHING = {
  spent: [],
  purchased: { orders: 0, made: [], money: NO_MONEY, charged: NO_MONEY },
}

/** Carries the selected checks out in vitest and returns what they left. */
export const runConformance: ConformanceRunner = async (options) => {
  const { signal, onProgress, onOutcome, onSecret, onHazard, onStopped, onLost, ...plan } = options
  const name = `ordering-harness-${crypto.randomUUID()}`
  const reporter = new RecordReporter(onOutcome)
  let sums: Pick<ConformanceResult, 'spent' | 'purchased'> = NOTHING
  let causes: readonly SystematicCause[] = []
  let outages: readonly Outage[] = []
  let traffic: Pick<ConformanceResult, 'traffic'> = {}
  const channel = new BroadcastChannel(name)
  const tellToStop = (): void =>
    channel.postMessage({ kind: 'stop', reason: 'the run was interrupted' } satisfies SuiteMessage)
  channel.addEventListener('message', (event: Event) => {
    const message = (event as MessageEvent).data as SuiteMessage
    // Whoever was not there yet has not heard that it should stop.
    if (message.kind === 'listening' && signal.aborted) tellToStop()
    if (message.kind === 'secrets')
      for (const { value, label } of message.secrets) onSecret(value, label)
    if (message.kind === 'hazard') onHazard(message.text)
    if (message.kind === 'stopped') onStopped(message.reason)
    if (message.kind === 'lost') onLost()
    if (message.kind === 'progress') onProgress(message.progress)
    if (message.kind === 'causes') ({ causes } = message)
    if (message.kind === 'outages') ({ outages } = message)
    if (message.kind === 'traffic') traffic = { traffic: message.traffic }
    if (message.kind === 'spent') {
      const { spent, purchased } = message
      sums = { spent, purchased }
    }
  })
  using _signals = keepEndingOurs()
  using workers = new StartedWorkers()
  let graceMs = 0
  const stopped = Promise.withResolvers<'stopped'>()
  const stop = (): void => {
    tellToStop()
    // Whoever is busy with an answer of the target's hears nothing.
    void after(graceMs).then(() => stopped.resolve('stopped'))
  }
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const loaded = loadVitest(reporter, { ...plan, channel: name })
  const carryOut = async (): Promise<void> => {
    const vitest = await loaded
    graceMs = STOP_GRACE_MS
    if (!signal.aborted) await vitest.start()
  }
  const carriedOut = carryOut()
  const closed = (): Promise<void> => loaded.then((vitest) => vitest.close())
  let isEndedHard = false
  try {
    isEndedHard = (await Promise.race([carriedOut, stopped.promise])) === 'stopped'
  } finally {
    signal.removeEventListener('abort', stop)
    if (isEndedHard) {
      workers.end()
      // What is said of workers that we end is no fault of anybody's.
      carriedOut.catch(() => undefined)
      await Promise.race([closed().catch(() => undefined), after(CLOSE_GRACE_MS)])
    } else await closed()
    channel.close()
    setFlagsFromString(GROWING_AGAIN)
  }
  // vitest sets the exit code of the process from its own view; ours is decided from the record.
  process.exitCode = undefined
  const { outcomes } = reporter
  if (isEndedHard) {
    const hazards = graceMs > 0 ? [ENDED_HARD] : []
    return { outcomes, faults: [], hazards, causes, ...sums }
  }
  return { outcomes, faults: [...reporter.faults], causes, outages, ...traffic, ...sums }
}

/** Loaded late: most mistakes of a command line are reported without it, in half the time. */
async function loadVitest(reporter: RecordReporter, suitePlan: SuiteTask): Promise<Vitest> {
  for (const flag of SPACE_FLAGS) setFlagsFromString(flag)
  const { createVitest } = await import('vitest/node')
  const options: CliOptions = {
    ...SUITE,
    // A file of its own takes a quarter of a second to load.
    config: false,
    watch: false,
    run: true,
    reporters: [reporter],
    provide: { suitePlan },
  }
  const streams = { stdout: passedOn('stdout'), stderr: passedOn('stderr') }
  return besideHome(() => createVitest(options, {}, streams))
}

/** Where vitest looks for the folder of a user's data: on Windows, and elsewhere. */
const DATA_FOLDERS = ['LOCALAPPDATA', 'XDG_DATA_HOME'] as const

/** vitest writes a token below HOME, where we leave nothing, and which may be read-only: it gets a folder that is removed. */
async function besideHome<T>(make: () => Promise<T>): Promise<T> {
  await using folder = await openTemporaryFolder().catch(() => undefined)
  if (folder === undefined) return await make()
  const own = DATA_FOLDERS.map((name) => [name, process.env[name]] as const)
  for (const name of DATA_FOLDERS) process.env[name] = folder.path
  try {
    return await make()
  } finally {
    for (const [name, value] of own) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

/** vitest waits for ever for a stream that fails, as on a full disk: one of its own never does. */
function passedOn(name: 'stdout' | 'stderr'): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      process[name].write(chunk as Uint8Array)
      done()
    },
  })
}

/** One file in one thread: checks share a client and a quota ledger, and overlap inside it. */
const SUITE = {
  root: path.dirname(import.meta.dirname),
  // As a package, the suite is compiled and lies below node_modules.
  include: [`conformance/suite${path.extname(import.meta.filename)}`],
  exclude: [],
  pool: 'threads',
  // Node loads our modules as they are: starting takes half the time, and nothing is written beside them.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  fsModuleCache: false,
  maxWorkers: 1,
  isolate: false,
  retry: 0,
  allowOnly: false,
  passWithNoTests: false,
  maxConcurrency: 1_000,
  testTimeout: 30 * 60_000,
  teardownTimeout: 5_000,
} as const satisfies Partial<TestUserConfig>

/** The worker threads that were started since. */
class StartedWorkers {
  readonly #workers = new Set<Worker>()
  readonly #note = (worker: Worker): void => {
    this.#workers.add(worker)
    // vitest hears of the error and ends; its second error, when the thread has ended, would end the process without a record.
    worker.once('error', () => worker.removeAllListeners('exit'))
  }

  constructor() {
    process.on('worker', this.#note)
  }

  /** At once, whatever they are busy with. */
  end(): void {
    for (const worker of this.#workers) void worker.terminate()
  }

  [Symbol.dispose](): void {
    process.off('worker', this.#note)
  }
}

const ENDING_EVENTS: readonly unknown[] = [...ENDING_SIGNALS, 'unhandledRejection']

/**
 * vitest ends the process on a signal or a stray rejection, with exit codes of its own: the record would be lost, and a fault of
 * ours would look like one of the target. What it adds for these events is removed as it comes; they are the command line's to handle.
 */
function keepEndingOurs(): Disposable {
  process.on('newListener', removeEndingListener)
  return { [Symbol.dispose]: () => void process.off('newListener', removeEndingListener) }
}

function removeEndingListener(
  event: string | symbol,
  listener: (...values: unknown[]) => void,
): void {
  if (ENDING_EVENTS.includes(event)) queueMicrotask(() => process.removeListener(event, listener))
}
