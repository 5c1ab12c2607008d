import { describe, expect, test } from 'vitest'
import { formatMoney, parseMoney } from '../money.ts'
import {
  amountsIn,
  attemptedIn,
  headroomIn,
  bulkPricesIn,
  namesAmount,
  tracksHeadroom,
} from './spend-message.ts'

const amount = (text: string): bigint => {
  const micros = parseMoney(text)
  if (micros === undefined) throw new Error(`${text} is no amount`)
  return micros
}

describe('namesAmount', () => {
  test.each([
    ['attempted 1.00 USD', '1'],
    ['attempted 1 USD', '1.00'],
    ['attempted 12.5', '12.50'],
    ['limit $1,000.00.', '1000'],
    ['limit 1.000,00 €', '1000'],
    ['limit 1 000,50 zł', '1000.50'],
    ["limit CHF1'000", '1000'],
    ['limit 1,234,567.89', '1234567.89'],
    ['limit 1.234.567', '1234567'],
    ['limit USD10.00, remaining USD9.00', '9'],
    ['remaining=0, limit=10', '0'],
    ['{"attempted":"12.0000"}', '12'],
    ['attempted 1200 cents', '12'],
    ['attempted 3, remaining 2, limit 5', '2'],
    ['attempted 3,2,5', '5'],
    ['limit 10 100.00 left', '10'],
    ['limit 10.00 100.00 left', '100'],
    ['limit 0.000001', '0.000001'],
    ['attempted $0.10', '0.1035'],
    ['attempted $0.11', '0.1035'],
    ['attempted 0.1035', '0.1035'],
    ['left 3.33 KWD', '3.335'],
    ['left 3.336 KWD', '3.3355'],
    ['attempted 65.10000000000001', '65.10'],
    ['left 61.999999999999998', '62'],
  ])('finds in %j the amount %s', (text, wanted) => {
    expect(namesAmount(text, amount(wanted))).toBe(true)
  })

  test.each([
    ['no number at all', '1'],
    ['attempted 12.00', '2'],
    ['attempted 12.00', '12.01'],
    ['attempted 112.00', '12'],
    ['limit 1,000.00', '100'],
    ['limit 10.00, attempted 11.00', '9'],
    ['attempted $0.12', '0.1035'],
    ['attempted $0.09', '0.10'],
    ['left 3.334 KWD', '3.335'],
    ['left 3.3', '3.335'],
  ])('does not find in %j the amount %s', (text, wanted) => {
    expect(namesAmount(text, amount(wanted))).toBe(false)
  })

  test('reads the numbers in the order of the text', () => {
    const read = amountsIn('attempted 12.00 USD, remaining 9.50 USD, limit 10.00 USD')
    expect(read.map(formatMoney)).toEqual(['12.00', '9.50', '10.00'])
  })
})

describe('tracksHeadroom', () => {
  const facts = { spent: amount('1.25'), known: [amount('401.25'), amount('400')] }

  test.each([
    [
      'attempted 401.25, remaining 98.75, limit 400.00',
      'attempted 401.25, remaining 97.50, limit 400.00',
    ],
    ['40125 of 9875 (cap 40000)', '40125 of 9750 (cap 40000)'],
    ['limit 400, 2.50 left for 401.25', 'limit 400, 1.25 left for 401.25'],
  ])('%s, then %s', (before, after) => {
    expect(tracksHeadroom(before, after, facts)).toBe(true)
  })

  test('of which both round fractions of a cent', () => {
    const rounding = { spent: amount('1.335'), known: [amount('401.335')] }
    const [before, after] = ['401.34 tried, 98.75 left', '401.34 tried, 97.41 left']
    expect(tracksHeadroom(before, after, rounding)).toBe(true)
    expect(tracksHeadroom(before, before, rounding)).toBe(false)
  })

  test.each([
    ['no amount at all', 'limit exceeded', 'limit exceeded'],
    [
      'attempt and cap alone, which differ by the price',
      'attempted 401.25, limit 400',
      'attempted 401.25, limit 400',
    ],
    ['what stays the same', '401.25 > 400.00, left 98.75', '401.25 > 400.00, left 98.75'],
    ['what is spent, which grows', 'used 10.00 of 400', 'used 11.25 of 400'],
  ])('not %s', (_what, before, after) => {
    expect(tracksHeadroom(before, after, facts)).toBe(false)
  })
})

