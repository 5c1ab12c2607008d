import { expect, test } from 'vitest'
import { evidenceOf, openModelPlan, sessionOf } from '../../test/load/sample-open-model.ts'
import { sessionOrders } from './load-orders.ts'

test('a checkout has charged the dearest of its answers: a replay may raise its price', () => {
  const cart = {
    operation: 'cart',
    ids: ['o-1', 'o-2'],
    states: ['SUCCESS', 'SUCCESS'],
    prices: ['1.00', '2.00'],
    total: '3.00',
  } as const
  const replay = { ...cart, sentMs: 50, prices: ['2.00', '4.00'], total: '6.00' }
  const session = sessionOf(0, [{ ...cart, sentMs: 0 }, replay], { kind: 'shopper' })
  const orders = [...sessionOrders(openModelPlan(), evidenceOf([session]).sessions)]
  expect(orders).toMatchObject([{ orderId: 'o-1,o-2', status: 'SUCCESS', charged: 6_000_000n }])
})
