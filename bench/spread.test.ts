import { expect, test } from 'vitest'
import { quartilesOf, showQuartiles, spreadOf } from './spread.ts'

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

test.each([
  [[3, 1, 2, 5, 4], { lower: 2, median: 3, upper: 4, samples: 5 }],
  [[4, 1, 2, 3], { lower: 1.5, median: 2.5, upper: 3.5, samples: 4 }],
  [[7], { lower: 7, median: 7, upper: 7, samples: 1 }],
])('%j has quartiles', (values, quartiles) => {
  expect(quartilesOf(values)).toEqual(quartiles)
})

test('quartiles are shown about the median', () => {
  expect(showQuartiles(quartilesOf([4, 1, 2, 3]), 1)).toBe('2.5 [1.5 to 3.5]')
})
