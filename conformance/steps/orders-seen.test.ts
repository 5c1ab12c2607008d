import { describe, expect, test } from 'vitest'
import type { OperationName } from '../../contract/operations.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import { exchangeWith } from '../../test/support/exchanges.ts'
import type { InvariantContext } from '../engine/check.ts'
import { everySeen, ordersSeen, purchasesSeen, vouchersSeen } from './orders-seen.ts'

function exchange(
  operation: OperationName,
  data: unknown,
  { body, query = '', status = 200 }: { body?: string; query?: string; status?: number } = {},
): Exchange {
  const url = `http://service.example/api/v1/orders${query}`
  return exchangeWith({
    operation,
    request: { url, ...(body !== undefined && { body }) },
    response: { status },
    json: { data },
  })
}

const shop = { body: '{"order":{"ordersType":"shop"}}' }
const delivered = { status: 'SUCCESS', result: { vouchers: [{ pin: 'A' }, 'no object'] } }

describe('purchases seen', () => {
  test('an accepted purchase is seen with its kind, wherever the body has it', () => {
    const [seen, ...others] = purchasesSeen([exchange('createOrder', { orderId: 'o' }, shop)])
    expect(others).toEqual([])
    expect(seen).toMatchObject({ kind: 'shop', value: { orderId: 'o' } })
  })

  test('refusals, checks and other operations are none', () => {
    const check = { body: '{"ordersType":"dtu","checkOnly":true}' }
    expect(
      purchasesSeen([
        exchange('createOrder', {}, { ...shop, status: 422 }),
        exchange('createOrder', {}, check),
        exchange('getOrders', {}, shop),
      ]),
    ).toEqual([])
  })

  test('a body that is no JSON names no kind, and an answer without data lacks everything', () => {
    const [seen] = purchasesSeen([exchange('createOrder', null, { body: '{' })])
    expect(seen).toMatchObject({ kind: undefined, value: {} })
  })
})

describe('orders seen', () => {
  test('a listed item that names a bought order is that order, with its kind', () => {
    const page = { page: { items: [{ orderId: 'o' }, { orderId: 'foreign' }, 'no object'] } }
    const seen = ordersSeen([
      exchange('createOrder', { orderId: 'o' }, shop),
      exchange('getOrders', page),
    ])
    expect(seen.map(({ kind, value }) => [kind, value])).toEqual([
      ['shop', { orderId: 'o' }],
      ['shop', { orderId: 'o' }],
    ])
  })
})

describe('vouchers seen', () => {
  test('those of purchases and of listings may be masked, those of a filtered reveal are clear', () => {
    const page = { page: { items: [delivered] } }
    const seen = vouchersSeen([
      exchange('createOrder', delivered, shop),
      exchange('getOrders', page, { query: '?orderId=o&unhide=true' }),
      exchange('getOrders', page, { query: '?unhide=true' }),
    ])
    expect(seen.map(({ isClear, value }) => [isClear, value])).toEqual([
      [false, { pin: 'A' }],
      [true, { pin: 'A' }],
      [false, { pin: 'A' }],
    ])
  })

  test('masked reads, pending orders and other kinds of orders show none', () => {
    const pending = { page: { items: [{ ...delivered, status: 'IN_PROGRESS' }] } }
    expect(
      vouchersSeen([
        exchange('getOrders', { page: { items: [delivered] } }, { query: '?unhide=false' }),
        exchange('getOrders', pending, { query: '?unhide=true' }),
        exchange('createOrder', delivered, { body: '{"ordersType":"dtu"}' }),
      ]),
    ).toEqual([])
  })
})

test('what is held against an earlier answer names both, for an outage may lie between them', () => {
  const [before, later] = [exchange('getOrders', {}), exchange('getOrders', {})]
  const named: unknown[] = []
  const context = {
    expect: () => ({
      that: (_: string, claim: { exchanges: unknown }) => named.push(claim.exchanges),
    }),
  } as unknown as InvariantContext
  const rule = everySeen<{ exchange: Exchange; first: { exchange: Exchange } }>({
    id: 'orders.made-up',
    title: 'made up',
    requirement: 'GET-05',
    statement: 'made up',
    subjects: () => [{ exchange: later, first: { exchange: before } }],
    nothing: 'nothing',
    breach: () => 'fewer',
  })
  rule.judge(context)
  expect(named).toEqual([[before, later]])
})
