import { expect, test } from 'vitest'
import type { Product, Target } from '../target-file/target.ts'
import { capCurrencyOf } from './select-accounts.ts'

type Known = Pick<Target, 'products' | 'credentials'>

const product = (currency: string): Product => ({ variables: {}, currency })
const CAPPED = {
  capped: {
    role: 'capped',
    account: 'main',
    secret: 'a-secret-key',
    env: 'KEY',
    transactionLimit: { currency: 'EUR', limit: '9.00', used: '0' },
  },
} as const satisfies Known['credentials']

test.each<[string, Known, string]>([
  ['vouchers', { products: { voucher: product('JPY') }, credentials: CAPPED }, 'JPY'],
  ['the stated cap', { products: { esim: product('USD') }, credentials: CAPPED }, 'EUR'],
  ['top-ups', { products: { esim: product('USD'), dtu: product('KWD') }, credentials: {} }, 'KWD'],
  [
    'units',
    { products: { esim: product('USD'), quantity: product('KWD') }, credentials: {} },
    'KWD',
  ],
  ['eSIMs alone', { products: { esim: product('USD') }, credentials: {} }, 'USD'],
])('a cap has the currency of %s', (_what, known, currency) => {
  expect(capCurrencyOf(known)).toBe(currency)
})
