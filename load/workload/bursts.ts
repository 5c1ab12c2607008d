import exec from 'k6/execution'
import http from 'k6/http'
import { Counter } from 'k6/metrics'
import type { Options } from 'k6/options'
import { signedBy } from '../../contract/wire.ts'
import { signatureOf } from '../protocol/instances.ts'
import { METRIC } from '../protocol/plan.ts'
import { VOLLEYS_VERSION } from '../protocol/bursts.ts'
import type { PlannedLane, VolleyFile } from '../protocol/bursts.ts'
import { beginInstance, floorsOf } from './instance.ts'
import { runLane } from './script.ts'
import { LaneRequests } from './script-requests.ts'
import { networkOptions } from './network.ts'
import { readKeys, readPlanFile } from './plan.ts'

/** Prepares a scenario of volleys; in k6's init context. Every lane is a virtual user with one iteration. */
export function volleyScenario(scenario: string): {
  readonly options: Options
  readonly setup: () => void
  readonly runVolleys: () => Promise<void>
} {
  const plan = readVolleys(scenario)
  const keys = plan.lanes.map(({ keyEnvs }) => readKeys(keyEnvs))
  const exchanges = new Counter(METRIC.exchanges)
  const lanesFinished = new Counter(METRIC.streamsFinished)
  // Refusals are expected answers here: k6 is not to count them as failures.
  http.setResponseCallback(http.expectedStatuses({ min: 200, max: 599 }))
  return {
    options: optionsOf(plan),
    setup: beginInstance(plan),
    async runVolleys() {
      const index = exec.scenario.iterationInTest
      const requests = new LaneRequests({
        lane: index,
        plan,
        keys: keys[index] ?? [],
        counted: (phase, count) => exchanges.add(count, { stream: String(index), phase }),
      })
      const end = await runLane(plan.lanes[index] as PlannedLane, requests)
      requests.end(end)
      if (end === 'done') lanesFinished.add(1)
    },
  }
}

function optionsOf(plan: VolleyFile): Options {
  const requestsMin = plan.lanes.reduce((sum, lane) => sum + lane.requestsMin, 0)
  return {
    scenarios: {
      volleys: {
        executor: 'per-vu-iterations',
        exec: 'runVolleys',
        vus: plan.lanes.length,
        iterations: 1,
        maxDuration: `${plan.maxSeconds}s`,
        gracefulStop: '0s',
      },
    },
    // Floors: a run that sent too little has proved nothing, whatever else holds.
    thresholds: floorsOf({
      [METRIC.exchanges]: [`count>=${requestsMin}`],
      [METRIC.streamsFinished]: [`count==${plan.lanes.length}`],
    }),
    // The pool of idle connections has this size too: what is warmed stays warm.
    batch: plan.widest,
    batchPerHost: plan.widest,
    systemTags: ['scenario', 'name'],
    userAgent: signedBy(signatureOf(plan)),
    ...networkOptions(),
  }
}

function readVolleys(scenario: string): VolleyFile {
  const plan = readPlanFile<VolleyFile>(scenario, VOLLEYS_VERSION)
  if (plan.lanes.length === 0 || !(plan.widest >= 1))
    throw new Error(`The plan of ${scenario} has no lane, or no width.`)
  return plan
}
