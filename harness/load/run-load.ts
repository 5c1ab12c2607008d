import type { LoadResult } from '../../schemas/generated/run-record.ts'
import type { Clock } from '../clock.ts'
import { HarnessError } from '../errors.ts'
import type { Target } from '../target/target.ts'
import { judgeLoad } from './judge.ts'
import type { K6Binary } from './k6-version.ts'
import { planLoad } from './plan.ts'
import type { LoadStream } from './plan.ts'
import { runK6 } from './run.ts'
import { selectScenarios } from './scenarios.ts'

export type { LoadStream } from './plan.ts'

export type RunLoadOptions = {
  readonly target: Pick<Target, 'baseUrl' | 'timing'>
  readonly streams: readonly LoadStream[]
  readonly k6: K6Binary
  /** Bundles, plans, evidence and k6's own output are written here. No key is. */
  readonly runDir: string
  readonly clock: Clock
  readonly signal?: AbortSignal
  onProgress(text: string): void
  /** All of them by default. */
  readonly scenarios?: readonly string[]
}

/**
 * Runs load scenarios one after the other, each in a k6 process of its own, and judges what they recorded. An inconclusive
 * one is repeated once. An aborted run gives a
 * result of what was measured until then, never a pass. Throws E_USAGE for an unknown scenario and E_K6_FAILED where k6 left no
 * evidence to trust.
 */
export async function runLoad(options: RunLoadOptions): Promise<LoadResult[]> {
  requireKeys(options.streams)
  const results: LoadResult[] = []
  for (const { name } of selectScenarios(options.scenarios)) {
    if (options.signal?.aborted) break
    results.push(await runScenario(name, options))
  }
  return results
}

/** Requests that a busy machine delays blur the edges; a scenario that could not decide is repeated this often in all. */
const ATTEMPTS_MAX = 2

async function runScenario(name: string, options: RunLoadOptions): Promise<LoadResult> {
  const plan = planLoad(name, options.target, options.streams)
  for (let attempt = 1; ; attempt++) {
    options.onProgress(
      `${name}: ${plan.streams.length} quotas, at least ${plan.requestsMin} requests, at most ${plan.wallSecondsMax} s`,
    )
    const run = await runK6({ ...options, plan })
    const result = judgeLoad(plan, run, options.k6.version)
    result.measurements['attempts'] = attempt
    const repeatable = result.verdict === 'inconclusive' && result.requests.failed === 0
    if (!repeatable || run.stopped || attempt === ATTEMPTS_MAX) return result
    options.onProgress(`${name}: repeated, since it was inconclusive: ${result.reason}`)
  }
}

function requireKeys(streams: readonly LoadStream[]): void {
  const keyless = streams.find(({ keys }) => keys.length === 0)
  if (streams.length > 0 && keyless === undefined) return
  throw new HarnessError(
    'E_HARNESS',
    keyless ? `The load stream ${keyless.name} has no key.` : 'There is no load stream to send.',
    'Leave out streams that no credential can send, and the load phase where none is left.',
  )
}
