import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { joinRepeats } from './repeats.ts'
import { liveViewOf } from './live-views.ts'
import type { OrderMade } from '../purchases/purchase.ts'
import { judgeAttempt, type PricedScenario } from './attempts.ts'
import type { PlannedAttempt } from './planned-attempt.ts'
import { secondsOf } from './open-model/plan.ts'
import { lostOutputText } from './k6/k6-outputs.ts'
import type { LoadOvercharge } from '../../load/protocol/plan.ts'
import { runK6, type RunK6Options } from './k6/run.ts'
import { ProcessWatch } from './evidence/watched-process.ts'
import { underWayMax } from './load-orders.ts'
import type { Micros } from '../money.ts'

export type { LoadStream } from './rate-limits/plan.ts'

export type RunLoadOptions = Omit<RunK6Options, 'plan' | 'live' | 'onExchanges' | 'onStarted'> & {
  /** A process on this machine whose use of it is recorded. */
  readonly watchPid?: number
  /** An inconclusive scenario is repeated once, unless the permission does not cover that. */
  readonly attemptsMax?: 1 | 2
  /** How often each scenario is carried out, whatever comes of it. */
  readonly repeats?: number
  /** Hears of the orders that a scenario made. */
  onOrders?(scenario: string, orders: Iterable<OrderMade>): void
  /**
   * Hears of an order that cost more than was planned: no other scenario begins. `underWay`: the most that purchases which were on
   * their way then may add, at their planned prices.
   */
  onOvercharge?(scenario: string, overcharge: LoadOvercharge, underWay: Micros): void
  /** Hears of what went wrong beside the verdict, in a sentence. */
  onHazard?(text: string): void
  /** Whether the target still answers. Asked after a scenario whose every request failed: without it no other scenario begins. */
  isThere?(): Promise<boolean>
}

/**
 * Runs load scenarios one after the other, each in a k6 process of its own, and judges what they recorded. An inconclusive one is
 * repeated. An aborted run gives a result of what was measured until then, never a pass. Throws E_K6_FAILED where k6 left no
 * evidence to trust.
 */
export async function runLoad(
  scenarios: readonly PricedScenario[],
  options: RunLoadOptions,
): Promise<LoadResult[]> {
  const results: LoadResult[] = []
  const stop = new AbortController()
  const { signal = stop.signal } = options
  const watched: RunLoadOptions = {
    ...options,
    onOvercharge: (...told) => {
      stop.abort()
      options.onOvercharge?.(...told)
    },
    signal: AbortSignal.any([signal, stop.signal]),
  }
  for (const scenario of scenarios) {
    if (watched.signal?.aborted) break
    const startedMs = options.clock.nowMs()
    const result = await repeatScenario(scenario, watched)
    results.push({ ...result, durationSeconds: (options.clock.nowMs() - startedMs) / 1000 })
    if (isAllFailed(result) && (await options.isThere?.()) === false) break
  }
  return results
}

function isAllFailed({ requests: { sent, admitted, refused } }: LoadResult): boolean {
  return sent > 0 && admitted === 0 && refused === 0
}

async function repeatScenario(
  scenario: PricedScenario,
  options: RunLoadOptions,
): Promise<LoadResult> {
  const { repeats = 1 } = options
  const results = [await runScenario(scenario, options)]
  while (results.length < repeats && !options.signal?.aborted) {
    options.onProgress(`${scenario.name}: repeat ${results.length + 1} of ${repeats}`)
    results.push(await runScenario(scenario, options))
  }
  return joinRepeats(results)
}

async function runScenario(scenario: PricedScenario, options: RunLoadOptions): Promise<LoadResult> {
  const { name, budget } = scenario
  // Requests that a busy machine delays blur what happened when.
  const { attemptsMax = 2 } = options
  for (let number = 1; ; number++) {
    const attempt = await scenario.attempt()
    const { plan } = attempt
    options.onProgress(
      `${name}: at least ${plan.requestsMin} requests, at most ${budget.ordersMax} orders and ${plan.wallSecondsMax} s${rateText(attempt)}`,
    )
    using watch = options.watchPid === undefined ? undefined : new ProcessWatch(options.watchPid)
    const ended = await runK6({ ...options, plan, live: liveViewOf(attempt) })
    if (watch?.hasEnded)
      options.onHazard?.(`The watched process ${options.watchPid} ended during ${name}.`)
    const outcome = watch ? { ...ended, watched: watch.samples } : ended
    for (const output of outcome.lostOutputs ?? []) options.onHazard?.(lostOutputText(name, output))
    const result = await judgeAttempt(attempt, outcome, {
      k6Version: options.k6.version,
      onOrders: (orders) => options.onOrders?.(name, orders),
    })
    if (outcome.overcharge && attempt.kind !== 'windows')
      options.onOvercharge?.(name, outcome.overcharge, underWayMax(attempt.plan))
    result.measurements['attempts'] = number
    const repeatable = result.verdict === 'inconclusive' && result.requests.failed === 0
    if (!repeatable || outcome.stopped || number === attemptsMax) return result
    options.onProgress(`${name}: repeated, since it was inconclusive: ${result.reason}`)
  }
}

/** What is offered, before anything is. */
function rateText(attempt: PlannedAttempt): string {
  if (attempt.kind !== 'open-model') return ''
  const { file, requestsEach = 1 } = attempt.plan
  const { sessions, stages } = file
  const seconds = secondsOf(stages)
  return `; ${sessions} sessions of about ${requestsEach.toFixed(1)} requests in ${seconds.toFixed(0)} s, about ${((sessions * requestsEach) / seconds).toFixed(1)} requests per second`
}
