import exec from 'k6/execution'
import http from 'k6/http'
import { Counter } from 'k6/metrics'
import type { Options } from 'k6/options'
import { signedBy } from '../../contract/wire.ts'
import { signatureOf } from '../protocol/instances.ts'
import { METRIC } from '../protocol/plan.ts'
import { BURSTS_VERSION } from '../protocol/bursts.ts'
import type { PlannedScript, BurstFile } from '../protocol/bursts.ts'
import { floorsOf } from './instance.ts'
import { runScript } from './script.ts'
import { ScriptRequests } from './script-requests.ts'
import { networkOptions } from './network.ts'
import { readKeys, readPlanFile } from './plan.ts'

/** What a virtual user of a scenario of bursts does: carries out the script that has its number. In k6's init context. */
export function scriptRunner(plan: BurstFile): () => Promise<void> {
  const keys = plan.scripts.map(({ keyEnvs }) => readKeys(keyEnvs))
  const exchanges = new Counter(METRIC.exchanges)
  const scriptsFinished = new Counter(METRIC.streamsFinished)
  // Refusals are expected answers here: k6 is not to count them as failures.
  http.setResponseCallback(http.expectedStatuses({ min: 200, max: 599 }))
  return async () => {
    const index = exec.scenario.iterationInTest
    const requests = new ScriptRequests({
      script: index,
      plan,
      keys: keys[index] ?? [],
      counted: (phase, count) => exchanges.add(count, { stream: String(index), phase }),
    })
    const end = await runScript(plan.scripts[index] as PlannedScript, requests)
    requests.end(end)
    if (end === 'done') scriptsFinished.add(1)
  }
}

/** Floors, connections and names: what all scenarios of bursts have in common. */
export function burstOptions(plan: BurstFile): Options {
  const requestsMin = plan.scripts.reduce((sum, script) => sum + script.requestsMin, 0)
  return {
    // Floors: a run that sent too little has proved nothing, whatever else holds.
    thresholds: floorsOf({
      [METRIC.exchanges]: [`count>=${requestsMin}`],
      [METRIC.streamsFinished]: [`count==${plan.scripts.length}`],
    }),
    // The pool of idle connections has this size too: what is warmed stays warm.
    batch: plan.widest,
    batchPerHost: plan.widest,
    systemTags: ['scenario', 'name'],
    userAgent: signedBy(signatureOf(plan)),
    ...networkOptions(),
  }
}

export function readBursts(): BurstFile {
  const plan = readPlanFile<BurstFile>(BURSTS_VERSION)
  if (plan.scripts.length === 0 || !(plan.widest >= 1))
    throw new Error(`The plan of ${plan.scenario} has no script, or no width.`)
  return plan
}
