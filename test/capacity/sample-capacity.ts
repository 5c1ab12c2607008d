/** Searches for capacity against simulated services, as records for the tests of the renderers. */
import { conductSearch } from '../../harness/capacity/conduct.ts'
import { parseGoals } from '../../harness/load/shared/goals.ts'
import { outcomeOfCapacity } from '../../harness/capacity/outcome.ts'
import { planCapacity, type CapacityRequest } from '../../harness/capacity/plan.ts'
import { capacityOf } from '../../harness/capacity/result.ts'
import { generatorBounds } from '../../harness/capacity/verdict.ts'
import type { Capacity, CapacityStep, RunRecord } from '../../schemas/generated/run-record.ts'
import { passingRecord } from '../report/sample-record.ts'
import { simulatedRunner, type SimulatedWorkers } from './simulated-step.ts'

export const REQUESTED: CapacityRequest = {
  scenario: 'browse',
  goals: parseGoals(['p99=200ms']),
  startPerSecond: 25,
  maxPerSecond: 2000,
  precision: 0.2,
  stepSeconds: 3,
  confirmSeconds: 10,
  stepsMax: 30,
  secondsMax: 180,
}

export async function simulatedCapacity(
  service: SimulatedWorkers,
  requested: Partial<CapacityRequest> = {},
): Promise<Capacity> {
  const plan = planCapacity(
    { ...REQUESTED, ...requested },
    {
      requestsPerSession: 1,
      waitSeconds: 0,
      spends: [{ quota: 'GET /services', requests: 1, count: 1000, windowSeconds: 60 }],
    },
  )
  const steps: CapacityStep[] = []
  const bounds = generatorBounds(plan.goals)
  const end = await conductSearch(plan, bounds, simulatedRunner(service), steps)
  return capacityOf({ plan, steps, end, accounts: 12 })
}

/** The record of such a search. */
export function recordOf(capacity: Capacity): RunRecord {
  return {
    ...passingRecord(),
    command: 'capacity',
    ...outcomeOfCapacity(capacity),
    hazards: [],
    undecided: [],
    requirements: [],
    checks: [],
    exchanges: [],
    observations: [],
    windows: [],
    load: [],
    capacity,
  }
}
