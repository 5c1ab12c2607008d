/** The requests and the evidence of rate-limit-windows (load/workload), without its windows: as fast as answers come. */
import exec from 'k6/execution'
import http from 'k6/http'
import { Counter } from 'k6/metrics'
import type { Options } from 'k6/options'
import { METRIC, type PlannedStream } from '../../load/protocol/plan.ts'
import { readKeys, readPlan } from '../../load/workload/plan.ts'
import { StreamRequests } from '../../load/workload/requests.ts'
import { writeSummary } from '../../load/workload/summary.ts'

const plan = readPlan('rate-limit-windows')
const keys = plan.streams.map((stream) => readKeys(stream.keyEnvs))
const exchanges = new Counter(METRIC.exchanges)
const parallelMax = Math.max(...plan.streams.map(({ parallel }) => parallel))
const requestsMin = plan.streams.reduce((sum, stream) => sum + stream.requestsMin, 0)
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 599 }))

export const options: Options = {
  scenarios: {
    bench: { executor: 'per-vu-iterations', vus: plan.streams.length, iterations: 1 },
  },
  thresholds: { [METRIC.exchanges]: [`count>=${requestsMin}`] },
  batch: parallelMax,
  batchPerHost: parallelMax,
  systemTags: ['scenario', 'name'],
  userAgent: 'ordering-harness',
}

export default function evidence(): void {
  const index = exec.scenario.iterationInTest
  const stream = plan.streams[index] as PlannedStream
  const requests = new StreamRequests(index, stream, keys[index] ?? [], {
    timeoutSeconds: plan.requestTimeoutSeconds,
    counted: (phase, count) => exchanges.add(count, { stream: String(index), phase }),
  })
  for (let left = stream.requestsMin; left > 0; left -= stream.parallel)
    requests.send('at', Math.min(left, stream.parallel))
  requests.end('done')
}

export const handleSummary = writeSummary
