import type { SystematicCause } from '../harness/judge/causes.ts'
import type { Outage } from '../harness/judge/outages.ts'
import type { CheckOutcome } from '../harness/judge/check-outcome.ts'
import type { CheckProgress, ConformanceResult, SuiteSetting } from '../harness/gate/conformance.ts'

/** What the main thread gives the worker that carries the checks out. Plain data. */
export type SuiteTask = SuiteSetting & {
  /** Name of the broadcast channel between the threads of this run. */
  readonly channel: string
}

/** What no output may hold, and what stands in its place. */
export type Secret = { readonly value: string; readonly label: string }

/** Worker to main: it listens, progress, secrets that it came to know, what was spent, what blocked many checks. Main to worker: stop. */
export type SuiteMessage =
  | { readonly kind: 'listening' }
  | { readonly kind: 'secrets'; readonly secrets: readonly Secret[] }
  | { readonly kind: 'progress'; readonly progress: CheckProgress }
  | { readonly kind: 'hazard'; readonly text: string }
  | { readonly kind: 'stopped'; readonly reason: string }
  | { readonly kind: 'lost' }
  | ({ readonly kind: 'spent' } & Pick<ConformanceResult, 'spent' | 'purchased'>)
  | { readonly kind: 'causes'; readonly causes: readonly SystematicCause[] }
  | { readonly kind: 'outages'; readonly outages: readonly Outage[] }
  | { readonly kind: 'traffic'; readonly traffic: NonNullable<ConformanceResult['traffic']> }
  | { readonly kind: 'stop'; readonly reason: string }

declare module 'vitest' {
  interface ProvidedContext {
    suitePlan: SuiteTask
  }
  interface TaskMeta {
    outcome?: CheckOutcome
  }
}
