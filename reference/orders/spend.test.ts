import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ORDERS, bench, laterOrder, shopOrder } from '../../test/reference/kit.ts'

test('a transaction limit is raised and reset by the control side', async () => {
  const { peer, service } = bench()
  const caller = peer({ transactionLimit: '1.00' })
  await caller.post(ORDERS, shopOrder('a'))
  expect((await caller.post(ORDERS, shopOrder('b'))).status).toBe(409)
  service.control.changeKey(caller.key, { transactionLimit: '2.00' })
  expect((await caller.post(ORDERS, shopOrder('b'))).status).toBe(200)
  service.control.changeKey(caller.key, { transactionUsed: '0' })
  expect((await caller.post(ORDERS, shopOrder('c', 2))).status).toBe(200)
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
