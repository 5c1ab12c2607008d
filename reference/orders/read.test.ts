import { describe, expect, test } from 'vitest'
import {
  ORDERS,
  bench,
  itemsOf,
  laterOrder,
  orderIdOf,
  pinsOf,
  shopOrder,
} from '../../test/reference/kit.ts'
import type { Peer, Reply } from '../../test/reference/kit.ts'

const read = (peer: Peer, query: string): Promise<Reply> => peer.get(`${ORDERS}?${query}`)
const unhide = (peer: Peer, query: string): Promise<Reply> => read(peer, `${query}&unhide=true`)

async function admitted(times: number, send: () => Promise<Reply>): Promise<number> {
  let count = 0
  for (let sent = 0; sent < times; sent++) if ((await send()).status === 200) count++
  return count
}

const CART = {
  referenceId: 'cart',
  positions: [
    { ordersType: 'shop', serviceId: 'svc-streaming', itemId: 'streaming-month' },
    { ordersType: 'shop', serviceId: 'svc-arcade', itemId: 'arcade-1' },
  ],
}

describe('selection', () => {
  test('orders are seen by the key that created them and by no other', async () => {
    const { peers, peer } = bench({ limits: { 'orders.list': { count: 9, windowSeconds: 60 } } })
    const { one, two } = peers({ one: {}, two: {} })
    const stranger = peer()
    const id = orderIdOf(await one.post(ORDERS, shopOrder('a')))
    const nothing = itemsOf(await read(one, 'orderId=ord-nothing'))
    for (const query of [`orderId=${id}`, 'referenceId=a', ''])
      for (const other of [two, stranger])
        expect(itemsOf(await read(other, query))).toEqual(nothing)
    for (const query of [`orderId=${id}`, 'referenceId=a', '', `orderId=${id}&referenceId=a`])
      expect(itemsOf(await read(one, query)).map((item) => item.orderId)).toEqual([id])
    expect(itemsOf(await read(one, `orderId=${id}&referenceId=b`))).toEqual([])
  })

  test('the reference of a checkout selects its orders, with an orderId one of them', async () => {
    const caller = bench().peer()
    const created = await caller.post('/carts', CART)
    expect(created.body.data).toMatchObject({ totalPrice: 3, status: 'IN_PROGRESS' })
    const all = itemsOf(await read(caller, 'referenceId=cart'))
    expect(all).toHaveLength(2)
    const one = itemsOf(await read(caller, `referenceId=cart&orderId=${all[1]?.orderId}`))
    expect(one.map((item) => item.orderId)).toEqual([all[1]?.orderId])
  })

  test('the listing is paged, newest first', async () => {
    const caller = bench().peer()
    for (const referenceId of ['a', 'b', 'c']) await caller.post(ORDERS, shopOrder(referenceId))
    const page = (await read(caller, 'limit=2&offset=1')).body.data?.['page']
    expect(page).toMatchObject({ total: 3, items: [{ referenceId: 'b' }, { referenceId: 'a' }] })
  })
})

describe('masking', () => {
  test('codes are shown by unhide=true with a filter only', async () => {
    const { peer } = bench({ limits: { 'orders.list': { count: 9, windowSeconds: 60 } } })
    const caller = peer()
    const bought = await caller.post(ORDERS, shopOrder('a', 3))
    const codes = pinsOf(bought.body.data)
    for (const query of ['', 'unhide=true', 'referenceId=a', 'referenceId=a&unhide=false']) {
      const { text } = await read(caller, query)
      expect(
        codes.filter((code) => text.includes(code) || text.includes(code.slice(0, 4))),
      ).toEqual([])
    }
    expect(pinsOf(itemsOf(await unhide(caller, 'referenceId=a'))[0])).toEqual(codes)
  })

  test('an unhide that is neither true nor false is refused', async () => {
    const reply = await read(bench().peer(), 'referenceId=a&unhide=1')
    expect([reply.status, reply.body.errors?.[0]?.field]).toEqual([422, 'unhide'])
  })
})

describe('budgets', () => {
  test('listing, masked reads and unhide reads do not touch each other', async () => {
    const caller = bench().peer()
    await caller.post(ORDERS, shopOrder('a'))
    expect(await admitted(4, () => read(caller, ''))).toBe(2)
    expect(await admitted(63, () => read(caller, 'referenceId=a'))).toBe(60)
    expect(await admitted(3, () => unhide(caller, 'referenceId=a'))).toBe(1)
  })

  test('a finished order is read in clear once in each window, under either name', async () => {
    const { peer, clock } = bench()
    const caller = peer()
    const id = orderIdOf(await caller.post(ORDERS, shopOrder('a')))
    expect((await unhide(caller, 'referenceId=a')).status).toBe(200)
    const refused = await unhide(caller, `orderId=${id}`)
    expect(refused.status).toBe(429)
    clock.advance(Number(refused.headers['retry-after']) * 1000)
    expect((await unhide(caller, `orderId=${id}`)).status).toBe(200)
  })

  test('after 60 pending replies the finished order comes under its own budget', async () => {
    const { peer, clock } = bench()
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a'))
    expect(await admitted(60, () => unhide(caller, 'referenceId=a'))).toBe(60)
    clock.advance(2_000)
    expect(itemsOf(await unhide(caller, 'referenceId=a'))[0]?.status).toBe('SUCCESS')
    const refused = await unhide(caller, 'referenceId=a')
    expect(refused.body.statusMessage).toContain('unhide admission')
  })

  test('61 attempts while pending spend admission, so the finished order has to wait', async () => {
    const { peer, clock } = bench()
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a'))
    expect(await admitted(61, () => unhide(caller, 'referenceId=a'))).toBe(60)
    clock.advance(2_000)
    expect((await unhide(caller, 'referenceId=a')).status).toBe(429)
    clock.advance(58_000)
    expect((await unhide(caller, 'referenceId=a')).status).toBe(200)
  })

  test('a partial order keeps to the pending budget', async () => {
    const { peer, clock } = bench()
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a', 'bundle-scarce'))
    clock.advance(2_000)
    expect(await admitted(61, () => unhide(caller, 'referenceId=a'))).toBe(60)
  })

  test('one finished child makes the whole checkout count as completed; a child counts by itself', async () => {
    const caller = bench().peer()
    await caller.post('/carts', CART)
    const [pending] = itemsOf(await unhide(caller, 'referenceId=cart'))
    expect((await unhide(caller, 'referenceId=cart')).status).toBe(429)
    const child = `referenceId=cart&orderId=${pending?.orderId}`
    expect(await admitted(5, () => unhide(caller, child))).toBe(5)
  })
})

test('the oldest finished orders are forgotten beyond the bound, their references with them', async () => {
  const { peer, service } = bench({ ordersMax: 5 })
  const caller = peer()
  for (let index = 0; index < 20; index++) await caller.post(ORDERS, shopOrder(`r${index}`))
  expect(service.stats().orders).toBe(5)
  expect(itemsOf(await read(caller, 'referenceId=r0'))).toEqual([])
  expect(itemsOf(await read(caller, '')).map((item) => item.referenceId)).toEqual([
    'r19',
    'r18',
    'r17',
    'r16',
    'r15',
  ])
})
