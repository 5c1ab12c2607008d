import { describe, expect, it } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import type { Transport } from '../../harness/client/exchange.ts'
import type { Clock } from '../../harness/clock.ts'
import { lineOf, othersThanGreen } from '../support/conforming.ts'
import { virtualRun } from '../support/virtual-run.ts'

/** Services that take their time, which the interface leaves to them. */
const SLOW = [
  {
    what: 'orders that take 90 s, quotes that take 2 s, a provider that takes 5 s',
    windowSeconds: 60,
    service: { asyncCompletionMs: 90_000, quoteLatencyMs: 2000, providerTimeoutMs: 5000 },
  },
  {
    what: 'orders that outlast windows, quotes that take 400 ms',
    windowSeconds: 2,
    service: { asyncCompletionMs: 20_000, quoteLatencyMs: 400 },
  },
  { what: 'orders done in 10 ms', windowSeconds: 2, service: { asyncCompletionMs: 10 } },
] as const

describe('a conforming service is all green with', () => {
  it.each(SLOW)('$what, windows of $windowSeconds s', async ({ windowSeconds, service }) => {
    const { outcomes } = await virtualRun({
      windowSeconds,
      service: { seed: 7, ...service },
    })
    expect(othersThanGreen(outcomes).map(lineOf)).toEqual([])
  })
})

const WINDOW_SECONDS = 2
/** Longer than a window of so few seconds takes to be spent one by one. */
const WAY_MS = 1500

/** What no window refuses because each request takes so long. */
const OF_WINDOWS = ALL_CHECKS.filter(({ id }) =>
  /^(?:limits|auth.order-window-last|reading.refused-reveal|dtu-check.window|unhide.*window)/.test(
    id,
  ),
)

function slowWay(wayMs: number) {
  return (transport: Transport, clock: Clock): Transport => ({
    close: () => transport.close(),
    send: async (request) => {
      await clock.sleep(wayMs)
      return transport.send(request)
    },
  })
}

/** Checks that choose the windows of their accounts and wait for none of them. */
const OF_OWN_WINDOWS: readonly string[] = [
  'auth.order-window-last',
  'dtu-check.every-form',
  'limits.every-endpoint',
]

describe('a way too slow for windows', () => {
  it('keeps no check from spending windows of its own choice', async () => {
    const { outcomes } = await virtualRun({
      windowSeconds: WINDOW_SECONDS,
      checks: ALL_CHECKS.filter(({ id }) => OF_OWN_WINDOWS.includes(id)),
      invariants: [],
      network: slowWay(WAY_MS / 3),
    })
    expect(outcomes).toHaveLength(OF_OWN_WINDOWS.length)
    expect(othersThanGreen(outcomes).map(lineOf)).toEqual([])
  })

  it('leaves what they decide inconclusive, never untested, and gives up in time', async () => {
    const { outcomes, virtualSeconds } = await virtualRun({
      windowSeconds: WINDOW_SECONDS,
      checks: OF_WINDOWS,
      invariants: [],
      network: slowWay(WAY_MS),
    })
    const verdicts = outcomes.map(({ check }) => check.verdict)
    expect(outcomes.filter(({ check }) => ['untested', 'fail'].includes(check.verdict))).toEqual([])
    expect(verdicts.filter((verdict) => verdict === 'inconclusive').length).toBeGreaterThan(3)
    expect(virtualSeconds).toBeLessThan(360)
  })
})
