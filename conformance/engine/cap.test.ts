import { expect, test } from 'vitest'
import { capOf } from './cap.ts'

const target = (voucher: string | undefined, esim?: string): Parameters<typeof capOf>[1] => ({
  products: {
    voucher: { variables: {}, ...(voucher !== undefined && { unitPrice: voucher }) },
    ...(esim !== undefined && { esim: { variables: {}, unitPrice: esim } }),
  },
})

test.each([
  ['1.00', '12.00'],
  ['3.00', '36.00'],
  ['0.25', '3.00'],
  [undefined, '12.00'],
])('a cap of twelve vouchers at %s is %s', (unitPrice, cap) => {
  expect(capOf({ transactionLimit: '12.00' }, target(unitPrice))).toBe(cap)
})

test('a cap of ten vouchers is so many, priced in thousandths too', () => {
  expect(capOf({ transactionLimit: '10.00' }, target('1.005'))).toBe('10.05')
})

test('covers other purchasables at their own price, in hundredths', () => {
  const needs = { transactionLimit: '1.50', capCovers: { esim: 2 } }
  expect(capOf(needs, target('1.00', '4.50'))).toBe('10.50')
  expect(capOf(needs, target('3.33', '20.00'))).toBe('45.00')
})

test('asks for none where the check needs none', () => {
  expect(capOf({}, target('3.00'))).toBeUndefined()
})
