import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { PLAN_ENV } from '../../../load/protocol/plan.ts'
import { HarnessError } from '../../errors.ts'
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
  /** The keys, and what else this process alone is told. */
  readonly env: Readonly<Record<string, string>>
  /** What must not stand in the log. */
  readonly secrets: readonly string[]
  readonly wallSecondsMax: number
  /** Hears of the process, to watch what it takes of the machine. */
  readonly onStarted?: ((pid: number) => void) | undefined
}

export type Stopped = 'aborted' | 'timed out'
export type Ended = {
  readonly exitCode: number
  readonly stopped?: Stopped
  readonly errorText: string
}

const KILL_AFTER_MS = 3000
const ERROR_TEXT_MAX = 600

/** Runs k6 to its end, or until the signal aborts or the time is up. */
export async function superviseK6(job: K6Job, signal?: AbortSignal): Promise<Ended> {
  if (signal?.aborted) return { exitCode: -1, stopped: 'aborted', errorText: '' }
  const child = spawn(job.k6.path, k6Arguments(job), {
    env: k6Environment(job),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) job.onStarted?.(child.pid)
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
    return { exitCode, ...(stopped && { stopped }), errorText: await output.end() }
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
const PASSED_ON = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'SystemRoot',
  'TMPDIR',
  'TEMP',
  'TMP',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
] as const

function k6Environment({ env, plan, summary }: K6Job): NodeJS.ProcessEnv {
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(passedOn),
    ...env,
    [PLAN_ENV.plan]: plan,
    [PLAN_ENV.summary]: summary,
    K6_NO_USAGE_REPORT: 'true',
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
  }
}

/** Writes k6's output, without keys, to the log, and keeps the end of it for an error message. */
function collectOutput(
  child: ChildProcess,
  { log, secrets }: Pick<K6Job, 'log' | 'secrets'>,
): { end(): Promise<string> } {
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => chunks.push(text))
  return {
    async end() {
      const text = secrets.reduce(
        (clean, secret) => clean.replaceAll(secret, '[redacted]'),
        chunks.join(''),
      )
      await writeFile(log, text)
      return text.trim().slice(-ERROR_TEXT_MAX)
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
