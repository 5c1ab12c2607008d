import { LOOK_AT_K6 } from '../evidence/k6-log.ts'
import type { K6Outcome } from '../evidence/k6-run.ts'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { INSTANCE_ENV } from '../../../load/protocol/instances.ts'
import { OVERCHARGED, PLAN_ENV, type LoadOvercharge } from '../../../load/protocol/plan.ts'
import type { Clock } from '../../clock.ts'
import { HarnessError } from '../../errors.ts'
import { proxySecrets } from '../../network/proxy.ts'
import { bundleScenario } from './bundle.ts'
import { collectEvidence } from './collect.ts'
import { superviseK6, type Ended, type K6Job } from './k6-process.ts'
import type { K6Binary } from './k6-version.ts'
import { outputArguments, outputEnvironment, outputSecrets } from './k6-outputs.ts'
import { NO_MARKS, secretsOfMarks, type Marks } from './marks.ts'
import { LiveEvidence, type LiveView } from '../live/live.ts'
import type { K6Plan } from '../rate-limits/plan.ts'
import { certificateEnvironment, familyArguments, type K6Network } from './k6-network.ts'
import { instancesFor, segmentArguments, withShares } from './segments.ts'
import { trustEnvironment } from './trust.ts'

export type RunK6Options = {
  readonly plan: K6Plan
  readonly live: LiveView
  /** Where k6 sends its own metrics as well: texts for its --out. */
  readonly outputs?: readonly string[]
  /** What the caller adds to requests and metrics. */
  readonly marks?: Marks
  readonly k6: K6Binary
  /** How the target is reached. */
  readonly reached: K6Network
  /** Named in every request. */
  readonly runId?: string
  /** An order that costs more than planned ends the scenario. */
  readonly isPriceBound?: boolean
  /** k6 processes that share the plan, if it can be divided so far. */
  readonly instances?: number
  /** The files of the run are written here, named after the scenario. None holds a key. */
  readonly runDir: string
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  onProgress(text: string): void
  /** Hears once a second how many exchanges the evidence holds. */
  readonly onExchanges?: (count: number) => void
  /** Hears of each k6 process, to watch what it takes of the machine. */
  readonly onStarted?: (pid: number) => void
}

const PROGRESS_MS = 1000
/** k6 starts, allocates its VUs and writes its summary within this, next to the scenario itself. */
const OVERHEAD_SECONDS = 30
/**
 * Several processes wait for one another so long: each needs a while of the same processors to be ready. On a machine that others keep
 * busy k6 takes 4 s to start; who is late then makes the run inconclusive.
 */
const START_LEAD_MS = { first: 4000, each: 500 } as const
/** Finished, and finished with thresholds crossed: the evidence is whole, and it is what counts. */
const EXIT_CODES_FINISHED: ReadonlySet<number> = new Set([0, 99])

/**
 * Bundles and runs one scenario, in several processes if asked to. Stops k6 when the signal aborts or it takes too long, and still
 * collects what there is. Throws E_K6_FAILED where k6 ended otherwise, or left evidence that cannot be trusted.
 */
export async function runK6(options: RunK6Options): Promise<K6Outcome> {
  const { clock, plan, runDir } = options
  const run = randomUUID().slice(0, 8)
  const jobs = await prepareJobs(options, run)
  const startMs = clock.nowMs()
  const offsetMs = clock.wallMs() - startMs
  const all = await superviseAll(options, jobs)
  const overcharge = all.map(overchargeOf).find((each) => each !== undefined)
  const stopped =
    overcharge === undefined
      ? all.find((each) => each.stopped !== undefined)?.stopped
      : 'overcharged'
  const failed = all.find(({ exitCode }) => !EXIT_CODES_FINISHED.has(exitCode))
  if (stopped === undefined && failed) throw k6Error(options, failed)
  const evidencePath = join(runDir, `${plan.scenario}.evidence.txt`)
  const collected = await collectEvidence(
    jobs.map(({ evidence }) => evidence),
    { run, form: options.live.form, into: evidencePath, interrupted: stopped !== undefined },
  )
  const crossed = stopped ? [] : await Promise.all(jobs.map(readCrossedThresholds))
  return {
    evidencePath,
    exitCode: Math.max(...all.map(({ exitCode }) => exitCode)),
    thresholdsCrossed: crossed.flat(),
    ...(stopped && { stopped }),
    ...(overcharge && { overcharge }),
    clockStepMs: Math.abs(clock.wallMs() - clock.nowMs() - offsetMs),
    durationSeconds: (clock.nowMs() - startMs) / 1000,
    ...(jobs.length > 1 && { instances: withShares(plan, collected.instances) }),
    lostOutputs: [...new Set(all.flatMap((each) => each.lostOutputs))],
    ...(collected.doubt !== undefined && !stopped && { doubt: collected.doubt }),
  }
}

