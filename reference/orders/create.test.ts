import { describe, expect, test } from 'vitest'
import {
  ORDERS,
  bench,
  esimOrder,
  itemsOf,
  laterOrder,
  orderIdOf,
  pinsOf,
  shopOrder,
  topUpOrder,
} from '../../test/reference/kit.ts'

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

describe('kinds', () => {
  test('a shop order delivers as many codes as were bought, all different', async () => {
    const reply = await bench().peer().post(ORDERS, shopOrder('a', 50))
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ status: 'SUCCESS', statusCode: 0, data: { price: 50 } })
    expect(new Set(pinsOf(reply.body.data)).size).toBe(50)
  })

  test('a long order is asynchronous and takes its smallest quantity', async () => {
    const caller = bench().peer()
    const long = { serviceId: 'svc-bulk', itemId: 'bulk-card', isLongOrder: true }
    expect((await caller.post(ORDERS, shopOrder('a', 4, long))).status).toBe(422)
    expect((await caller.post(ORDERS, shopOrder('a', 5, long))).status).toBe(202)
  })

  test('a quantity-mode top-up costs its units times the unit price', async () => {
    const caller = bench().peer()
    const item = { serviceId: 'svc-crystals', itemId: 'crystals' }
    const bought = await caller.post(ORDERS, topUpOrder('a', { ...item, amount: 30 }))
    expect(bought.body.data).toMatchObject({ price: 0.6, result: { attributes: { amount: 30 } } })
    for (const amount of [0, 5, 5010, 31, 30.5])
      expect((await caller.post(ORDERS, topUpOrder('b', { ...item, amount }))).status).toBe(422)
  })

  test('a pending eSIM has a null result and Retry-After 15; the replay shows the payload later', async () => {
    const { peer, clock } = bench()
    const caller = peer()
    const first = await caller.post(ORDERS, esimOrder('a'))
    expect(first.status).toBe(202)
    expect(first.headers['retry-after']).toBe('15')
    expect(first.body.data?.['result']).toBeNull()
    clock.advance(1500)
    const replayed = await caller.post(ORDERS, esimOrder('a'))
    expect(replayed.body.statusCode).toBe(1)
    expect(orderIdOf(replayed)).toBe(orderIdOf(first))
    expect(replayed.body.data).toMatchObject({
      status: 'SUCCESS',
      currency: 'USD',
      result: { esim: { qrCodeText: expect.stringMatching(/^LPA:1\$/) } },
    })
  })

  test('an eSIM payload without qrCodeText comes as the supplier sent it', async () => {
    const { peer, clock } = bench()
    const caller = peer()
    await caller.post(ORDERS, esimOrder('a', 'islands'))
    clock.advance(1500)
    const { data } = (await caller.post(ORDERS, esimOrder('a', 'islands'))).body
    const supplied = { lpa: expect.stringContaining('smdp.supplier.example'), profile: 'held' }
    expect(data?.['result']).toEqual({ esim: supplied })
  })
})

describe('asynchronous completion', () => {
  test.each([
    ['streaming-month', 'SUCCESS', 2],
    ['bundle-scarce', 'PARTIALLY_COMPLETED', 1],
    ['bundle-gone', 'CANCELLED', 0],
  ])('%s ends in %s', async (itemId, status, codes) => {
    const { peer, clock } = bench({ asyncCompletionMs: 1000 })
    const caller = peer()
    const accepted = await caller.post(ORDERS, laterOrder('a', itemId))
    expect([accepted.status, accepted.body.status]).toEqual([202, 'IN_PROGRESS'])
    expect(accepted.headers['retry-after']).toBe('1')
    expect(accepted.body.data).not.toHaveProperty('result')
    clock.advance(999)
    expect(itemsOf(await caller.get(`${ORDERS}?referenceId=a`))[0]?.status).toBe('IN_PROGRESS')
    clock.advance(1)
    const [item] = itemsOf(await caller.get(`${ORDERS}?referenceId=a&unhide=true`))
    expect(item?.status).toBe(status)
    expect(pinsOf(item)).toHaveLength(codes)
  })
})

describe('idempotency', () => {
  test('a replay gives the original, whatever its body says, without a second order or charge', async () => {
    const { service, peer } = bench()
    const caller = peer({ transactionLimit: '10.00' })
    const first = await caller.post(ORDERS, shopOrder('a', 2))
    for (const body of [shopOrder('a', 2), shopOrder('a', 9), { referenceId: 'a' }]) {
      const again = await caller.post(ORDERS, body)
      expect(again.body.statusCode).toBe(1)
      expect(again.body.data).toEqual(first.body.data)
    }
    expect(service.stats().orders).toBe(1)
    expect(service.control.keyFacts(caller.key).transactionUsed).toBe('2.00')
  })

  test('another key of the account gets the original with masked codes', async () => {
    const { peers, service } = bench()
    const { one, two } = peers({ one: {}, two: {} })
    const first = await one.post(ORDERS, shopOrder('a'))
    const other = await two.post(ORDERS, shopOrder('a'))
    expect(orderIdOf(other)).toBe(orderIdOf(first))
    expect(pinsOf(other.body.data)).toEqual(['****-****-****-****'])
    expect(service.stats().orders).toBe(1)
  })

  test('first-time duplicates at once create one order; the others are told to come back', async () => {
    const { peer, service } = bench()
    const caller = peer()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => caller.post(ORDERS, shopOrder('a'))),
    )
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(9)
    expect(replies.at(-1)?.headers['retry-after']).toBe('1')
    expect(service.stats().orders).toBe(1)
    expect((await caller.post(ORDERS, shopOrder('a'))).body.statusCode).toBe(1)
  })

  test('with no quote latency duplicates still create one order', async () => {
    const { peer, service } = bench({ quoteLatencyMs: 0 })
    const caller = peer()
    await Promise.all(Array.from({ length: 10 }, () => caller.post(ORDERS, shopOrder('a'))))
    expect(service.stats().orders).toBe(1)
  })
})
