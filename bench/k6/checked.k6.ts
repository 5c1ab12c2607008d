/** What scripts of k6 usually do with each answer: parse it, check it, add to a metric of their own, with tags. */
import { check } from 'k6'
import http from 'k6/http'
import { Trend } from 'k6/metrics'
import type { Options } from 'k6/options'
import { readSetting } from './setting.ts'

const { url, key, requests, virtualUsers } = readSetting()
const tags = { name: 'read', phase: 'at' }
const params = { headers: { 'X-API-Key': key }, tags }
const latency = new Trend('bench_latency', true)

export const options: Options = {
  scenarios: {
    bench: { executor: 'shared-iterations', vus: virtualUsers, iterations: requests },
  },
  thresholds: { checks: ['rate==1'] },
}

export default function checked(): void {
  const response = http.get(url, params)
  const envelope = response.json() as { status?: unknown; statusCode?: unknown } | null
  check(response, {
    'is HTTP 200': ({ status }) => status === 200,
    'is a success': () => envelope?.status === 'SUCCESS',
  })
  latency.add(response.timings.duration, tags)
}
