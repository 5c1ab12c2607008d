import { expect, test } from 'vitest'
import { Reveals } from './reveals.ts'

const order = (code: string, status = 'SUCCESS') => ({
  orderId: 'a',
  status,
  result: { vouchers: [{ code }] },
})

const several = (codes: readonly string[], status?: string) => ({
  ...order('', status),
  result: { vouchers: codes.map((code) => ({ code })) },
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

test('an order of several vouchers that shows some of them has revealed a part', () => {
  const reveals = new Reveals()
  reveals.marksOf('masked-by-order', [several(['****', '****'])])
  expect(reveals.marksOf('by-order', [several(['1234', '****'])])).toBe('p')
  expect(reveals.marksOf('by-order', [several(['1234', '5678'])])).toBe('m')
  expect(reveals.marksOf('by-order', [several(['****', '****'])])).toBe('s')
  reveals.marksOf('masked', [several(['****', ''], 'PARTIALLY_COMPLETED')])
  expect(reveals.marksOf('by-order', [several(['1234', ''], 'PARTIALLY_COMPLETED')])).toBe('m')
})