describe('bulkPricesIn', () => {
  const facts = { left: amount('499'), known: [amount('500')] }
  const of = (...messages: string[]): readonly bigint[] =>
    bulkPricesIn(messages, { units: 501, whole: amount('501') }, facts)

  test('what many pieces may cost', () => {
    expect(of('tried 500.90, 499 left of 500')).toEqual([amount('500.9')])
    expect(of('tried 503.00, 499 left of 500')).toEqual([amount('503')])
  })

  test.each([
    ['the cap and what is left', ['tried too much, 499 left of 500']],
    ['what another refusal of the same attempt does not name', ['tried 500.90', 'tried 500.80']],
    ['less than a tenth', ['13: 1.00 too much']],
    ['more than a cent for each', ['tried 506.02, 499 left of 500']],
  ])('not %s', (_what, messages) => {
    expect(of(...messages)).toEqual([])
  })
})

describe('headroomIn', () => {
  test('what is believed in, with fractions of a cent rounded', () => {
    const kept = { limit: amount('133.5'), unit: amount('1.335'), attempted: [amount('134.835')] }
    const message = 'tried 134.84 with 3.33 left of 133.50'
    expect(headroomIn(message, { ...kept, left: amount('3.335') })).toBe(amount('3.335'))
  })

  test.each([
    ['rounded', 'tried 134.84 with 4.01 left of 133.50'],
    ['cut off', 'tried 134.83 with 4.00 left of 133.50'],
  ])('the cap without whole units, %s in the message', (_what, message) => {
    const figures = {
      limit: amount('133.5'),
      unit: amount('1.335'),
      attempted: [amount('134.835')],
    }
    expect(headroomIn(message, { ...figures, left: amount('132.165') })).toBe(amount('4.005'))
  })

  test.each([
    ['a hundredth of the cap', 'tried 901.00, remaining 9.00, limit 900.00', '9.00'],
    ['a hundredth of what was tried', 'tried 901.00, remaining 9.01, limit 900.00', '9.01'],
  ])('%s', (_what, message, expected) => {
    const figures = { limit: amount('900'), unit: amount('1'), attempted: [amount('901')] }
    expect(headroomIn(message, { ...figures, left: amount('899') })).toBe(amount(expected))
  })

  test('of amounts that are counted in hundredths', () => {
    const figures = { limit: amount('900'), unit: amount('1'), attempted: [amount('901')] }
    const message = 'tried 90100, remaining 1200, limit 90000'
    expect(headroomIn(message, { ...figures, left: amount('12') })).toBe(amount('12'))
  })

  const figures = {
    limit: amount('800'),
    unit: amount('1.37'),
    left: amount('798.63'),
    attempted: [amount('800.08')],
  }

  test.each([
    ['what is believed in', 'tried 800.08 with 798.63 left of 800', '798.63'],
    [
      'a rest of a cap that is no multiple of the price',
      'tried 800.08, 794.52 left of 800',
      '794.52',
    ],
    ['the rest beside what is used', 'tried 800.08: 5.48 used, 794.52 left of 800', '794.52'],
    [
      'the only other amount, whatever was bought',
      'tried 800.08 with 793.43 left of 800',
      '793.43',
    ],
  ])('%s', (_what, message, expected) => {
    expect(headroomIn(message, figures)).toBe(amount(expected))
  })

  test.each([
    ['plain', 'attempted 45011, remaining headroom 43562, limit 45000'],
    ['in groups', 'attempted 45,011, remaining headroom 43,562, limit 45,000'],
  ])('in units, as the cap is named, where no price is a multiple of one: %s', (_what, message) => {
    const [many, limit, unit] = [
      { units: 300, whole: amount('48300') },
      amount('45000'),
      161_000_000n,
    ]
    const attempted = attemptedIn(message, many, limit)
    const known = { limit, unit, left: amount('44839'), attempted }
    expect(headroomIn(message, known)).toBe(amount('43562'))
  })

  test.each([
    ['none beside attempt and cap', 'tried 800.08 of 800'],
    ['one of two that could be it', 'tried 800.08: 6.57 used, 793.43 left of 800'],
  ])('not %s', (_what, message) => {
    expect(headroomIn(message, figures)).toBeUndefined()
  })
})

test('what was attempted is the price of single pieces, or the largest amount below it', () => {
  const [many, limit] = [{ units: 901, whole: 901_000_000n }, 900_000_000n]
  const { whole } = many
  expect(attemptedIn('attempted 901.00, remaining 87.10', many, limit)).toEqual([whole])
  const less = 'attempted 810.90, remaining 97.10, limit 900.00'
  expect(attemptedIn(less, many, limit)).toEqual([whole, 810_900_000n])
  expect(attemptedIn('remaining 0.10, limit 900.00', many, limit)).toEqual([whole])
})
