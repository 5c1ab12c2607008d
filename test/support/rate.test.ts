import { expect, it } from 'vitest'
import { rateUpperBound } from './rate.ts'

it.each([
  // Nothing seen: 1 - 0.05 ** (1 / n).
  [0, 50, 0.058155],
  [0, 4150, 0.00072161],
  // Tables of Clopper and Pearson at 95 %, one-sided.
  [1, 10, 0.394163],
  [5, 100, 0.102253],
])('%d of %d events bound the rate by %d', (events, trials, bound) => {
  expect(rateUpperBound(events, trials)).toBeCloseTo(bound, 5)
})

it.each([
  [0, 0],
  [7, 7],
])('%d of %d events bound nothing', (events, trials) => {
  expect(rateUpperBound(events, trials)).toBe(1)
})
