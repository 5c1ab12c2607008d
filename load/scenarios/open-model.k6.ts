/** Clients arrive whether or not earlier ones are done: browse, polling, checkout, mixed, under-load. The plan's mix says what they do. */
import type { Options } from 'k6/options'
import { beginInstance } from '../workload/instance.ts'
import { openModelOptions, readOpenModel, sessionRunner } from '../workload/open-model.ts'
import { writeSummary } from '../workload/summary.ts'

const plan = readOpenModel()

export const options: Options = {
  ...openModelOptions(plan),
  scenarios: {
    // A virtual user takes the next session and sleeps until its planned moment, so no session is dropped.
    sessions: {
      executor: 'shared-iterations',
      exec: 'runSession',
      vus: plan.virtualUsers,
      iterations: plan.sessions,
      maxDuration: `${plan.maxSeconds}s`,
      gracefulStop: '0s',
    },
  },
}

export const setup = beginInstance(plan)
export const runSession = sessionRunner(plan)
export const handleSummary = writeSummary
