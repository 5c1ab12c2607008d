import { expect, test } from 'vitest'
import { sumOfBudgets, whyNotPermitted, type LoadBudget } from './budget.ts'

const BUDGET: LoadBudget = {
  requestsMax: 100,
  ordersMax: 40,
  money: { currency: 'USD', micros: 60_000_000n },
  expectedSeconds: 4,
  wallSecondsMax: 10,
}

test.each([
  ['nothing permitted', undefined, 'purchases are not permitted'],
  ['too few orders', { ordersMax: 39 }, 'up to 40 orders, 39 are permitted'],
  [
    'too little money',
    { spendMax: { currency: 'USD', micros: 119_000_000n } },
    'may spend USD 60.00, and twice that is set aside (120.00), 119.00 are permitted',
  ],
  [
    'another currency',
    { spendMax: { currency: 'EUR', micros: 90_000_000n } },
    'buys in USD, permitted is EUR',
  ],
])('a scenario is refused with %s', (_, permission, reason) => {
  expect(whyNotPermitted(BUDGET, permission)).toContain(reason)
})

test('a scenario is permitted within its bounds, and without purchases always', () => {
  const exact = { ordersMax: 40, spendMax: { currency: 'USD', micros: 120_000_000n } }
  expect(whyNotPermitted(BUDGET, exact)).toBeUndefined()
  expect(whyNotPermitted(BUDGET, {})).toBeUndefined()
  expect(whyNotPermitted({ ...BUDGET, ordersMax: 0 }, undefined)).toBeUndefined()
})

test('budgets add up, and two currencies are no sum', () => {
  const windows = { requestsMax: 9, ordersMax: 0, expectedSeconds: 2, wallSecondsMax: 5 }
  const sum = sumOfBudgets([BUDGET, windows, BUDGET])
  expect(sum).toEqual({
    requestsMax: 209,
    ordersMax: 80,
    money: { currency: 'USD', micros: 120_000_000n },
    expectedSeconds: 10,
    wallSecondsMax: 25,
  })
  const euros = { ...BUDGET, money: { currency: 'EUR', micros: 1n } }
  expect(sumOfBudgets([BUDGET, euros])).not.toHaveProperty('money')
})
