import { expect, test } from 'vitest'
import type { Transport } from '../../harness/client/exchange.ts'
import type { Clock } from '../../harness/clock.ts'
import type { Product, Target } from '../../harness/target-file/target.ts'
import { embedInProcess } from '../../test/support/in-process.ts'
import { suiteRun } from '../../test/support/suite-run.ts'
import { VirtualClock } from '../../test/support/virtual-clock.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS } from '../registry.ts'

/** The n-th sending of a gift order under one reference reaches the service six seconds late, once: its token has expired. */
function lateOnce(nth: number): (transport: Transport, clock: Clock) => Transport {
  const sent = new Map<string, number>()
  let isOver = false
  return (transport, clock) => ({
    ...transport,
    send: async (request, hooks, signal) => {
      const body = request.body ?? ''
      if (!body.includes('"quoteToken"')) return transport.send(request, hooks, signal)
      const { referenceId } = JSON.parse(body) as { readonly referenceId: string }
      const count = (sent.get(referenceId) ?? 0) + 1
      sent.set(referenceId, count)
      if (count === nth && !isOver) {
        isOver = true
        hooks?.onSent?.()
        await clock.sleep(6_000)
        return transport.send(request, undefined, signal)
      }
      return transport.send(request, hooks, signal)
    },
  })
}

const REFUSES_AGAIN = ['gift-quotes-brief', 'refusals-replayed'] as const
const VALIDATES_REPLAYS = ['gift-quotes-brief', 'replay-validates-body'] as const

test.each([
  { id: 'platform-gift.order', nth: 1, variants: REFUSES_AGAIN, verdict: 'pass' },
  { id: 'platform-gift.replay', nth: 1, variants: REFUSES_AGAIN, verdict: 'pass' },
  { id: 'platform-gift.replay', nth: 2, variants: VALIDATES_REPLAYS, verdict: 'untested' },
  { id: 'platform-gift.conflict', nth: 4, variants: VALIDATES_REPLAYS, verdict: 'untested' },
  { id: 'transaction-limit.exact-gift', nth: 2, variants: VALIDATES_REPLAYS, verdict: 'untested' },
  {
    id: 'idempotency.kinds-after-window',
    nth: 2,
    variants: VALIDATES_REPLAYS,
    verdict: 'pass',
  },
  {
    id: 'idempotency.gift-unique-in-account',
    nth: 3,
    variants: ['foreign-reference-conflict'] as const,
    verdict: 'pass',
  },
  { id: 'contention.refused-kinds', nth: 2, variants: REFUSES_AGAIN, verdict: 'untested' },
])('$id, sending $nth late, blames no service whose token expires on the way', async (late) => {
  const { outcomes } = await virtualRun({
    service: { platformGift: 'enabled', variants: late.variants },
    checks: ALL_CHECKS.filter(({ id }) => id === late.id),
    invariants: [],
    network: lateOnce(late.nth),
  })
  expect(outcomes.map(({ check }) => [check.verdict, check.reason])).toEqual([
    [late.verdict, late.verdict === 'pass' ? undefined : expect.stringContaining('quoteToken')],
  ])
})

test('gift orders that wait for a small window of POST /orders are sent with tokens that hold', async () => {
  const { outcomes } = await suiteRun({
    accounts: { file: { roles: ['full'], cap: '100.00', more: [] } },
    windowSeconds: 60,
    service: {
      platformGift: 'enabled',
      variants: ['checks-counted-twice-tighter', 'gift-quotes-brief'],
    },
  })
  const undecided = outcomes.filter(({ check }) => check.verdict === 'inconclusive')
  expect(undecided.map(({ check }) => `${check.id}: ${check.reason}`)).toEqual([])
})

/** A target that states how long its tokens live: the same service as above. */
function stated(): Target {
  const service = { platformGift: 'enabled', variants: VALIDATES_REPLAYS } as const
  const { target } = embedInProcess({
    clock: new VirtualClock(),
    faults: [],
    windowSeconds: 2,
    service,
  })
  const gift = { ...(target.products['platform-gift'] as Product), quoteSeconds: 5 }
  return { ...target, products: { ...target.products, 'platform-gift': gift } }
}

test.each([
  { id: 'platform-gift.replay', nth: 2 },
  { id: 'platform-gift.conflict', nth: 4 },
  { id: 'transaction-limit.exact-gift', nth: 2 },
])('$id is inconclusive where slowness outlives a token whose life is stated', async (late) => {
  const { outcomes } = await virtualRun({
    service: { platformGift: 'enabled', variants: VALIDATES_REPLAYS },
    target: stated(),
    checks: ALL_CHECKS.filter(({ id }) => id === late.id),
    invariants: [],
    network: lateOnce(late.nth),
  })
  expect(outcomes.map(({ check }) => [check.verdict, check.reason])).toEqual([
    ['inconclusive', expect.stringContaining('answers took 6.0 s')],
  ])
})
