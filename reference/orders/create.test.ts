import { describe, expect, test } from 'vitest'
import { ORDERS, bench, esimOrder, shopOrder, topUpOrder } from '../../test/reference/kit.ts'

describe('validation', () => {
  const missing = { ...shopOrder('a'), serviceId: undefined }
  const gifts = { ordersType: 'platform-gift', referenceId: 'a', quoteToken: 'x' }
  test.each([
    ['MISSING', 'serviceId', missing],
    ['MISSING', 'referenceId', { ...shopOrder('a'), referenceId: undefined }],
    ['MISSING', 'ordersType', { referenceId: 'a' }],
    ['MISSING', 'amount', topUpOrder('a', { amount: undefined })],
    ['MISSING', 'topUp.account', topUpOrder('a', { topUp: {} })],
    ['OUT_OF_RANGE', 'quantity', shopOrder('a', 0)],
    ['OUT_OF_RANGE', 'quantity', shopOrder('a', 1001)],
    ['OUT_OF_RANGE', 'quantity', { ...esimOrder('a'), quantity: 2 }],
    ['OUT_OF_RANGE', 'amount', topUpOrder('a', { amount: 0.5 })],
    ['INVALID_FORMAT', 'quantity', shopOrder('a', 1.5)],
    ['INVALID_FORMAT', 'quantity', shopOrder('a', 1, { quantity: '1' })],
    ['INVALID_FORMAT', 'amount', topUpOrder('a', { amount: 1.234 })],
    ['INVALID_FORMAT', 'amount', topUpOrder('a', { amount: '5' })],
    ['INVALID_FORMAT', 'referenceId', shopOrder('with space')],
    ['INVALID_FORMAT', 'isLongOrder', shopOrder('a', 1, { isLongOrder: 'yes' })],
    ['INVALID_VALUE', 'ordersType', { ...shopOrder('a'), ordersType: 'lottery' }],
    ['INVALID_VALUE', 'serviceId', shopOrder('a', 1, { serviceId: 'svc-none' })],
    ['INVALID_VALUE', 'itemId', shopOrder('a', 1, { itemId: 'none' })],
    ['NOT_ALLOWED', 'ordersType', gifts],
    ['NOT_ALLOWED', 'isLongOrder', shopOrder('a', 9, { isLongOrder: true })],
    ['NOT_ALLOWED', 'checkOnly', shopOrder('a', 1, { checkOnly: true })],
    ['NOT_ALLOWED', 'quoteToken', shopOrder('a', 1, { quoteToken: 'x' })],
    ['NOT_ALLOWED', 'serviceId', { ...shopOrder('a'), ordersType: 'esim' }],
    ['TOO_LONG', 'referenceId', shopOrder('a'.repeat(65))],
    ['TOO_SHORT', 'referenceId', shopOrder('')],
    ['TOO_SHORT', 'topUp.account', topUpOrder('a', { topUp: { account: 'abc' } })],
  ])('%s %s', async (code, field, body) => {
    const { service, peer } = bench()
    const caller = peer()
    const reply = await caller.post(ORDERS, body)
    expect(reply.status).toBe(422)
    expect(reply.body.errors).toContainEqual(expect.objectContaining({ code, field }))
    expect(service.stats().orders).toBe(0)
    // Nothing is left behind: the reference works once the body is put right.
    expect((await caller.post(ORDERS, shopOrder('a'))).status).toBe(200)
  })

  test('every problem is named at once', async () => {
    const reply = await bench()
      .peer()
      .post(ORDERS, shopOrder('', 0, { itemId: 5 }))
    expect(reply.body.errors?.map((error) => error.field).toSorted()).toEqual([
      'itemId',
      'quantity',
      'referenceId',
    ])
  })

  test.each(['', '[]', 'null', '5', '{', '{"a":1}}', '\u0000'])(
    'the body %j is refused',
    async (text) => {
      const reply = await bench().peer().post(ORDERS, text)
      expect([reply.status, reply.body.errors?.[0]?.field]).toEqual([422, 'body'])
    },
  )
})

test('with no quote latency duplicates still create one order', async () => {
  const { peer, service } = bench({ quoteLatencyMs: 0 })
  const caller = peer()
  await Promise.all(Array.from({ length: 10 }, () => caller.post(ORDERS, shopOrder('a'))))
  expect(service.stats().orders).toBe(1)
})
