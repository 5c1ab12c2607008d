import { describe, expect, test } from 'vitest'
import { FaultSet } from '../faults/faults.ts'
import { effectiveLimits } from './effective-limits.ts'

const none = new FaultSet()

test('without rules the defaults of the interface hold; two of them are seeded rules', () => {
  expect(effectiveLimits({}, none)).toMatchObject({
    default: { count: 1000, windowSeconds: 60, source: 'default' },
    'orders.check': { count: 120, windowSeconds: 60, source: 'default' },
    'orders.list': { count: 2, windowSeconds: 60, source: 'rule' },
    'orders.filtered': { count: 60, windowSeconds: 60, source: 'rule' },
    'orders.unhide.pending': { count: 60, windowSeconds: 60, source: 'default' },
    'orders.unhide.completed': { count: 1, windowSeconds: 60, source: 'default' },
    'orders.unhide.admission': { count: 61, windowSeconds: 60, source: 'default' },
  })
})

describe('admission', () => {
  test.each([
    [12, 90, 2, 60, 14, 30],
    [60, 60, 1, 60, 61, 60],
    [3, 0.9, 1, 0.6, 4, 0.3],
    [5, 7, 2, 3, 7, 1],
  ])('%d per %d s and %d per %d s give %d per %d s', (pending, a, completed, b, count, window) => {
    const rules = {
      'orders.unhide.pending': { count: pending, windowSeconds: a },
      'orders.unhide.completed': { count: completed, windowSeconds: b },
    }
    expect(effectiveLimits(rules, none)['orders.unhide.admission']).toEqual({
      count,
      windowSeconds: window,
      source: 'rule',
    })
  })

  test('is a rule as soon as one component is configured', () => {
    const rules = { 'orders.unhide.completed': { count: 1, windowSeconds: 60 } }
    expect(effectiveLimits(rules, none)['orders.unhide.admission'].source).toBe('rule')
  })
})

test('listing and filtered reads fall back to the global default when their rules are taken away', () => {
  const rules = {
    'orders.list': null,
    'orders.filtered': null,
    default: { count: 7, windowSeconds: 5 },
  }
  const limits = effectiveLimits(rules, none)
  expect(limits['orders.list']).toEqual({ count: 7, windowSeconds: 5, source: 'default' })
  expect(limits['orders.filtered']).toEqual({ count: 7, windowSeconds: 5, source: 'default' })
  expect(limits['orders.unhide.pending'].count).toBe(60)
})

test.each([
  { count: 0, windowSeconds: 60 },
  { count: 1.5, windowSeconds: 60 },
  { count: 1, windowSeconds: 0 },
  { count: 1, windowSeconds: Number.NaN },
  { count: 1, windowSeconds: 0.0005 },
])('the rule %j is refused', (rule) => {
  expect(() => effectiveLimits({ default: rule }, none)).toThrow(RangeError)
})
