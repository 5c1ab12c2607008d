import { describe, expect, test } from 'vitest'
import { curveShares, latenciesOf, quantileInterval, samplesNeeded } from './latencies.ts'

function upTo(count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, index) => index + 1)
}

test('percentiles are values that were measured', () => {
  expect(latenciesOf(upTo(1000))).toEqual({
    count: 1000,
    msP50: 500,
    msP90: 900,
    msP95: 950,
    msP99: 990,
    msP999: 999,
    msMax: 1000,
  })
})

describe('the interval of a percentile', () => {
  // Ranks of the binomial distribution, as tables of non-parametric intervals have them (Conover, Practical Nonparametric Statistics).
  test.each([
    [6, 0.5, { low: 1, high: 6 }],
    [10, 0.5, { low: 2, high: 9 }],
    [20, 0.5, { low: 6, high: 15 }],
    [100, 0.5, { low: 40, high: 61 }],
  ])('of %i values for %f', (count, share, interval) => {
    expect(quantileInterval(upTo(count), share)).toEqual(interval)
  })

  test('has no end that the values do not reach', () => {
    expect(quantileInterval(upTo(5), 0.5)).toEqual({})
    expect(quantileInterval(upTo(100), 0.99).high).toBeUndefined()
    // 0.99 to the power of 368 is below 2.5 % for the first time.
    expect(quantileInterval(upTo(367), 0.99).high).toBeUndefined()
    expect(quantileInterval(upTo(368), 0.99).high).toBe(368)
    expect(quantileInterval(new Float64Array(), 0.5)).toEqual({})
  })

  test('holds the true percentile in 95 of 100 samples', () => {
    let state = 1
    const random = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return (state + 0.5) / 2 ** 32
    }
    const rounds = 1000
    let held = 0
    for (let round = 0; round < rounds; round++) {
      const values = Float64Array.from({ length: 1500 }, random).toSorted()
      const { low = 0, high = 1 } = quantileInterval(values, 0.99)
      if (low <= 0.99 && high >= 0.99) held++
    }
    expect(held / rounds).toBeGreaterThan(0.94)
    expect(held / rounds).toBeLessThan(0.985)
  })

  test('is found for a million values', () => {
    const { low = 0, high = 0 } = quantileInterval(upTo(1_000_000), 0.5)
    expect(high - low).toBeCloseTo(1960, -1)
  })
})

test('samples that a percentile needs, and those that show it at all', () => {
  expect([0.5, 0.95, 0.99, 0.999, 1].map(samplesNeeded)).toEqual([20, 200, 1000, 10_000, 1])
  expect(curveShares(100).slice(-2)).toEqual([0.99, 1])
  expect(curveShares(0)).toEqual([1])
})
