import { describe, expect, it } from 'vitest'
import type { Target } from '../target-file/target.ts'
import { checkWith, SHARED } from '../../test/support/plan-checks.ts'
import { moneyText } from '../money.ts'
import type { Offer } from './check-plan.ts'
import { purchasesOf, withPricesAhead } from './purchases.ts'

const TARGET = {
  products: {
    voucher: { variables: {}, currency: 'USD', unitPrice: '1.50' },
    dtu: { variables: {}, currency: 'EUR', unitPrice: '2' },
    esim: { variables: {} },
  },
  credentials: {
    capped: {
      role: 'capped',
      account: 'main',
      secret: 's',
      env: 'S',
      transactionLimit: { currency: 'USD', limit: '20.00', used: '5.00' },
    },
  },
} as const satisfies Pick<Target, 'products' | 'credentials'>

const buys = (units: number): Parameters<typeof checkWith>[1] => ({
  purchases: 9,
  costs: { shared: { requests: {}, orders: [2, 3], units: { voucher: units } } },
})

describe('purchasesOf', () => {
  it('multiplies units by the prices of the target file, by currency', () => {
    const mixed = checkWith('a.buys', {
      costs: { shared: { requests: {}, orders: 2, units: { voucher: 4, dtu: 1 } } },
    })
    const plan = purchasesOf([mixed, checkWith('b.buys', buys(2))], SHARED, TARGET)
    expect(moneyText(plan.money)).toBe('USD 9.00 and EUR 2.00')
    expect(plan).toMatchObject({ orders: 5, ordersMax: 9, unpriced: [] })
  })

  it('names products without a price', () => {
    const check = checkWith('a.buys', {
      costs: { shared: { requests: {}, orders: 1, units: { esim: 1 } } },
    })
    expect(purchasesOf([check], SHARED, TARGET)).toMatchObject({ unpriced: ['esim'] })
  })

  it('leaves out what the target does not sell', () => {
    const check = checkWith('a.buys', {
      costs: { shared: { requests: {}, orders: 2, units: { voucher: 1, 'platform-gift': 1 } } },
    })
    const plan = purchasesOf([check], SHARED, TARGET)
    expect(plan.unpriced).toEqual([])
    expect(moneyText(plan.money)).toBe('USD 1.50')
  })

  it('counts one of each product that completes later, where its price is read ahead', () => {
    const later = { ...TARGET.products.voucher, completesWithinSeconds: 5 }
    const target = { products: { ...TARGET.products, 'voucher-async': later } }
    const check = checkWith('a.buys', {
      windows: [{ bucket: 'orders.filtered', role: 'full', operation: 'getOrders' }],
      costs: { shared: { requests: {}, orders: 3, units: { voucher: 2, 'voucher-async': 1 } } },
    })
    const permission = { spendMax: { currency: 'USD', micros: 9_000_000n } }
    const reckoned = (offer: object, checks = [check]): string => {
      const plan = purchasesOf(checks, SHARED, { ...TARGET, ...target })
      const { orders, money } = withPricesAhead(plan, checks, SHARED, {
        target,
        ...offer,
      } as Offer)
      return `${orders} for ${moneyText(money)}`
    }
    expect(reckoned({ permission })).toBe('4 for USD 6.00')
    expect(reckoned({ permission, isGentle: true })).toBe('3 for USD 4.50')
    expect(reckoned({ permission: {} })).toBe('3 for USD 4.50')
    expect(reckoned({ permission }, [{ ...check, windows: [] }])).toBe('3 for USD 4.50')
  })

  it('buys no more on a shared capped key than its cap leaves', () => {
    const capped = checkWith('a.capped', { ...buys(100), roles: ['capped'] })
    const plan = purchasesOf([capped, checkWith('b.buys', buys(2))], SHARED, TARGET)
    expect(moneyText(plan.money)).toBe('USD 18.00')
    expect(plan.onCap?.left).toBe('USD 15.00')
    expect(moneyText(plan.onCap?.wanted ?? new Map())).toBe('USD 150.00')
    const fresh = purchasesOf([capped], { ...SHARED, isFresh: true }, TARGET)
    expect(moneyText(fresh.money)).toBe('nothing')
    expect(fresh.onCap).toBeUndefined()
  })
})
