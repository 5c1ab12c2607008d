import { expect, test } from 'vitest'
import { spreadOf } from './spread.ts'

test.each([
  [[3, 1, 2], { median: 2, min: 1, max: 3, samples: 3 }],
  [[4, 1, 2, 3], { median: 2.5, min: 1, max: 4, samples: 4 }],
  [[7], { median: 7, min: 7, max: 7, samples: 1 }],
])('%j', (values, spread) => {
  expect(spreadOf(values)).toEqual(spread)
})

test('no samples have no spread', () => {
  expect(() => spreadOf([])).toThrow(RangeError)
})
