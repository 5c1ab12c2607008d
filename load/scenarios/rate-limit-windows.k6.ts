/** Takes every planned quota through its windows: below, at and above the budget, at the end of a window and right after it. */
import exec from 'k6/execution'
import http from 'k6/http'
import { Counter } from 'k6/metrics'
import type { Options } from 'k6/options'
import { signedBy } from '../../contract/wire.ts'
import { signatureOf } from '../protocol/instances.ts'
import { METRIC, PARALLEL_MAX } from '../protocol/plan.ts'
import type { PlannedStream } from '../protocol/plan.ts'
import { beginInstance, floorsOf } from '../workload/instance.ts'
import { networkOptions } from '../workload/network.ts'
import { drillWindow } from '../workload/window-drill.ts'
import { readKeys, readPlan } from '../workload/plan.ts'
import { StreamRequests } from '../workload/requests.ts'
import { writeSummary } from '../workload/summary.ts'

const plan = readPlan('rate-limit-windows')
const keys = plan.streams.map((stream) => readKeys(stream.keyEnvs))
const exchanges = new Counter(METRIC.exchanges)
const streamsFinished = new Counter(METRIC.streamsFinished)
// A 429 is an expected answer here: k6 is not to count it as a failure.
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 599 }))

const requestsMin = plan.streams.reduce((sum, stream) => sum + stream.requestsMin, 0)

export const options: Options = {
  scenarios: {
    rateLimitWindows: {
      executor: 'per-vu-iterations',
      exec: 'rateLimitWindows',
      vus: plan.streams.length,
      iterations: 1,
      maxDuration: `${plan.maxSeconds}s`,
      gracefulStop: '0s',
    },
  },
  // Floors: a run that sent too little has proved nothing, whatever else holds.
  thresholds: floorsOf({
    [METRIC.exchanges]: [`count>=${requestsMin}`],
    [METRIC.streamsFinished]: [`count==${plan.streams.length}`],
    ...Object.fromEntries(
      plan.streams.map((stream, index) => [
        `${METRIC.exchanges}{stream:${index}}`,
        [`count>=${stream.requestsMin}`],
      ]),
    ),
  }),
  batch: PARALLEL_MAX,
  batchPerHost: PARALLEL_MAX,
  // Fewer tags, fewer series: the evidence says more than k6's own metrics.
  systemTags: ['scenario', 'name'],
  userAgent: signedBy(signatureOf(plan)),
  ...networkOptions(),
}

export async function rateLimitWindows(): Promise<void> {
  const index = exec.scenario.iterationInTest
  const stream = plan.streams[index] as PlannedStream
  const requests = new StreamRequests(index, stream, keys[index] ?? [], {
    timeoutSeconds: plan.requestTimeoutSeconds,
    signature: signatureOf(plan),
    counted: (phase, count) => exchanges.add(count, { stream: String(index), phase }),
  })
  const end = await drillWindow(stream, requests)
  requests.end(end)
  if (end !== 'lost') streamsFinished.add(1)
}

export const setup = beginInstance(plan)
export const handleSummary = writeSummary
