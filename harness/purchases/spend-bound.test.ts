import { expect, test } from 'vitest'
import { parseMoney } from '../money.ts'
import { buy, openMarket, UNIT, type Market } from '../../test/support/market.ts'
import { PurchaseRefused, type PurchasePermission } from './purchase.ts'

function upTo(amount: string): PurchasePermission {
  return { ordersMax: 1000, spendMax: { currency: 'USD', micros: parseMoney(amount) ?? 0n } }
}

/** Buys so many at once; gives the reasons of those that were not sent. */
async function buyMany(
  market: Market,
  count: number,
  order: Parameters<typeof buy>[2] = {},
  options: Parameters<typeof buy>[3] = {},
): Promise<readonly string[]> {
  const refused: string[] = []
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      buy(market, index, order, options).catch((cause: unknown) => {
        if (!(cause instanceof PurchaseRefused)) throw cause
        refused.push(cause.message)
      }),
    ),
  )
  await market.guard.idle()
  return refused
}

const DOUBLE = '5.00'

test('a service that charges double is found out by the first of fifty purchases at once', async () => {
  for (const throttled of [undefined, 'return'] as const) {
    const market = openMarket(upTo('125'), { unit: () => DOUBLE })
    const refused = await buyMany(market, 50, {}, throttled ? { throttled } : {})
    expect(market.shop.orders).toHaveLength(1)
    expect(refused).toHaveLength(49)
    expect(refused[0]).toMatch(/were stopped: .*voucher was charged USD 5\.00, reserved were 2\.50/)
    expect(market.guard.overcharge).toMatchObject({ reference: 'r0', charged: 5_000_000n })
  }
})

test('a price that is asked for at the end only is waited for before a second purchase', async () => {
  const market = openMarket(upTo('125'), { unit: () => DOUBLE, laterMs: 3_000 })
  const refused = await buyMany(market, 50, { product: 'voucher-async' })
  expect([market.shop.orders.length, refused.length]).toEqual([1, 49])
  expect(market.guard.made).toMatchObject([{ status: 'SUCCESS', charged: 5_000_000n }])
})

test('where a right price shows at the end, the others follow', async () => {
  const market = openMarket(upTo('125'), { laterMs: 3_000 })
  expect(await buyMany(market, 50, { product: 'voucher-async' })).toEqual([])
  expect(market.shop.orders).toHaveLength(50)
  expect(market.shop.spent).toBe(parseMoney('125'))
})

test('reads that are refused for a whole window are waited for', async () => {
  const market = openMarket(upTo('125'), { laterMs: 3_000, readsRefusedSeconds: 58 })
  expect(await buyMany(market, 50, { product: 'voucher-async' })).toEqual([])
  expect(market.shop.orders).toHaveLength(50)
  const never = openMarket(upTo('125'), { laterMs: 3_000, readsRefusedSeconds: 9_999 })
  expect(await buyMany(never, 3, { product: 'voucher-async' })).toHaveLength(2)
})

test('readings that wait for a window of their own are waited for, though not for ever', async () => {
  const market = openMarket(upTo('125'), { laterMs: 3_000, readsQueueSeconds: 58 })
  expect(await buyMany(market, 50, { product: 'voucher-async' })).toEqual([])
  const never = openMarket(upTo('125'), { laterMs: 3_000, readsQueueSeconds: 9_999 })
  const refused = await buyMany(never, 3, { product: 'voucher-async' })
  expect(refused).toHaveLength(2)
  expect(refused[0]).toContain('within 17 s and the waits for windows')
})

test('an order that never shows its price closes its product', async () => {
  const market = openMarket(upTo('125'), { laterMs: 1_000_000 })
  const refused = await buyMany(market, 3, { product: 'voucher-async' })
  expect(market.shop.orders).toHaveLength(1)
  expect(refused[0]).toMatch(/price of the product voucher-async is not confirmed \(reference r0\)/)
  expect(market.guard.made).toMatchObject([{ status: 'IN_PROGRESS' }])
})

test('what is charged and answered 500 is settled by a replay', async () => {
  // The replay is reserved as well: a service that is wrong may sell again.
  const market = openMarket(upTo('127.50'), { fates: ['broken'] })
  expect(await buyMany(market, 50)).toEqual([])
  expect(market.shop.orders).toHaveLength(50)
  const double = openMarket(upTo('130'), { fates: ['broken', 'broken'], unit: () => DOUBLE })
  expect(await buyMany(double, 50)).toHaveLength(49)
  expect(double.shop.orders).toHaveLength(1)
  expect(double.guard.overcharge?.charged).toBe(5_000_000n)
})

test('what is charged and always answered 500 counts as spent, and is not tried twice', async () => {
  const fates = Array.from({ length: 60 }, () => 'broken' as const)
  const market = openMarket(upTo('125'), { fates })
  expect(await buyMany(market, 50)).toHaveLength(49)
  expect(market.shop.orders).toHaveLength(1)
  expect(market.guard.money.get('USD')).toBeGreaterThanOrEqual(market.shop.spent)
  expect(market.guard.made.every(({ status }) => status === undefined)).toBe(true)
})

test('a price that rises on the way costs one order more than reserved at most', async () => {
  const market = openMarket(upTo('125'), { unit: (before) => (before < 10 ? UNIT : '40.00') })
  expect(await buyMany(market, 50)).toHaveLength(39)
  expect(market.shop.orders).toHaveLength(11)
  expect(market.shop.together).toBe(1)
})

/** What fifty orders have to be permitted that meet after the first: the 49 twice. */
const MEETING = '247.50'

test('purchases that are to meet do so, after the first of their product', async () => {
  const market = openMarket(upTo(MEETING))
  expect(await buyMany(market, 50, {}, { throttled: 'return' })).toEqual([])
  expect(market.shop.together).toBe(49)
})

test('a price that doubles while purchases meet does not pass the permitted sum', async () => {
  const market = openMarket(upTo(MEETING), { unit: (before) => (before < 10 ? UNIT : DOUBLE) })
  expect(await buyMany(market, 50, {}, { throttled: 'return' })).toEqual([])
  expect(market.guard.overcharge).toMatchObject({ charged: 5_000_000n })
  expect(market.shop.spent).toBeGreaterThan(parseMoney('125') ?? 0n)
  expect(market.shop.spent).toBeLessThanOrEqual(parseMoney(MEETING) ?? 0n)
  // With less, fewer meet.
  const tight = openMarket(upTo('125'), { unit: (before) => (before < 1 ? UNIT : DOUBLE) })
  const refused = await buyMany(tight, 50, {}, { throttled: 'return' })
  expect(refused[0]).toContain('set aside while orders are under way together')
  expect(tight.shop.spent).toBeLessThanOrEqual(parseMoney('125') ?? 0n)
})

test('the dearest of stated and catalog price is reserved', async () => {
  const catalog = [
    { product: 'voucher', currency: 'USD', micros: 5_250_000n, per: 'unit' },
  ] as const
  const market = openMarket(upTo('5.24'), {}, catalog)
  expect(await buyMany(market, 2)).toHaveLength(2)
  expect(market.shop.orders).toEqual([])
})

test('on a sandbox without a sum a higher price is told and stops nothing', async () => {
  const market = openMarket({}, { unit: () => DOUBLE })
  expect(await buyMany(market, 50)).toEqual([])
  expect(market.shop.orders).toHaveLength(50)
  expect(market.guard.overcharge?.reference).toBe('r0')
})
