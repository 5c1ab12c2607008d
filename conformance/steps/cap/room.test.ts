import { expect, test } from 'vitest'
import { unitsOfBurst, unitsOfBursts } from './room.ts'

test.each([600, 599, 298, 40])(
  'with %j units left exactly one order of a burst of 20 fits',
  (left) => {
    expect(Math.floor(left / unitsOfBurst(left, 20))).toBe(1)
  },
)

test.each([
  [39, 13],
  [24, 12],
  [20, 10],
  [10, 10],
  [3, 3],
])('with %j units left %j orders of a burst of 20 fit', (left, fitting) => {
  expect(Math.floor(left / unitsOfBurst(left, 20))).toBe(fitting)
})

test.each([1, 2, 5, 8])('%d bursts in each of which one order fits use up what they take', (n) => {
  let left = unitsOfBursts(n)
  for (let burst = 0; burst < n; burst++) {
    expect(left).toBeGreaterThan(0)
    const units = unitsOfBurst(left, 20, true)
    expect(Math.floor(left / units)).toBe(1)
    left -= units
  }
  expect(left).toBe(0)
})
