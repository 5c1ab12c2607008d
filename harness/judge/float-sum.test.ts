import { expect, test } from 'vitest'
import { parseMoney } from '../money.ts'
import { countsOfWrongSum } from './float-sum.ts'

const micros = (text: string): bigint => parseMoney(text) ?? 0n

test('three times 0.20 is more than 0.60 in floating point', () => {
  expect(countsOfWrongSum(micros('0.20'), 3)).toEqual([3])
})

test('seven times 0.20 is more than 1.40 in single precision, which three times do not show', () => {
  expect(countsOfWrongSum(micros('0.20'), 12)).toEqual([3, 7])
})

test.each(['0.10', '0.60', '1.10', '3.10', '0.07', '19.99'])(
  'a few purchases of %s are added up wrongly',
  (price) => {
    const counts = countsOfWrongSum(micros(price), 12)
    expect(counts[0]).toBeGreaterThan(1)
    expect(new Set(counts).size).toBe(counts.length)
  },
)

test.each(['1.00', '0.50', '1.25', '12.00'])('%s is added up exactly', (price) => {
  expect(countsOfWrongSum(micros(price), 12)).toEqual([])
})
