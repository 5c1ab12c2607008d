import { expect, test } from 'vitest'
import { admissionOf } from '../../../harness/judge/rules/unhide.ts'
import { lookGapMs } from './held-window.ts'

function budgets(pending: [number, number], completed: [number, number]) {
  const [wide, narrow] = [pending, completed].map(([count, windowSeconds]) => ({
    count,
    windowSeconds,
  })) as [{ count: number; windowSeconds: number }, { count: number; windowSeconds: number }]
  return { pending: wide, completed: narrow, admission: admissionOf(wide, narrow) }
}

test('an order is looked at thirty times in a window where that leaves room in admission', () => {
  expect(lookGapMs('completed', budgets([60, 60], [1, 60]))).toBe(2000)
  expect(lookGapMs('pending', budgets([2, 4], [60, 4]))).toBeCloseTo(4000 / 30)
})

test('looks are rarer where admission takes fewer attempts', () => {
  const { pending, completed, admission } = budgets([12, 90], [2, 60])
  expect(admission).toEqual({ count: 14, windowSeconds: 30 })
  expect(lookGapMs('completed', { pending, completed, admission })).toBe(30_000 / 8)
})

test('a spent admission is in the way unless its window is as long as the budget it follows from', () => {
  expect(lookGapMs('pending', budgets([60, 60], [1, 60]))).toBe(2000)
  expect(lookGapMs('pending', budgets([12, 90], [2, 60]))).toBeUndefined()
})
