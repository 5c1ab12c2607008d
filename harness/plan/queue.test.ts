import { describe, expect, it } from 'vitest'
import { chainOfCheck, type ChosenCheck } from './chains.ts'
import { atBudget, type Cost } from './costs.ts'
import { BUDGETS, checkWith, LIMITS, SHARED } from '../../test/support/plan-checks.ts'
import { queueOf, type Queue } from './queue.ts'

const FILTERED = { bucket: 'orders.filtered', role: 'full', operation: 'getOrders' } as const

function costing(requests: Cost['requests']): { shared: Cost } {
  return { shared: { requests, orders: 0, units: {} } }
}

function queue(...checks: readonly ChosenCheck[]): Queue {
  return queueOf(
    checks,
    checks.map((check) => chainOfCheck(check, SHARED)),
    SHARED,
  )
}

describe('queueOf', () => {
  it('lets requests within one budget pass at once', () => {
    const { seconds } = queue(
      checkWith('a.reads', { costs: costing({ 'own orders.filtered': 60 }) }),
    )
    expect(seconds).toBe(0)
  })

  it('lets one budget pass in each window', () => {
    const reads = { costs: costing({ 'own orders.filtered': 50 }) }
    const { counters, seconds } = queue(checkWith('a.one', reads), checkWith('a.two', reads))
    expect(counters[0]).toMatchObject({ pacedRequests: 100, pacedWindows: 1 })
    expect(seconds).toBeCloseTo(60.15)
  })

  it('takes checks that hold a counter one after the other, and the others in windows of their own', () => {
    const holder = {
      windows: [FILTERED],
      waits: [{ windows: 2, of: ['orders.filtered'] }],
    } as const
    const { counters, seconds } = queue(
      checkWith('a.holds', holder),
      checkWith('b.holds', holder),
      checkWith('c.reads', { costs: costing({ 'own orders.filtered': 61 }) }),
    )
    expect(counters[0]).toMatchObject({
      counter: 'own orders.filtered',
      holders: [
        { check: 'a.holds', seconds: 120.5 },
        { check: 'b.holds', seconds: 120.5 },
      ],
      pacedWindows: 2,
    })
    expect(seconds).toBeCloseTo(241 + 2 * 60.15)
  })

  it('runs the queues of two counters side by side: the longer one decides', () => {
    const { counters, seconds } = queue(
      checkWith('a.reads', { costs: costing({ 'own orders.filtered': 121 }) }),
      checkWith('b.buys', { costs: costing({ 'own default createOrder': 1_001 }) }),
    )
    expect(counters.map(({ counter }) => counter)).toEqual([
      'own orders.filtered',
      'own default createOrder',
    ])
    expect(seconds).toBeCloseTo(2 * 60.15)
  })

  it('adds checks that leave nothing of a lasting cap at the end, and counts turns on it', () => {
    const waits = [{ seconds: 5, reason: 'bursts' }]
    const capped = checkWith('a.capped', { roles: ['capped'], waits })
    const drains = checkWith('b.drains', { roles: ['capped'], waits, isLast: true })
    expect(queue(capped, { ...capped, id: 'c.capped' }, drains)).toMatchObject({
      cappedSeconds: 10,
      lastSeconds: 5,
      seconds: 15,
    })
  })

  it('keeps the other account apart, and unhide budgets out: they count per order', () => {
    const { counters } = queue(
      checkWith('a.reads', {
        costs: costing({ 'own orders.unhide.admission': 500, 'other orders.filtered': 61 }),
      }),
    )
    expect(counters.map(({ counter }) => counter)).toEqual(['other orders.filtered'])
  })
})

describe('atBudget', () => {
  it('follows the line through both measurements', () => {
    const limit = LIMITS['orders.filtered']
    const at = (count: number): number =>
      atBudget([26, 200], 'orders.filtered', { ...limit, count }, { budgets: BUDGETS })
    expect([at(6), at(60), at(33)]).toEqual([26, 200, 113])
    expect(atBudget(7, 'orders.filtered', limit, { budgets: BUDGETS })).toBe(7)
    expect(
      atBudget([50, 5], 'orders.filtered', { ...limit, count: 600 }, { budgets: BUDGETS }),
    ).toBe(0)
  })
})
