import { expect, test } from 'vitest'
import { unitsByPrices, unitsOfBurst, unitsOfBursts } from './room.ts'

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

test.each([1_900, 1_800, 850, 350, 100])(
  'with %j left one order of a burst fits, at 100 a piece as at 95',
  (left) => {
    const prices = { left: BigInt(left), unit: 100n, cheapest: 95n }
    const units = unitsByPrices(prices, 20, true)
    expect([Math.floor(left / (100 * units)), Math.floor(left / (95 * units))]).toEqual([1, 1])
  },
)
