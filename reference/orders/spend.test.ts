import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ORDERS,
  bench,
  itemsOf,
  laterOrder,
  shopOrder,
  topUpOrder,
} from '../../test/reference/kit.ts'

const CART_OF = (referenceId: string, quantity: number): object => ({
  referenceId,
  positions: [
    { ordersType: 'shop', serviceId: 'svc-arcade', itemId: 'arcade-1', quantity },
    { ordersType: 'dtu', ...topUpOrder(referenceId) },
  ],
})

describe('the transaction limit', () => {
  test('is used up to the last unit, and nothing more fits then', async () => {
    const caller = bench().peer({ transactionLimit: '10.00', transactionUsed: '3.00' })
    expect((await caller.post(ORDERS, shopOrder('a', 7))).status).toBe(200)
    const refused = await caller.post(ORDERS, shopOrder('b', 1))
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      statusCode: 13,
      errorCode: 'api_key_transaction_limit_exceeded',
      statusMessage: expect.stringMatching(/1\.00.*0\.00.*10\.00/),
    })
  })

  test('leaves no trace of what it refuses', async () => {
    const { peer, service } = bench()
    const caller = peer({ transactionLimit: '5.00' })
    expect((await caller.post(ORDERS, shopOrder('a', 6))).status).toBe(409)
    expect(itemsOf(await caller.get(`${ORDERS}?referenceId=a`))).toEqual([])
    expect(service.control.keyFacts(caller.key)).toMatchObject({
      transactionUsed: '0.00',
      reserved: '0.00',
    })
    expect((await caller.post(ORDERS, shopOrder('a', 5))).status).toBe(200)
  })

  test('can be raised and reset by the control side only', async () => {
    const { peer, service } = bench()
    const caller = peer({ transactionLimit: '1.00' })
    await caller.post(ORDERS, shopOrder('a'))
    expect((await caller.post(ORDERS, shopOrder('b'))).status).toBe(409)
    service.control.changeKey(caller.key, { transactionLimit: '2.00' })
    expect((await caller.post(ORDERS, shopOrder('b'))).status).toBe(200)
    service.control.changeKey(caller.key, { transactionUsed: '0' })
    expect((await caller.post(ORDERS, shopOrder('c', 2))).status).toBe(200)
  })

  test('holds for the sum of a checkout: all positions or none', async () => {
    const { peer, service } = bench()
    const caller = peer({ transactionLimit: '10.00' })
    expect((await caller.post('/carts', CART_OF('a', 6))).status).toBe(409)
    expect(service.stats().orders).toBe(0)
    expect((await caller.post('/carts', CART_OF('a', 5))).status).toBe(200)
    expect(service.control.keyFacts(caller.key).transactionUsed).toBe('10.00')
  })

  test('never stands in the way of a key without one', async () => {
    const { peers } = bench()
    const { free, capped } = peers({ free: {}, capped: { transactionLimit: '1.00' } })
    expect((await capped.post(ORDERS, shopOrder('a', 2))).status).toBe(409)
    expect((await free.post(ORDERS, shopOrder('b', 900))).status).toBe(200)
  })
})

