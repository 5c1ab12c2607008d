import { expect, test } from 'vitest'
import { formatMoney } from '../money.ts'
import { priceOf } from './products.ts'

const priced = (currency: string): string | undefined => {
  const item = { id: 'i', currency, price: 0.01, inStock: 1, unitPrice: '0.02' }
  const micros = priceOf('quantity', { item })
  return micros === undefined ? undefined : formatMoney(micros)
}

test('a unitPrice is proposed for items in USD alone', () => {
  expect(priced('USD')).toBe('0.02')
  expect(priced('EUR')).toBe('0.01')
})
