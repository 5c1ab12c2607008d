import { expect, test } from 'vitest'
import type { Transport } from '../../harness/client/exchange.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS, ALL_INVARIANTS } from '../registry.ts'

const HOUR_MS = 3_600_000

/** The Date header as a proxy sets it whose clock is so far ahead. */
const datedAhead =
  (aheadMs: number, startMs = Date.UTC(2026, 0, 1)) =>
  (transport: Transport): Transport => ({
    ...transport,
    send: async (request, hooks, signal) => {
      const response = await transport.send(request, hooks, signal)
      const date = new Date(startMs + aheadMs).toUTCString()
      return { ...response, headers: [...response.headers, ['Date', date]] }
    },
  })

async function verdictOf(aheadMs: number, faults: readonly string[] = []): Promise<unknown> {
  const { outcomes } = await virtualRun({
    faults,
    checks: ALL_CHECKS.filter(({ id }) => id === 'orders.create'),
    invariants: ALL_INVARIANTS.filter(({ id }) => id === 'orders.every-createdat-now'),
    network: datedAhead(aheadMs),
  })
  return outcomes.find(({ check }) => check.id === 'orders.every-createdat-now')?.check.verdict
}

test('a Date header of another zone alone blames no createdAt', async () => {
  expect(await verdictOf(2 * HOUR_MS)).toBe('pass')
})

test('createdAt of another zone by both clocks is found', async () => {
  expect(await verdictOf(0, ['created-at-local-time'])).toBe('fail')
})

test('createdAt that agrees with the Date header is that of a service whose clock is off', async () => {
  expect(await verdictOf(2 * HOUR_MS, ['created-at-local-time'])).toBe('pass')
})
