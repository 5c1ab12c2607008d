import { expect, test } from 'vitest'
import { parseMoney } from '../money.ts'
import { countOfWrongSum } from './float-sum.ts'

const micros = (text: string): bigint => parseMoney(text) ?? 0n

test('three times 0.20 is more than 0.60 in floating point', () => {
  expect(countOfWrongSum(micros('0.20'), 3)).toBe(3)
})

test.each(['0.10', '0.60', '1.10', '3.10', '0.07', '19.99'])(
  'a few purchases of %s are added up wrongly',
  (price) => {
    expect(countOfWrongSum(micros(price), 12)).toBeGreaterThan(1)
  },
)

test.each(['1.00', '0.50', '1.25', '12.00'])('%s is added up exactly', (price) => {
  expect(countOfWrongSum(micros(price), 12)).toBeUndefined()
})
