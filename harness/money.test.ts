import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencyCode, formatMoney, parseMoney } from './money.ts'

describe('money', () => {
  it('reads text and JSON numbers exactly', () => {
    expect(parseMoney('12.34')).toBe(12_340_000n)
    expect(parseMoney(0.1 + 0.2)).toBe(300_000n)
    expect(parseMoney(5)).toBe(5_000_000n)
    expect(parseMoney('-0.5')).toBe(-500_000n)
  })

  it('refuses what is no amount', () => {
    for (const value of ['', '1,5', '1e3', 'NaN', Number.NaN, Infinity, null, {}, '0.0000001'])
      expect(parseMoney(value)).toBeUndefined()
  })

  it('takes every code of the US dollar for one', () => {
    expect(['USD', 'usd', '840', 'eur', 840].map(currencyCode)).toEqual([
      'USD',
      'USD',
      'USD',
      'EUR',
      undefined,
    ])
  })

  it('prints what it reads', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (micros) => {
        expect(parseMoney(formatMoney(micros))).toBe(micros)
      }),
    )
  })
})
