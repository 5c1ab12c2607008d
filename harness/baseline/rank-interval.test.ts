import { describe, expect, test } from 'vitest'
import { repeatsNeeded, shiftOf } from './rank-interval.ts'

const ONE_TO_FIVE = [1, 2, 3, 4, 5]

describe('the interval of a shift', () => {
  test('is the one of the published tables', () => {
    // Five and five at 0.025: the critical value of U is 2, so the third difference from each end.
    const shift = shiftOf(ONE_TO_FIVE, [11, 12, 13, 14, 15], 0.025)
    expect(shift).toEqual({ estimate: 10, low: 7, high: 13 })
    // At 0.05 it is 4.
    expect(shiftOf(ONE_TO_FIVE, [11, 12, 13, 14, 15], 0.05)).toEqual({
      estimate: 10,
      low: 8,
      high: 12,
    })
  })

  test('is found for sides of different sizes', () => {
    // Three and six at 0.05: the critical value of U is 2.
    const shift = shiftOf([0, 0, 0], [1, 2, 3, 4, 5, 6], 0.05)
    expect(shift).toEqual({ estimate: 3.5, low: 1, high: 6 })
  })

  test('of equal values is no shift', () => {
    expect(shiftOf([0, 0, 0, 0], [0, 0, 0, 0], 0.05)).toEqual({ estimate: 0, low: 0, high: 0 })
  })

  test('is not told from too few values', () => {
    expect(shiftOf([1, 2], [3, 4], 0.05)).toBeUndefined()
    expect(shiftOf([], [3, 4], 0.05)).toBeUndefined()
    expect(shiftOf([1, 2, 3], [4, 5, 6], 0.05)).toBeDefined()
  })
})

test('how many repeats it takes', () => {
  // One order in 20, in 70, in 252, in 924 is the most extreme.
  expect([0.05, 0.02, 0.01, 0.004, 0.002].map(repeatsNeeded)).toEqual([3, 4, 5, 5, 6])
})
