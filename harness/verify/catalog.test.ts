import { expect, test } from 'vitest'
import { comparePrice } from './catalog.ts'

const product = (currency: string, unitPrice: string): Parameters<typeof comparePrice>[1] => ({
  variables: { itemId: 'i' },
  currency,
  unitPrice,
})
const item = { id: 'i', currency: 'EUR', price: 1.17, inStock: 1, unitPrice: '0.02' }

test.each([
  ['the price of the catalog', 'voucher', product('EUR', '1.17'), 'equal'],
  ['a price with a fee', 'voucher', product('EUR', '1.53'), 'above'],
  ['a price below that of the catalog', 'voucher', product('EUR', '1.16'), 'other'],
  ['another currency', 'voucher', product('USD', '1.53'), 'other'],
  ['units in the currency of the item', 'quantity', product('EUR', '0.01'), 'not comparable'],
  ['units in USD', 'quantity', product('USD', '0.02'), 'equal'],
  ['units below their price in USD', 'quantity', product('USD', '0.01'), 'other'],
] as const)('%s', (_what, ability, stated, is) => {
  expect(comparePrice(ability, stated, [item]).is).toBe(is)
})
