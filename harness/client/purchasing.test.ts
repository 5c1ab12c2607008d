import { expect, test } from 'vitest'
import type { Purchase } from '../purchases/purchase.ts'
import type { Target } from '../target-file/target.ts'
import type { Exchange } from './exchange.ts'
import { settlementsOf } from './purchasing.ts'

const TARGET = { answers: {} } as Target

function purchase(id: string, micros: bigint): Purchase {
  return { id, reference: 'r', currency: 'USD', micros }
}

function checkout(...prices: readonly number[]): Exchange {
  return checkoutIn('USD', ...prices)
}

function checkoutIn(currency: string, ...prices: readonly number[]): Exchange {
  const orders = prices.map((price) => ({ orderId: `of ${price}`, currency, price }))
  return { json: { data: { orders } }, response: { status: 200 } } as unknown as Exchange
}

test.each([
  ['in their order', [1, 2]],
  ['in another order', [2, 1]],
])('orders of a checkout that are listed %s go with their positions', (_, prices) => {
  const asked = [purchase('one', 1_000_000n), purchase('two', 2_000_000n)]
  const settled = settlementsOf(TARGET, checkout(...prices), asked)
  expect(settled.map(([{ id }, { orderId }]) => [id, orderId])).toEqual([
    ['two', 'of 2'],
    ['one', 'of 1'],
  ])
})

test('an order that is too dear stays so', () => {
  const asked = [purchase('one', 1_000_000n), purchase('two', 2_000_000n)]
  const settled = settlementsOf(TARGET, checkout(1, 3), asked)
  expect(settled.map(([{ micros }, settlement]) => [micros, settlement.micros])).toEqual([
    [2_000_000n, 3_000_000n],
    [1_000_000n, 1_000_000n],
  ])
})

test.each([
  ['usd', 1_000_000n],
  ['840', 1_000_000n],
  ['EUR', undefined],
])('an order in %s, of a product in USD, was charged %s', (currency, charged) => {
  const settled = settlementsOf(TARGET, checkoutIn(currency, 1), [purchase('one', 1_000_000n)])
  expect(settled.map(([, { micros }]) => micros)).toEqual([charged])
})
