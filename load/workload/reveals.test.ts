import { expect, test } from 'vitest'
import { Reveals } from './reveals.ts'

const order = (code: string, status = 'SUCCESS') => ({
  orderId: 'a',
  status,
  result: { vouchers: [{ code }] },
})

test('a read that shows what the masked one showed has revealed nothing', () => {
  const reveals = new Reveals()
  expect(reveals.marksOf('masked', [order('****')])).toBe('-')
  expect(reveals.marksOf('by-order', [order('****')])).toBe('s')
  expect(reveals.marksOf('by-reference', [order('1234'), order('****')])).toBe('m,s')
})

test('nothing is said without a masked read in the same state, nor of an order without vouchers', () => {
  const reveals = new Reveals()
  expect(reveals.marksOf('by-order', [order('****')])).toBe('-')
  reveals.marksOf('masked', [order('****', 'IN_PROGRESS'), { orderId: 'b', result: null }, null])
  expect(reveals.marksOf('child', [order('****')])).toBe('-')
  expect(reveals.marksOf('child', [{ orderId: 'b', result: null }])).toBe('-')
})
