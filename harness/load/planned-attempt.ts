import type { BurstContext, BurstPlan } from './bursts/burst-plan.ts'
import type { OpenModelContext } from './open-model/context.ts'
import type { OpenModelPlan } from './open-model/plan.ts'
import type { LoadPlan } from './rate-limits/plan.ts'

/** One run, planned with keys of its own, and what its judge needs: plain data, so that it can be kept in a file. */
export type PlannedAttempt =
  | { readonly kind: 'windows'; readonly plan: LoadPlan }
  | { readonly kind: 'bursts'; readonly plan: BurstPlan; readonly context: BurstContext }
  | {
      readonly kind: 'open-model'
      readonly plan: OpenModelPlan
      readonly context: OpenModelContext
    }
