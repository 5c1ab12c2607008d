/** Clients buy, poll their orders until they are final, and replay some purchases. */
import type { Options } from 'k6/options'
import { beginInstance } from '../workload/instance.ts'
import { openModelOptions, readOpenModel, sessionRunner } from '../workload/open-model.ts'
import { writeSummary } from '../workload/summary.ts'

const plan = readOpenModel('polling')

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
