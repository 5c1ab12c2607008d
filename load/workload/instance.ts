import exec from 'k6/execution'
import { sleep } from 'k6'
import type { Options } from 'k6/options'
import { INSTANCE_ENV, INSTANCE_VERSION } from '../protocol/instances.ts'
import type { PlannedRun } from '../protocol/instances.ts'
import { nextMillisecond, testMs } from './requests.ts'

/** k6 gives setup a minute. */
const WAIT_SECONDS_MAX = 50

/** The setup function of a scenario: it names the run and its instance in the evidence, and waits for the common start. */
export function beginInstance(plan: object): () => void {
  const { run } = plan as Partial<PlannedRun>
  if (!run) throw new Error('The plan names no run, so nobody could tell whose evidence this is.')
  return () => {
    waitForStart()
    const unixMs = nextMillisecond()
    const testUs = Math.floor(testMs() * 1000)
    const segment = exec.test.options.executionSegment ?? '-'
    console.log(`i ${INSTANCE_VERSION} ${run} ${segment} ${unixMs * 1000} ${testUs}`)
  }
}

function waitForStart(): void {
  const startAt = __ENV[INSTANCE_ENV.startAt]
  if (!startAt) return
  const waitSeconds = (Number(startAt) - Date.now()) / 1000
  if (!(waitSeconds <= WAIT_SECONDS_MAX))
    throw new Error(
      `${INSTANCE_ENV.startAt} must be unix milliseconds at most ${WAIT_SECONDS_MAX} s ahead, but is ${startAt}.`,
    )
  if (waitSeconds > 0) sleep(waitSeconds)
}

type Thresholds = NonNullable<Options['thresholds']>

/**
 * Thresholds over a whole plan: only the process that has all of it can reach its floors, so that each of several keeps the ceilings
 * alone. The judge asks for the floors again.
 */
export function floorsOf(thresholds: Thresholds): Thresholds {
  if (!(Number(__ENV[INSTANCE_ENV.instances] ?? 1) > 1)) return thresholds
  const ceilings = Object.entries(thresholds).map(
    ([metric, all]) => [metric, all.filter(isCeiling)] as const,
  )
  return Object.fromEntries(ceilings.filter(([, all]) => all.length > 0))
}

function isCeiling(threshold: Thresholds[string][number]): boolean {
  const expression = typeof threshold === 'string' ? threshold : threshold.threshold
  return expression.startsWith('count<')
}
