/** What the merge request of GitLab shows of load: the summary that k6 exports, as far as a run measured it. */
import type { LoadResult, RunRecord } from '../../schemas/generated/run-record.ts'

type Metrics = Record<string, Record<string, number>>

/** From sent to received, as k6 counts `http_req_duration`. The time to the first byte is not measured, so no metric claims it. */
function latencyOf({ latency }: LoadResult): Metrics {
  if (latency === undefined || latency.admittedService.count === 0) return {}
  const { msP50, msP95, msP99, msMax } = latency.admittedService
  return {
    http_req_duration: { med: msP50, 'p(95)': msP95, 'p(99)': msP99, max: msMax },
  }
}

function metricsOf(result: LoadResult): Metrics {
  const { requests, durationSeconds, findings } = result
  const passes = findings.filter(({ verdict }) => verdict === 'pass').length
  const fails = findings.filter(({ verdict }) => verdict === 'fail').length
  return {
    ...latencyOf(result),
    http_reqs: {
      count: requests.sent,
      rate: requests.sent / Math.max(durationSeconds ?? 1, 0.001),
    },
    checks: { passes, fails },
  }
}

/** One group of metrics for each scenario, by its name. Undefined for a run without load. */
export function renderLoadPerformance({ load }: RunRecord): string | undefined {
  const sent = load.filter(({ requests }) => requests.sent > 0)
  if (sent.length === 0) return undefined
  const metrics = sent.flatMap((result) =>
    Object.entries(metricsOf(result)).map(
      ([name, values]) => [sent.length > 1 ? `${result.scenario}_${name}` : name, values] as const,
    ),
  )
  return `${JSON.stringify({ metrics: Object.fromEntries(metrics) }, undefined, 2)}\n`
}
