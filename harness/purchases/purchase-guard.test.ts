import { describe, expect, it } from 'vitest'
import { PurchaseGuard } from './purchase-guard.ts'
import { PurchaseRefused } from './purchase.ts'

const usd = (id: string, micros: bigint): { id: string; currency: string; micros: bigint } => ({
  id,
  currency: 'USD',
  micros,
})

describe('PurchaseGuard', () => {
  it('refuses beyond the permitted number', () => {
    const guard = new PurchaseGuard({ ordersMax: 1 })
    guard.reserve(usd('a', 1n))
    expect(() => guard.reserve(usd('b', 1n))).toThrow(PurchaseRefused)
    expect(guard.orders).toBe(1)
  })

  it('counts a reference that is sent again until the answer shows the same order', () => {
    const guard = new PurchaseGuard({ ordersMax: 2 })
    guard.reserve(usd('a', 1n))
    guard.reserve(usd('a', 1n))
    expect(() => guard.reserve(usd('a', 1n))).toThrow(PurchaseRefused)
    guard.settle(usd('a', 1n), { outcome: 'maybe made', orderId: 'order-1' })
    guard.settle(usd('a', 1n), { outcome: 'maybe made', orderId: 'order-1' })
    expect(guard.orders).toBe(1)
    guard.reserve(usd('a', 1n))
    guard.settle(usd('a', 1n), { outcome: 'maybe made', orderId: 'order-2' })
    expect(guard.orders).toBe(2)
    expect(() => guard.reserve(usd('a', 1n))).toThrow(PurchaseRefused)
  })

  it('counts a lost answer as an order of its own', () => {
    const guard = new PurchaseGuard({ ordersMax: 2 })
    guard.reserve(usd('a', 1n))
    guard.settle(usd('a', 1n), { outcome: 'maybe made' })
    guard.reserve(usd('a', 1n))
    guard.settle(usd('a', 1n), { outcome: 'maybe made', orderId: 'order-1' })
    expect(guard.orders).toBe(2)
  })

  it('refuses everything where nothing is permitted', () => {
    const nothing = new PurchaseGuard({ ordersMax: 0 })
    expect(() => nothing.requireSome()).toThrow('--allow-purchases')
    expect(() => nothing.reserve(usd('a', 1n))).toThrow(PurchaseRefused)
    expect(() => new PurchaseGuard({}).requireSome()).not.toThrow()
  })

  it('refuses beyond the permitted sum, and where the price is not known in its currency', () => {
    const guard = new PurchaseGuard({ spendMax: { currency: 'USD', micros: 5_000_000n } })
    guard.reserve(usd('a', 4_000_000n))
    expect(() => guard.reserve(usd('b', 1_000n))).toThrow('4.001 set aside while orders are')
    guard.settle(usd('a', 4_000_000n), { outcome: 'maybe made' })
    expect(() => guard.reserve(usd('b', 1_000_001n))).toThrow('USD 5.00 would be exceeded')
    expect(() => guard.reserve({ id: 'c', currency: 'EUR', micros: 1n })).toThrow('not known')
    expect(() => guard.reserve({ id: 'd', currency: 'USD' })).toThrow('not known')
    guard.reserve(usd('e', 1_000_000n))
  })

  it('reserves all positions of a cart or none', () => {
    const guard = new PurchaseGuard({ ordersMax: 3 })
    guard.reserveAll([usd('a', 1n), usd('b', 1n)])
    expect(() => guard.reserveAll([usd('c', 1n), usd('d', 1n)])).toThrow(PurchaseRefused)
    expect(guard.orders).toBe(2)
    guard.reserve(usd('e', 1n))
    expect(guard.orders).toBe(3)
  })

  it('gives back what was plainly refused, and keeps what may have been made', () => {
    const guard = new PurchaseGuard({ ordersMax: 1 })
    guard.reserve(usd('a', 1n))
    guard.settle(usd('a', 1n), { outcome: 'refused' })
    guard.reserve(usd('b', 1n))
    guard.settle(usd('b', 1n), { outcome: 'maybe made' })
    expect(() => guard.reserve(usd('c', 1n))).toThrow('permitted 1 orders')
  })

  it('keeps an order that one of several attempts may have made', () => {
    const guard = new PurchaseGuard({ ordersMax: 2 })
    guard.reserve(usd('a', 1n))
    guard.reserve(usd('a', 1n))
    guard.settle(usd('a', 1n), { outcome: 'maybe made' })
    guard.settle(usd('a', 1n), { outcome: 'refused' })
    expect(guard.orders).toBe(1)
    guard.reserve(usd('b', 1n))
    expect(() => guard.reserve(usd('c', 1n))).toThrow(PurchaseRefused)
  })

  it('counts as settled what was answered, not what is under way', () => {
    const guard = new PurchaseGuard({})
    guard.reserve(usd('a', 5n))
    expect([guard.money.get('USD'), guard.moneySettled.get('USD')]).toEqual([5n, undefined])
    guard.settle(usd('a', 5n), { outcome: 'maybe made', orderId: 'order-1' })
    expect(guard.moneySettled.get('USD')).toBe(5n)
  })

  it('counts as settled what is certain: no lost order, and what was charged instead of what was reserved', () => {
    const guard = new PurchaseGuard({})
    guard.reserve(usd('lost', 100n))
    guard.settle(usd('lost', 100n), { outcome: 'maybe made' })
    expect([guard.money.get('USD'), guard.moneySettled.get('USD')]).toEqual([100n, undefined])
    guard.reserve(usd('made', 10n))
    guard.settle(usd('made', 10n), { outcome: 'maybe made', orderId: 'order-1', micros: 4n })
    expect([guard.money.get('USD'), guard.moneySettled.get('USD')]).toEqual([110n, 4n])
    // The next sending of the lost order tells that it was made.
    guard.reserve(usd('lost', 100n))
    const answer = { outcome: 'maybe made', orderId: 'order-2', replayed: true } as const
    guard.settle(usd('lost', 100n), answer)
    expect([guard.money.get('USD'), guard.moneySettled.get('USD')]).toEqual([110n, 104n])
  })

  it('counts an order that nobody asked for, once', () => {
    const guard = new PurchaseGuard({})
    const found = { orderId: 'order-1', currency: 'USD', charged: 7n, status: 'SUCCESS' }
    guard.found(found)
    guard.found(found)
    expect([guard.orders, guard.money.get('USD')]).toEqual([1, 7n])
  })
})
