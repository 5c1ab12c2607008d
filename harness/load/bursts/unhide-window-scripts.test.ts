import { expect, test } from 'vitest'
import { admissionOf } from '../../judge/unhide.ts'
import { lookGapMs } from './unhide-window-scripts.ts'

type Limit = [count: number, windowSeconds: number]

function gapMs(pending: Limit, completed: Limit, of: 'pending' | 'completed'): number | undefined {
  const [wide, narrow] = [pending, completed].map(([count, windowSeconds]) => {
    return { count, windowSeconds }
  }) as [{ count: number; windowSeconds: number }, { count: number; windowSeconds: number }]
  return lookGapMs(of === 'pending' ? wide : narrow, { admission: admissionOf(wide, narrow) })
}

test('an order is looked at twenty-five times in a window', () => {
  expect(gapMs([60, 60], [1, 60], 'completed')).toBe(2400)
  expect(gapMs([1, 4], [60, 4], 'pending')).toBe(160)
})

test('looks are rarer where admission takes fewer attempts', () => {
  expect(gapMs([12, 90], [2, 60], 'completed')).toBe(2500)
})

test('an order is not looked at where that would spend admission, or not spend its own budget', () => {
  expect(gapMs([6, 2], [1, 2], 'completed')).toBeUndefined()
  expect(gapMs([60, 60], [1, 60], 'pending')).toBeUndefined()
})
