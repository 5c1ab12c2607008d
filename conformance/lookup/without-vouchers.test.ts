import { expect, test } from 'vitest'
import type { Target } from '../../harness/target-file/target.ts'
import { embedInProcess } from '../../test/support/in-process.ts'
import { VirtualClock } from '../../test/support/virtual-clock.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS, ALL_INVARIANTS } from '../registry.ts'

/** The same service for a partner that buys top-ups alone. */
function withTopUpsAlone(target: Target): Target {
  const { dtu, quantity } = target.products
  const products = {
    ...(dtu && { dtu: { ...dtu, search: 'Mobile' } }),
    ...(quantity && { quantity }),
  }
  const left = ['shop', 'esim', 'cart', 'long-orders', 'async', 'platform-gift']
  return {
    ...target,
    products,
    capabilities: target.capabilities.filter((each) => !left.includes(each)),
  }
}

test.each([
  ['lookup.elements', 'pass'],
  ['lookup.pairs', 'pass'],
  ['lookup.single-item', 'pass'],
  ['catalog.search-keeps', 'pass'],
  ['catalog.search-ignores-case', 'pass'],
  ['orders.no-pieces', 'inapplicable'],
  ['reading.no-code-leaks', 'inapplicable'],
])('of a target without vouchers %s gives %s', async (id, verdict) => {
  const { target } = embedInProcess({ faults: [], windowSeconds: 2, clock: new VirtualClock() })
  const { outcomes } = await virtualRun({
    target: withTopUpsAlone(target),
    checks: ALL_CHECKS.filter((check) => check.id === id),
    invariants: ALL_INVARIANTS.filter((invariant) => invariant.id === id),
  })
  expect(outcomes.map(({ check }) => [check.verdict, check.reason])).toEqual([
    [verdict, verdict === 'pass' ? undefined : expect.any(String)],
  ])
})
