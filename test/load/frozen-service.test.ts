/** A service that freezes shows in the latencies as arithmetic says. */
import { describe, test } from 'vitest'
import { byArithmetic, FROZEN, ofHarness, startFrozenService } from './frozen-service.ts'
import type { K6Binary } from '../../harness/load/k6/k6-binary.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { k6AtHand } from '../support/k6.ts'

describe.skipIf(k6AtHand === undefined)('a service frozen for 1.5 of 8 s', () => {
  test('holds up as many requests as were planned in that time', async ({ expect, annotate }) => {
    const k6 = k6AtHand as K6Binary
    await using service = await startFrozenService()
    const result = await ofHarness(k6, service)
    const { admitted, admittedService } = result.latency as NonNullable<LoadResult['latency']>
    expect(admitted.count).toBe(FROZEN.requests)
    const arithmetic = byArithmetic()
    const fromDue = { p95: admitted.msP95 ?? 0, p99: admitted.msP99 ?? 0 }
    await annotate(JSON.stringify({ arithmetic, fromDue }))
    // A busy machine adds to each of them, and nothing takes away. Between two requests lie 25 ms.
    for (const name of ['p95', 'p99'] as const)
      expect(fromDue[name]).toBeGreaterThan(0.95 * arithmetic[name])
    // What k6 sent in a session alone hides it: four requests of five were not sent while the service was frozen. Both are of one run,
    // for a busy machine adds to both.
    expect(admittedService.msP95).toBeLessThan(0.95 * fromDue.p95)
    expect(offeredIn(result)).toBeGreaterThan(0.8 * FROZEN.ratePerSecond * FROZEN.forSeconds)
  })
})

/** Requests that were due while the service was frozen, but for the slices at its edges. */
function offeredIn({ series = [] }: LoadResult): number {
  const { afterSeconds, forSeconds } = FROZEN
  return series
    .filter(
      ({ fromSeconds }) => fromSeconds >= afterSeconds && fromSeconds < afterSeconds + forSeconds,
    )
    .reduce((sum, { offered }) => sum + offered, 0)
}
