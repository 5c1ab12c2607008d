import type { Requirement } from '../../contract/requirements/types.ts'
import type { CostTable } from '../plan/costs.ts'
import type { ConformanceRunner, Selectable, SelectableCheck } from './conformance.ts'

/** What the command line composes a run of. */
export type GateParts = {
  readonly catalogue: readonly Requirement[]
  readonly checks: readonly SelectableCheck[]
  readonly scenarios: readonly Selectable[]
  /** The budgets at which the costs of the checks were measured. */
  readonly costBudgets: CostTable['budgets']
  readonly conformance: ConformanceRunner
  readonly harnessVersion: string
}
