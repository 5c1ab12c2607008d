import { describe, expect, it } from 'vitest'
import { lineOf, othersThanGreen } from '../support/conforming.ts'
import { virtualRun } from '../support/virtual-run.ts'

/** Services that take their time, which the interface leaves to them. */
const SLOW = [
  { what: 'orders that take 90 s', windowSeconds: 60, service: { asyncCompletionMs: 90_000 } },
  { what: 'orders that outlast windows', windowSeconds: 2, service: { asyncCompletionMs: 20_000 } },
  { what: 'orders done in 10 ms', windowSeconds: 2, service: { asyncCompletionMs: 10 } },
  { what: 'quotes that take 400 ms', windowSeconds: 2, service: { quoteLatencyMs: 400 } },
  { what: 'quotes that take 2 s', windowSeconds: 60, service: { quoteLatencyMs: 2000 } },
  { what: 'a provider that takes 5 s', windowSeconds: 60, service: { providerTimeoutMs: 5000 } },
] as const

describe('a conforming service is all green with', { timeout: 60_000 }, () => {
  it.each(SLOW)('$what, windows of $windowSeconds s', async ({ windowSeconds, service }) => {
    const { outcomes } = await virtualRun({ windowSeconds, service: { seed: 7, ...service } })
    expect(othersThanGreen(outcomes).map(lineOf)).toEqual([])
  })
})
