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

type Network = (transport: Transport) => Transport

async function verdictOf(network: Network, faults: readonly string[] = []): Promise<unknown> {
  const { outcomes } = await virtualRun({
    faults,
    checks: ALL_CHECKS.filter(({ id }) => id.startsWith('orders.')),
    invariants: ALL_INVARIANTS.filter(({ id }) => id === 'orders.every-createdat-now'),
    network,
  })
  return outcomes.find(({ check }) => check.id === 'orders.every-createdat-now')?.check.verdict
}

test('a Date header of another zone alone blames no createdAt', async () => {
  expect(await verdictOf(datedAhead(2 * HOUR_MS))).toBe('pass')
})

test('createdAt of another zone by both clocks is found', async () => {
  expect(await verdictOf(datedAhead(0), ['created-at-local-time'])).toBe('fail')
})

test('createdAt that agrees with the Date header is that of a service whose clock is off', async () => {
  expect(await verdictOf(datedAhead(2 * HOUR_MS), ['created-at-local-time'])).toBe('pass')
})

/** From the second order on, createdAt is ten minutes later, and the Date header too if it goes with it. */
function steppedAfterFirst({ isDated }: { readonly isDated: boolean }): Network {
  let isStepped = false
  return (transport) => ({
    ...transport,
    send: async (request, hooks, signal) => {
      const response = await transport.send(request, hooks, signal)
      const stepMs = isStepped ? 600_000 : 0
      if (response.body.includes('"createdAt"')) isStepped = true
      const moved = (text: string): string => new Date(Date.parse(text) + stepMs).toISOString()
      const body = response.body.replace(
        /"createdAt":"([^"]+)"/,
        (_, text: string) => `"createdAt":"${moved(text)}"`,
      )
      const date = new Date(Date.UTC(2026, 0, 1) + (isDated ? stepMs : 0)).toUTCString()
      return { ...response, body, headers: [...response.headers, ['Date', date]] }
    },
  })
}

test('createdAt that moves with the Date header is that of a service whose clock was set', async () => {
  expect(await verdictOf(steppedAfterFirst({ isDated: true }))).toBe('pass')
})

test('createdAt that moves by more than either clock is found', async () => {
  expect(await verdictOf(steppedAfterFirst({ isDated: false }))).toBe('fail')
})
