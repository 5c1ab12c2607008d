/** The checks as the gate selects them and a plan reckons with them. */
import type { SelectableCheck } from '../harness/gate/conformance.ts'
import type { CostTable } from '../harness/plan/costs.ts'
import type { CheckFacts } from '../harness/plan/check-plan.ts'
import type { CheckDefinition } from './engine/check.ts'
import costTable from './costs.json' with { type: 'json' }
import { lackOf } from './engine/needs.ts'
import { ALL_CHECKS, ALL_INVARIANTS } from './registry.ts'

/** Types of JSON know no pairs and no names. */
const COSTS = costTable as unknown as CostTable

/** The budgets at which the costs of the checks were measured. */
export const COST_BUDGETS: CostTable['budgets'] = COSTS.budgets

export const SELECTABLE_CHECKS: readonly SelectableCheck[] = [
  ...ALL_CHECKS.map((definition) => {
    const { id, formerIds = [], title, requirements, needs } = definition
    return {
      id,
      formerIds,
      title,
      requirements,
      purchases: needs.purchases ?? 0,
      buckets: (needs.windows ?? [])
        .filter(({ units }) => typeof units !== 'number')
        .map(({ bucket }) => bucket),
      capabilities: needs.capabilities ?? [],
      isInvariant: false,
      facts: factsOf(definition),
    }
  }),
  ...ALL_INVARIANTS.map(({ id, title, requirements }) => ({
    id,
    title,
    requirements,
    purchases: 0,
    buckets: [],
    capabilities: [],
    isInvariant: true,
  })),
]

function factsOf(definition: CheckDefinition): CheckFacts {
  const { roles, windows, waits, tries, drainsCap, isAlone, purchases } = definition.needs
  return {
    lackOf: (offer) => lackOf(definition, offer),
    roles: roles ?? [],
    windows: windows ?? [],
    waits: waits ?? [],
    tries: tries ?? 1,
    isLast: drainsCap !== undefined || isAlone === true,
    purchases: purchases ?? 0,
    costs: COSTS.checks[definition.id] ?? {},
  }
}
