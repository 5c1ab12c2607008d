import { expect, it } from 'vitest'
import type { CheckDefinition, Needs } from './check.ts'
import { startOrder } from './start-order.ts'

const FILTERED = { bucket: 'orders.filtered', role: 'full', operation: 'getOrders' } as const
const LISTING = { bucket: 'orders.list', role: 'full', operation: 'getOrders' } as const
const WAITS = [{ seconds: 1, reason: 'a window' }]

function named(id: string, needs: Needs): CheckDefinition {
  return { id, title: id, requirements: ['RATE-01'], needs, run: () => Promise.resolve() }
}

const CHECKS = [
  named('a.last', { roles: ['capped'], waits: WAITS, drainsCap: 'partly' }),
  named('a.any', { roles: ['capped'] }),
  named('a.waits-with-cap', { roles: ['capped'], waits: WAITS }),
  named('a.some', { windows: [{ ...FILTERED, units: 6 }] }),
  named('a.drives', { windows: [FILTERED], waits: WAITS }),
  named('a.looks', { windows: [FILTERED] }),
  named('a.spends-and-wants-unused', { windows: [FILTERED, { ...LISTING, units: 'all' }] }),
  named('a.wants-unused', { windows: [{ ...FILTERED, units: 'all' }] }),
]

it('lets checks that share accounts begin with those that want a window unused', () => {
  const ids = startOrder(CHECKS, { fresh: false }).map(({ id }) => id)
  expect(ids).toEqual([
    'a.wants-unused',
    'a.spends-and-wants-unused',
    'a.looks',
    'a.drives',
    'a.some',
    'a.waits-with-cap',
    'a.last',
    'a.any',
  ])
})

it('keeps the order of checks that have accounts of their own', () => {
  expect(startOrder(CHECKS, { fresh: true })).toEqual(CHECKS)
})
