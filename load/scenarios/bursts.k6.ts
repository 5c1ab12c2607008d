/** A virtual user carries out a script of steps, and some steps release requests at once: spend-contention, replay-storm, unhide-budgets. */
import type { Options } from 'k6/options'
import { burstOptions, readBursts, scriptRunner } from '../workload/bursts.ts'
import { beginInstance } from '../workload/instance.ts'
import { writeSummary } from '../workload/summary.ts'

const plan = readBursts()

export const options: Options = {
  ...burstOptions(plan),
  scenarios: {
    // A script of steps for each virtual user, carried out once: the plan counts every request.
    scripts: {
      executor: 'per-vu-iterations',
      exec: 'runScript',
      vus: plan.scripts.length,
      iterations: 1,
      maxDuration: `${plan.maxSeconds}s`,
      gracefulStop: '0s',
    },
  },
}

export const setup = beginInstance(plan)
export const runScript = scriptRunner(plan)
export const handleSummary = writeSummary
