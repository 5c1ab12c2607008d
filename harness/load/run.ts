import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PLAN_ENV } from '../../load/protocol/plan.ts'
import type { Clock } from '../clock.ts'
import { HarnessError } from '../errors.ts'
import { bundleScenario } from './bundle.ts'
import type { K6Binary } from './k6-version.ts'
import type { Evidence } from './import.ts'
import type { K6Plan } from './plan.ts'

/** What k6 left behind. */
export type K6Run<E = Evidence> = {
  readonly evidence: E
  readonly exitCode: number
  readonly thresholdsCrossed: readonly string[]
  /** Why k6 was stopped before its end. */
  readonly stopped?: 'aborted' | 'timed out'
  /** By how much the wall clock, which k6 stamps with, was set during the run. */
  readonly clockStepMs: number
  readonly durationSeconds: number
}

/** How the evidence of a scenario is read; throws E_K6_FAILED where it cannot be trusted. */
export type EvidenceReader<E> = (path: string, interrupted: boolean) => Promise<E>

export type RunK6Options = {
  readonly plan: K6Plan
  readonly k6: K6Binary
  /** The files of the run are written here, named after the scenario. */
  readonly runDir: string
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  onProgress(text: string): void
}

const PROGRESS_MS = 1000
/** k6 starts, allocates its VUs and writes its summary within this, next to the scenario itself. */
const OVERHEAD_SECONDS = 30
const KILL_AFTER_MS = 3000
const ERROR_TEXT_MAX = 600
/** Finished, and finished with thresholds crossed: the evidence is whole, and it is what counts. */
const EXIT_CODES_FINISHED: ReadonlySet<number> = new Set([0, 99])

/** Bundles and runs one scenario. Stops k6 when the signal aborts or it takes too long, and still imports what there is. */
export async function runK6<E>(
  options: RunK6Options,
  readEvidence: EvidenceReader<E>,
): Promise<K6Run<E>> {
  const files = await prepareFiles(options)
  const startMs = options.clock.nowMs()
  const offsetMs = options.clock.wallMs() - startMs
  const ended = await superviseK6(options, files)
  const interrupted = ended.stopped !== undefined
  if (!interrupted && !EXIT_CODES_FINISHED.has(ended.exitCode)) throw k6Error(options, ended)
  const evidence = await readEvidence(files.evidence, interrupted)
  return {
    evidence,
    exitCode: ended.exitCode,
    thresholdsCrossed: interrupted ? [] : await readCrossedThresholds(files.summary),
    ...(ended.stopped && { stopped: ended.stopped }),
    clockStepMs: Math.abs(options.clock.wallMs() - options.clock.nowMs() - offsetMs),
    durationSeconds: (options.clock.nowMs() - startMs) / 1000,
  }
}

type Files = {
  readonly bundle: string
  readonly plan: string
  readonly config: string
  readonly evidence: string
  readonly summary: string
  readonly log: string
}

async function prepareFiles({ plan, runDir }: RunK6Options): Promise<Files> {
  await mkdir(runDir, { recursive: true })
  const named = (suffix: string): string => join(runDir, `${plan.scenario}.${suffix}`)
  const files: Files = {
    bundle: await bundleScenario(plan.scenario, runDir),
    plan: named('plan.json'),
    config: named('k6-config.json'),
    evidence: named('evidence.txt'),
    summary: named('thresholds.json'),
    log: named('k6.log'),
  }
  // k6 appends to its console output, and a summary of an earlier run must not pass for this one's.
  await Promise.all([files.evidence, files.summary].map((path) => rm(path, { force: true })))
  await writeFile(files.plan, JSON.stringify(plan.file, undefined, 2))
  // A configuration in the user's home could add outputs or stages.
  await writeFile(files.config, '{}')
  return files
}

type Ended = { exitCode: number; stopped?: 'aborted' | 'timed out'; errorText: string }

/** Starts k6, reports progress and waits for its end. */
async function superviseK6(options: RunK6Options, files: Files): Promise<Ended> {
  const { plan, k6, signal } = options
  if (signal?.aborted) return { exitCode: -1, stopped: 'aborted', errorText: '' }
  const child = spawn(k6.path, k6Arguments(files), {
    env: k6Environment(plan, files),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collectOutput(child, files.log, Object.values(plan.secrets))
  let stopped: Ended['stopped']
  const stop = (why: NonNullable<Ended['stopped']>): void => {
    stopped ??= why
    stopChild(child)
  }
  const onAbort = (): void => stop('aborted')
  signal?.addEventListener('abort', onAbort, { once: true })
  const deadline = setTimeout(
    () => stop('timed out'),
    1000 * (plan.wallSecondsMax + OVERHEAD_SECONDS),
  )
  const progress = setInterval(() => void reportProgress(options, files.evidence), PROGRESS_MS)
  try {
    const exitCode = await exitOf(child, k6)
    return { exitCode, ...(stopped && { stopped }), errorText: await output.end() }
  } finally {
    clearTimeout(deadline)
    clearInterval(progress)
    signal?.removeEventListener('abort', onAbort)
  }
}

function k6Arguments(files: Files): string[] {
  return [
    'run',
    '--no-usage-report',
    '--quiet',
    '--no-color',
    `--config=${files.config}`,
    '--log-format=raw',
    `--console-output=${files.evidence}`,
    files.bundle,
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

function k6Environment(plan: K6Plan, files: Files): NodeJS.ProcessEnv {
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(passedOn),
    ...plan.secrets,
    [PLAN_ENV.plan]: files.plan,
    [PLAN_ENV.summary]: files.summary,
    K6_NO_USAGE_REPORT: 'true',
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
  }
}

/** Writes k6's output, without keys, to the log, and keeps the end of it for an error message. */
function collectOutput(
  child: ChildProcess,
  logPath: string,
  secrets: readonly string[],
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
      const log = createWriteStream(logPath)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      log.once('error', reject).end(text, resolve)
      await promise
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

/** A line of evidence has about this many bytes; enough to show that things move. */
const LINE_BYTES = 35

async function reportProgress(options: RunK6Options, evidencePath: string): Promise<void> {
  const { plan } = options
  const bytes = await stat(evidencePath).then(
    ({ size }) => size,
    () => 0,
  )
  const sent = Math.round(bytes / LINE_BYTES)
  options.onProgress(
    `${plan.scenario}: about ${sent} of at least ${plan.requestsMin} requests sent`,
  )
}

async function readCrossedThresholds(path: string): Promise<string[]> {
  type Summary = { thresholds: { metric: string; expression: string; ok: boolean }[] }
  try {
    const { thresholds } = JSON.parse(await readFile(path, 'utf8')) as Summary
    return thresholds.filter(({ ok }) => !ok).map((each) => `${each.metric}: ${each.expression}`)
  } catch (error) {
    throw new HarnessError(
      'E_K6_FAILED',
      `k6 ended without its thresholds: ${(error as Error).message}.`,
      "Nothing was concluded from this scenario. Look into k6's own output in the run directory.",
      { cause: error },
    )
  }
}

function k6Error({ plan }: RunK6Options, { exitCode, errorText }: Ended): HarnessError {
  return new HarnessError(
    'E_K6_FAILED',
    `k6 ended scenario ${plan.scenario} with exit code ${exitCode}, expected 0 or 99. Its last words: ${errorText || 'none'}`,
    "Nothing was concluded from this scenario. Look into k6's own output in the run directory.",
  )
}
