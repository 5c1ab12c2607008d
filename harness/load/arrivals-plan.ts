import type { ArrivalsFile, ArrivalStage, SessionKind } from '../../load/protocol/arrivals.ts'
import type { LoadBudget } from './budget.ts'
import type { K6Plan, LoadKey } from './plan.ts'

/** What an open-model run offers. */
export type ArrivalsSpec = {
  readonly scenario: string
  readonly workload: string
  readonly stages: readonly ArrivalStage[]
  readonly mix: readonly { readonly kind: SessionKind; readonly weight: number }[]
  /** Session n uses key n modulo their number. */
  readonly keys: readonly LoadKey[]
  /** Sessions that may be under way at once; planned from the rate where it is left out. */
  readonly virtualUsers?: number
  /** 0: the first refusal ends a session, as a capacity test wants it. */
  readonly retriesMax?: number
}

export type ArrivalsPlan = K6Plan & {
  readonly file: ArrivalsFile
  readonly keys: readonly LoadKey[]
  readonly budget: LoadBudget
}
