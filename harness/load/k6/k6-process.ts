import type { Stopped } from '../evidence/k6-run.ts'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { PLAN_ENV } from '../../../load/protocol/plan.ts'
import { atExit } from '../../at-exit.ts'
import { childEnvironment } from '../../child-environment.ts'
import { endWithUs } from '../../end-with-us.ts'
import { HarnessError } from '../../errors.ts'
import { K6_SETTINGS } from '../shared/k6-runtime.ts'
import { lostOutputOf } from './k6-outputs.ts'
import type { K6Binary } from './k6-version.ts'

/** One k6 process to be. */
export type K6Job = {
  readonly k6: K6Binary
  readonly bundle: string
  readonly plan: string
  /** k6 appends to it. */
  readonly evidence: string
  readonly summary: string
  readonly log: string
  /** An empty configuration: one in the user's home could add outputs or stages. */
  readonly config: string
  /** Arguments of this process beside those of all. */
  readonly extraArguments: readonly string[]
  /** The keys, and what else only this process gets. */
  readonly env: Readonly<Record<string, string>>
  /** What must not stand in the log. */
  readonly secrets: readonly string[]
  readonly wallSecondsMax: number
  /** Hears of the process, to watch what it takes of the machine. */
  readonly onStarted?: ((pid: number) => void) | undefined
}

export type Ended = {
  readonly exitCode: number
  readonly stopped?: Stopped
  readonly errorText: string
  /** Outputs of k6's own metrics that it says it could not reach. */
  readonly lostOutputs: readonly string[]
}

/** Longer than k6 needs, also on a busy machine: what it has not written when it is killed is lost. */
const KILL_AFTER_MS = 10_000
const ERROR_TEXT_MAX = 600
/** What is longer says the same again. */
const LOG_LETTERS_MAX = 10_000_000

/** Runs k6 to its end, or until the signal aborts or the time is up. */
export async function superviseK6(job: K6Job, signal?: AbortSignal): Promise<Ended> {
  if (signal?.aborted) return { exitCode: -1, stopped: 'aborted', errorText: '', lostOutputs: [] }
  const child = spawn(job.k6.path, k6Arguments(job), {
    env: k6Environment(job),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A signal of the terminal reaches its whole group: k6 would end at once, and what it has not written would be lost.
    detached: process.platform !== 'win32',
  })
  if (child.pid !== undefined) job.onStarted?.(child.pid)
  using _last = atExit(() => child.kill('SIGKILL'))
  using _guard = endWithUs(child)
  const output = collectOutput(child, job)
  let stopped: Stopped | undefined
  const stop = (why: Stopped): void => {
    stopped ??= why
    stopChild(child)
  }
  const onAbort = (): void => stop('aborted')
  signal?.addEventListener('abort', onAbort, { once: true })
  const deadline = setTimeout(() => stop('timed out'), 1000 * job.wallSecondsMax)
  try {
    const exitCode = await exitOf(child, job.k6)
    return { exitCode, ...(stopped && { stopped }), ...(await output.end()) }
  } finally {
    clearTimeout(deadline)
    signal?.removeEventListener('abort', onAbort)
  }
}

function k6Arguments({ config, evidence, extraArguments, bundle }: K6Job): string[] {
  return [
    'run',
    '--no-usage-report',
    '--quiet',
    '--no-color',
    `--config=${config}`,
    '--log-format=raw',
    `--console-output=${evidence}`,
    ...extraArguments,
    bundle,
  ]
}

/** What k6 needs to run and to reach the target; no K6_ variable of the caller, which could change the run. */
function k6Environment({ env, plan, summary }: K6Job): NodeJS.ProcessEnv {
  return {
    ...childEnvironment(process.env),
    ...env,
    [PLAN_ENV.plan]: plan,
    [PLAN_ENV.summary]: summary,
    ...K6_SETTINGS,
  }
}

type Output = Pick<Ended, 'errorText' | 'lostOutputs'>

/**
 * Writes k6's output, without keys, to the log as it comes, and keeps the end of it for an error message: a long run that cannot reach
 * its target makes a line for every request.
 */
function collectOutput(
  child: ChildProcess,
  { log, secrets }: Pick<K6Job, 'log' | 'secrets'>,
): { end(): Promise<Output> } {
  const file = createWriteStream(log)
  const written = finished(file)
  // Told by end, which not every way out of the process comes to.
  written.catch(() => undefined)
  const lost = new Set<string>()
  let last = ''
  let room = LOG_LETTERS_MAX
  const take = (raw: string): void => {
    const line = secrets.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), raw)
    last = `${last}\n${line}`.slice(-ERROR_TEXT_MAX)
    const output = lostOutputOf(line)
    if (output !== undefined) lost.add(output)
    if (room > 0) file.write(line.length < room ? `${line}\n` : '… more was left out\n')
    room -= line.length
  }
  const read = async (stream: Readable | null): Promise<void> => {
    if (stream) for await (const line of createInterface({ input: stream })) take(line)
  }
  const ended = Promise.all([read(child.stdout), read(child.stderr)]).finally(() => file.end())
  return {
    async end() {
      await ended
      await written
      return { errorText: last.trim(), lostOutputs: [...lost] }
    },
  }
}

/** Asks k6 to stop; ends it if it does not. */
function stopChild(child: ChildProcess): void {
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  child.once('close', () => clearTimeout(timer))
}

function exitOf(child: ChildProcess, k6: K6Binary): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  child.once('close', (code) => resolve(code ?? -1))
  child.once('error', (error) =>
    reject(
      new HarnessError(
        'E_K6_FAILED',
        `k6 at ${k6.path} could not be started: ${error.message}.`,
        'Check that the file is a k6 for this machine, or set K6_BIN to one.',
      ),
    ),
  )
  return promise
}