/** Writes what all processes of the run share, and says what each is to do. */
async function prepareJobs(options: RunK6Options, run: string): Promise<K6Job[]> {
  const { plan, runDir, k6, clock, outputs = [], marks = NO_MARKS } = options
  await mkdir(runDir, { recursive: true })
  const named = (suffix: string): string => join(runDir, `${plan.scenario}.${suffix}`)
  const instances = instancesFor(plan, options.instances ?? 1)
  const leadMs = instances === 1 ? 0 : START_LEAD_MS.first + START_LEAD_MS.each * instances
  const shared = {
    k6,
    bundle: await bundleScenario(plan.scenario, runDir),
    plan: named('plan.json'),
    config: named('k6-config.json'),
    env: {
      ...outputEnvironment(outputs, process.env),
      ...(await trustEnvironment(runDir, process.env)),
      ...certificateEnvironment(options.reached),
      ...plan.runtime,
      ...plan.secrets,
      ...(options.isPriceBound && { [PLAN_ENV.priceBound]: '1' }),
      ...(outputs.length > 0 && { [PLAN_ENV.outputs]: '1' }),
      ...(Object.keys(marks.headers).length > 0 && {
        [PLAN_ENV.headers]: JSON.stringify(marks.headers),
      }),
      ...(instances > 1 && {
        [INSTANCE_ENV.instances]: String(instances),
        [INSTANCE_ENV.startAt]: String(Math.ceil(clock.wallMs() + leadMs)),
      }),
    },
    secrets: [
      ...Object.values(plan.secrets),
      ...secretsOfMarks(marks),
      ...outputSecrets(outputs, process.env),
      ...proxySecrets(options.reached.baseUrl, process.env),
    ],
    onStarted: options.onStarted,
    wallSecondsMax: plan.wallSecondsMax + OVERHEAD_SECONDS + leadMs / 1000,
  }
  const jobs = Array.from({ length: instances }, (_, index): K6Job => {
    return {
      ...shared,
      evidence: named(`${index}.evidence.txt`),
      summary: named(`${index}.thresholds.json`),
      log: named(instances === 1 ? 'k6.log' : `${index}.k6.log`),
      extraArguments: [
        ...segmentArguments(index, instances),
        ...familyArguments(options.reached),
        ...outputArguments(outputs),
        ...marks.tags.map((tag) => `--tag=${tag}`),
      ],
    }
  })
  // k6 appends to its console output, and a summary of an earlier run must not pass for this one's.
  const stale = jobs.flatMap(({ evidence, summary }) => [evidence, summary])
  await Promise.all(stale.map((path) => rm(path, { force: true })))
  await writeFile(shared.plan, planText(plan, run, options.runId))
  await writeFile(shared.config, '{}')
  return jobs
}

/** The plan as k6 reads it. */
export function planText({ file }: Pick<K6Plan, 'file'>, run: string, runId?: string): string {
  return JSON.stringify({ run, runId, ...file }, undefined, 2)
}

/** Runs all processes side by side; when one cannot go on, the others are stopped as well. */
async function superviseAll(options: RunK6Options, jobs: readonly K6Job[]): Promise<Ended[]> {
  const failure = new AbortController()
  const signal = AbortSignal.any([failure.signal, ...(options.signal ? [options.signal] : [])])
  const stopProgress = showProgress(options, jobs)
  try {
    const all = await Promise.all(
      jobs.map(async (job) => {
        const ended = await superviseK6(job, signal)
        if (ended.stopped === undefined && !EXIT_CODES_FINISHED.has(ended.exitCode)) failure.abort()
        return ended
      }),
    )
    // Those that were stopped for the sake of another one are no interruption: the failure is to be told.
    const failed = all.filter(({ stopped }) => stopped === undefined)
    return failure.signal.aborted && !options.signal?.aborted ? failed : all
  } finally {
    stopProgress()
  }
}

/** Tells what the evidence says so far, until it is stopped. */
function showProgress(options: RunK6Options, jobs: readonly K6Job[]): () => void {
  const { clock, live } = options
  const paths = jobs.map(({ evidence }) => evidence)
  const evidence = new LiveEvidence(paths, live, () => clock.nowMs())
  let isReading = false
  const tell = (text: string): void => {
    options.onProgress(text)
    options.onExchanges?.(evidence.requests)
  }
  const timer = setInterval(() => {
    if (isReading) return
    isReading = true
    void evidence
      .poll()
      .then(
        (text) => tell(text),
        // The importer says what is wrong with the evidence.
        (error: unknown) => options.onProgress(`no progress to show: ${String(error)}`),
      )
      .finally(() => (isReading = false))
  }, PROGRESS_MS)
  return () => clearInterval(timer)
}

async function readCrossedThresholds({ summary }: K6Job): Promise<string[]> {
  type Summary = { thresholds: { metric: string; expression: string; ok: boolean }[] }
  try {
    const { thresholds } = JSON.parse(await readFile(summary, 'utf8')) as Summary
    return thresholds.filter(({ ok }) => !ok).map((each) => `${each.metric}: ${each.expression}`)
  } catch (error) {
    throw new HarnessError(
      'E_K6_FAILED',
      `k6 ended without its thresholds: ${(error as Error).message}.`,
      LOOK_AT_K6,
      { cause: error },
    )
  }
}

/** What k6 says of an order that cost more than it may. */
function overchargeOf({ errorText }: Ended): LoadOvercharge | undefined {
  const [, charged, planned] =
    new RegExp(`${OVERCHARGED}: ([\\d.]+) instead of ([\\d.]+)`).exec(errorText) ?? []
  return charged === undefined ? undefined : { charged: Number(charged), planned: Number(planned) }
}

function k6Error({ plan }: RunK6Options, { exitCode, errorText }: Ended): HarnessError {
  return new HarnessError(
    'E_K6_FAILED',
    `k6 ended scenario ${plan.scenario} with exit code ${exitCode}, expected 0 or 99. Its last words: ${errorText || 'none'}`,
    LOOK_AT_K6,
  )
}
