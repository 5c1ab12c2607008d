import exec from 'k6/execution'
import http from 'k6/http'
import { Counter } from 'k6/metrics'
import type { Options } from 'k6/options'
import { signedBy } from '../../contract/wire.ts'
import { signatureOf } from '../protocol/instances.ts'
import { METRIC } from '../protocol/plan.ts'
import { BURSTS_VERSION } from '../protocol/bursts.ts'
import type { PlannedLane, BurstFile } from '../protocol/bursts.ts'
import { floorsOf } from './instance.ts'
import { runLane } from './script.ts'
import { LaneRequests } from './script-requests.ts'
import { networkOptions } from './network.ts'
import { readKeys, readPlanFile } from './plan.ts'

/** What a virtual user of a scenario of bursts does: carries out the script that has its number. In k6's init context. */
export function scriptRunner(plan: BurstFile): () => Promise<void> {
  const keys = plan.lanes.map(({ keyEnvs }) => readKeys(keyEnvs))
  const exchanges = new Counter(METRIC.exchanges)
  const lanesFinished = new Counter(METRIC.streamsFinished)
  // Refusals are expected answers here: k6 is not to count them as failures.
  http.setResponseCallback(http.expectedStatuses({ min: 200, max: 599 }))
  return async () => {
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
  }
}

/** Floors, connections and names: what all scenarios of bursts have in common. */
export function burstOptions(plan: BurstFile): Options {
  const requestsMin = plan.lanes.reduce((sum, lane) => sum + lane.requestsMin, 0)
  return {
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

export function readBursts(scenario: string): BurstFile {
  const plan = readPlanFile<BurstFile>(scenario, BURSTS_VERSION)
  if (plan.lanes.length === 0 || !(plan.widest >= 1))
    throw new Error(`The plan of ${scenario} has no lane, or no width.`)
  return plan
}
