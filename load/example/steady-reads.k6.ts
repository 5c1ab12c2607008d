/** Each stream of the plan is one client: it reads every 100 ms, twenty times, with its keys in turns. */
import { check, sleep } from 'k6'
import exec from 'k6/execution'
import http from 'k6/http'
import type { Options } from 'k6/options'
import { evidenceOf } from '../workload/evidence.ts'
import { readKeys, readPlan } from '../workload/plan.ts'

const { streams } = readPlan('steady-reads')
const keys = streams.map(({ keyEnvs }) => readKeys(keyEnvs))

export const options: Options = {
  scenarios: {
    reads: { executor: 'per-vu-iterations', vus: streams.length, iterations: 1 },
  },
  thresholds: { checks: ['rate==1'] },
}

export default function read(): void {
  const index = exec.scenario.iterationInTest
  const evidence = evidenceOf(index)
  const [stream, own = []] = [streams[index], keys[index]]
  for (let sent = 0; sent < 20; sent++) {
    const key = sent % own.length
    const headers = { ...stream?.headers, 'X-API-Key': own[key] ?? '' }
    const response = evidence.exchange(key, () => http.get(stream?.url ?? '', { headers }))
    check(response, { 'is answered': ({ status }) => status === 200 || status === 429 })
    sleep(0.1)
  }
  evidence.end()
}
