import type { LoadOvercharge } from '../../../load/protocol/plan.ts'
import type { LoadResult } from '../../../schemas/generated/run-record.ts'

import type { ProcessSample } from './watched-process.ts'

export type Stopped = 'aborted' | 'timed out'

/** How k6 ended. */
export type K6Outcome = {
  /** The evidence of all instances, joined. */
  readonly evidencePath: string
  /** Undefined where somebody else started k6. */
  readonly exitCode?: number
  readonly thresholdsCrossed: readonly string[]
  /** Why k6 was stopped before its end. */
  readonly stopped?: Stopped | 'overcharged'
  /** The order that stopped it. */
  readonly overcharge?: LoadOvercharge
  /** By how much the wall clock, which k6 stamps with, was set during the run. */
  readonly clockStepMs: number
  readonly durationSeconds: number
  /** Several of them: the processes that shared the plan. */
  readonly instances?: NonNullable<LoadResult['instances']>
  /** Why this is not a whole run of the plan, in a sentence. */
  readonly doubt?: string
  /** Of the process that the caller has watched (--watch-pid). */
  readonly watched?: readonly ProcessSample[]
  /** Outputs of k6's own metrics that were not reached: nothing is judged by them. */
  readonly lostOutputs?: readonly string[]
}

/** What k6 left behind. */
export type K6Run<E> = Omit<K6Outcome, 'evidencePath'> & { readonly evidence: E }
