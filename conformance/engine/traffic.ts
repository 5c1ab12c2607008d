import type { Exchange } from '../../harness/client/exchange.ts'
import type { ConformanceResult } from '../../harness/gate/conformance.ts'

/** When the checks sent what, on the wall clock, which other processes share. */
export function requestsOf(
  exchanges: readonly Exchange[],
): NonNullable<ConformanceResult['traffic']> {
  return {
    sentMs: Float64Array.from(exchanges, ({ sentAtWallMs }) => sentAtWallMs),
    receivedMs: Float64Array.from(
      exchanges,
      ({ sentAtWallMs, sentAtMs, receivedAtMs }) => sentAtWallMs + receivedAtMs - sentAtMs,
    ),
    statuses: Uint16Array.from(exchanges, ({ response }) => response?.status ?? 0),
  }
}