describe('contention', () => {
  test('one of the orders that arrive together wins; the others leave no trace and can be sent again', async () => {
    const { peer, service } = bench()
    const caller = peer({ transactionLimit: '10.00' })
    const replies = await Promise.all(
      ['a', 'b', 'c'].map((referenceId) => caller.post(ORDERS, shopOrder(referenceId, 2))),
    )
    expect(replies.map((reply) => reply.status)).toEqual([200, 429, 429])
    expect(replies[1]?.headers['retry-after']).toBe('1')
    expect(replies[1]?.body.statusCode).toBe(8)
    expect(itemsOf(await caller.get(`${ORDERS}?referenceId=b`))).toEqual([])
    expect(service.control.keyFacts(caller.key).transactionUsed).toBe('2.00')
    expect((await caller.post(ORDERS, shopOrder('b', 2))).status).toBe(200)
    expect((await caller.post(ORDERS, shopOrder('c', 6))).status).toBe(200)
  })

  test('consumes no rate-limit quota', async () => {
    const { peer } = bench({ limits: { default: { count: 2, windowSeconds: 60 } } })
    const caller = peer({ transactionLimit: '10.00' })
    await Promise.all([caller.post(ORDERS, shopOrder('a')), caller.post(ORDERS, shopOrder('b'))])
    expect((await caller.post(ORDERS, shopOrder('b'))).status).toBe(200)
    expect((await caller.post(ORDERS, shopOrder('c'))).body.errorCode).toBe('limit_reached')
  })

  test('does not touch orders on other keys, nor those on keys without a limit', async () => {
    const { peers, peer } = bench()
    const { one, two } = peers({ one: { transactionLimit: '9' }, two: { transactionLimit: '9' } })
    const free = peer()
    const replies = await Promise.all([
      one.post(ORDERS, shopOrder('a')),
      two.post(ORDERS, shopOrder('b')),
      free.post(ORDERS, shopOrder('c')),
      free.post(ORDERS, shopOrder('d')),
    ])
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200])
  })
})

test('whatever arrives, together or apart, what is used is what was bought and never beyond the limit', async () => {
  const batches = fc.array(
    fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
    { minLength: 1, maxLength: 8 },
  )
  await fc.assert(
    fc.asyncProperty(batches, async (plan) => {
      const { peer, service } = bench()
      const caller = peer({ transactionLimit: '20.00' })
      let bought = 0
      for (const [batch, quantities] of plan.entries()) {
        const replies = await Promise.all(
          quantities.map((quantity, index) =>
            caller.post(ORDERS, shopOrder(`${batch}-${index}`, quantity)),
          ),
        )
        for (const [index, reply] of replies.entries())
          if (reply.status === 200) bought += quantities[index] ?? 0
      }
      const facts = service.control.keyFacts(caller.key)
      expect(facts).toMatchObject({ transactionUsed: `${bought}.00`, reserved: '0.00' })
      expect(bought).toBeLessThanOrEqual(20)
    }),
    { numRuns: 60 },
  )
})

describe('the balance', () => {
  test('is debited, and credited again for a cancelled order', async () => {
    const { peer, clock } = bench()
    const caller = peer({}, { funds: '10.00' })
    const balance = async (): Promise<unknown> =>
      (await caller.get('/api/v1/balance')).body.data?.['balance']
    await caller.post(ORDERS, laterOrder('a', 'bundle-gone'))
    expect(await balance()).toBe(8)
    clock.advance(1500)
    expect(await balance()).toBe(10)
    const entries = (await caller.get('/api/v1/ledger')).body.data?.['entries']
    expect(entries).toMatchObject([
      { kind: 'refund', amount: 2 },
      { kind: 'purchase', amount: -2 },
    ])
  })

  test('that does not cover an order refuses it without a trace', async () => {
    const { peer, service } = bench()
    const caller = peer({ transactionLimit: '100.00' }, { funds: '3.00' })
    const refused = await caller.post(ORDERS, shopOrder('a', 4))
    expect([refused.status, refused.body.errorCode]).toEqual([409, 'insufficient_funds'])
    expect(service.control.keyFacts(caller.key)).toMatchObject({
      transactionUsed: '0.00',
      reserved: '0.00',
    })
    expect((await caller.post(ORDERS, shopOrder('a', 3))).status).toBe(200)
  })
})

test('a rate limit of the shop service is relayed and charges nothing', async () => {
  const { peer, service } = bench()
  const caller = peer({ transactionLimit: '5.00' }, { account: 'busy' })
  service.control.relayShopLimit('busy', 1, 7)
  const relayed = await caller.post(ORDERS, shopOrder('a'))
  expect([relayed.status, relayed.body.statusCode, relayed.headers['retry-after']]).toEqual([
    429,
    8,
    '7',
  ])
  expect(service.control.keyFacts(caller.key).transactionUsed).toBe('0.00')
  expect((await caller.post(ORDERS, shopOrder('a'))).status).toBe(200)
})
