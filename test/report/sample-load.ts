/** Windows and a load result for sample records. Nothing in them was measured. */
import type {
  Latencies,
  LoadResult,
  LoadSlice,
  RunRecord,
} from '../../schemas/generated/run-record.ts'
import { finding } from './sample-parts.ts'
import { simulateWindow } from './sample-window.ts'

export const LISTING_WINDOW = simulateWindow({
  partition: 'account acme',
  bucket: 'orders.list',
  count: 2,
  windowSeconds: 6,
  edgeSeconds: 2.4,
  phase: 'late burst, edge burst',
  bursts: [
    { atSeconds: 0, requests: 4, gapMs: 170 },
    { atSeconds: 2.3, requests: 3, gapMs: 220 },
    { atSeconds: 7.9, requests: 4, gapMs: 190 },
    { atSeconds: 8.6, requests: 3, gapMs: 250 },
  ],
})

export function filteredWindow(leak: number): RunRecord['windows'][number] {
  return simulateWindow({
    partition: 'account acme',
    bucket: 'orders.filtered',
    count: 60,
    windowSeconds: 6,
    edgeSeconds: 1.8,
    leak,
    phase: 'sync, late burst, edge burst',
    bursts: [
      { atSeconds: 0, requests: 61, gapMs: 14 },
      { atSeconds: 1.2, requests: 6, gapMs: 170 },
      { atSeconds: 6.6, requests: 70, gapMs: 16 },
      { atSeconds: 7.82, requests: 120, gapMs: 9 },
    ],
  })
}

/** Latencies around a median, in milliseconds. */
function latencies(count: number, ms: number): Latencies {
  if (count === 0) return { count, msP50: 0, msP95: 0, msP99: 0, msP999: 0, msMax: 0 }
  const [msP95, msP99, msP999, msMax] = [2.4 * ms, 4.1 * ms, 7.7 * ms, 8.2 * ms]
  return { count, msP50: ms, msP95, msP99, msP999, msMax }
}

/** The points of a window over time, as if they had been a schedule. */
function seriesOf({ points }: RunRecord['windows'][number], seconds: number): LoadSlice[] {
  const lastMs = Math.max(...points.map((point) => point[1]))
  return Array.from({ length: Math.ceil(lastMs / (1000 * seconds)) }, (_, index) => {
    const within = points.filter((point) => Math.floor(point[0] / (1000 * seconds)) === index)
    const count = (status: number): number => within.filter((point) => point[2] === status).length
    return {
      fromSeconds: index * seconds,
      seconds,
      offered: within.length,
      achieved: count(200),
      admitted: count(200),
      refused: count(429),
      errors: count(0),
      latency: latencies(count(200), 2 + (index % 5)),
    }
  })
}

export function loadResult(leak: number): LoadResult {
  const trace = simulateWindow(
    {
      partition: 'account globex',
      bucket: 'default GET /api/v1/services',
      count: 240,
      windowSeconds: 6,
      edgeSeconds: 4.1,
      leak,
      ...(leak > 0 ? { lostEvery: 211 } : {}),
      phase: 'twice the budget',
      bursts: [{ atSeconds: 0, requests: 1_400, gapMs: 12.5 }],
    },
    11,
  )
  const refused = trace.points.filter((point) => point[2] === 429).length
  const failed = trace.points.filter((point) => point[2] === 0).length
  const { violations } = trace.outcome
  const sent = trace.points.length
  return {
    scenario: 'rate-limit-windows',
    workload: 'less, exactly and more than the budget',
    verdict: violations > 0 ? 'fail' : 'pass',
    reason:
      violations > 0
        ? `${violations} of ${sent} requests were admitted where the window had no room.`
        : `All ${sent} requests are explained by fixed windows of 240 per 6 s.`,
    requirements: ['RATE-02', 'RATE-03'],
    findings:
      violations > 0
        ? [
            finding('RATE-02', 'fail', {
              statement: 'Requests admitted in one window of GET /api/v1/services',
              expected: 'at most 240 in each window of 6 s',
              observed: `${240 + leak} in each of three windows (${violations} too many in all)`,
            }),
          ]
        : [],
    measurements: {
      latencyMsP50: 2.41,
      latencyMsP95: 6.18,
      latencyMsMax: 19.7,
      offeredPerSecond: 80,
      arrivalSpreadMs: 0.62,
      samples: sent,
    },
    latency: {
      admitted: latencies(sent - refused - failed, 2.41),
      refused: latencies(refused, 1.2),
      admittedService: latencies(sent - refused - failed, 2.2),
      refusedService: latencies(refused, 1.1),
    },
    series: seriesOf(trace, 1),
    windows: [trace],
    requests: { planned: 1_400, sent, admitted: sent - refused - failed, refused, failed },
    k6: { exitCode: 0, thresholdsCrossed: [], version: '2.2.0' },
  }
}
