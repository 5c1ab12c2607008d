import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMoney, parseMoney, requireMoney } from './money.ts'

test('what is written is read back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 13 }), (minor) => {
      expect(parseMoney(formatMoney(minor))).toBe(minor)
    }),
  )
})

test.each(['', '1.', '.5', '1.234', '-1', '1e3', '1,5', ' 1', 'NaN', '1234567890123'])(
  '%j is no amount',
  (text) => {
    expect(parseMoney(text)).toBeUndefined()
    expect(() => requireMoney(text)).toThrow(/expected a decimal/)
  },
)

test('one and two decimal places are read exactly', () => {
  expect([parseMoney('0.1'), parseMoney('12'), parseMoney('12.05')]).toEqual([10, 1200, 1205])
  expect(formatMoney(-5)).toBe('-0.05')
})
