import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMoney } from '../money.ts'
import { buy, openMarket, UNIT, type Fate } from '../../test/support/market.ts'
import { PurchaseRefused } from './purchase.ts'

const fate = fc.constantFrom<Fate[]>(
  'answered',
  'lost before',
  'answer lost',
  'refused',
  'busy',
  'broken',
)
const purchase = fc.record({
  reference: fc.integer({ min: 0, max: 4 }),
  quantity: fc.integer({ min: 1, max: 4 }),
})

test('no service sells more than is permitted, however purchases overlap and answers are lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 8 }),
      fc.integer({ min: 0, max: 20 }),
      fc.array(purchase, { maxLength: 16 }),
      fc.array(fate, { maxLength: 24 }),
      fc.boolean(),
      async (ordersMax, units, purchases, fates, keepsReferences) => {
        const micros = BigInt(units) * (parseMoney(UNIT) ?? 0n)
        const permission = { ordersMax, spendMax: { currency: 'USD', micros } }
        const market = openMarket(permission, { fates, keepsReferences })
        const { shop, guard } = market
        await Promise.all(
          purchases.map(({ reference, quantity }) =>
            buy(market, reference, { quantity }).catch((cause: unknown) => {
              if (!(cause instanceof PurchaseRefused)) throw cause
            }),
          ),
        )
        await guard.idle()
        expect(shop.orders.length).toBeLessThanOrEqual(ordersMax)
        expect(shop.spent).toBeLessThanOrEqual(micros)
        // Nothing is forgotten: what was sold is counted.
        expect(guard.orders).toBeGreaterThanOrEqual(shop.orders.length)
      },
    ),
    { numRuns: 300, seed: 7 },
  )
})

test('a lost answer counts as an order until a replay settles it', async () => {
  const market = openMarket({ ordersMax: 2 }, { fates: ['answer lost'] })
  const { shop, guard } = market
  await buy(market, 0)
  expect([shop.orders.length, guard.orders]).toEqual([1, 1])
  await buy(market, 0)
  expect([shop.orders.length, guard.orders]).toEqual([1, 1])
  await buy(market, 1)
  await expect(buy(market, 2)).rejects.toThrow('the permitted 2 orders are used up')
  expect(shop.orders).toHaveLength(2)
})

test('a replay settles a lost answer at the price of what was lost', async () => {
  const market = openMarket({}, { fates: ['answer lost'] })
  await buy(market, 0, { quantity: 3 })
  await buy(market, 0, { quantity: 1 })
  expect(market.guard.orders).toBe(1)
  expect(market.guard.money).toEqual(new Map([['USD', market.shop.spent]]))
})

test('an order that is refused to the end is given back', async () => {
  const busy = Array.from({ length: 20 }, () => 'busy' as const)
  const market = openMarket({ ordersMax: 1 }, { fates: busy })
  await expect(buy(market, 0)).rejects.toThrow('still answered 429')
  expect(market.guard.orders).toBe(0)
})
