import { expect, test } from 'vitest'
import { ORDERS, bench, itemsOf, shopOrder } from '../../test/reference/kit.ts'
import type { Peer, Reply } from '../../test/reference/kit.ts'

const read = (peer: Peer, query: string): Promise<Reply> => peer.get(`${ORDERS}?${query}`)

test('the listing is paged, newest first', async () => {
  const caller = bench().peer()
  for (const referenceId of ['a', 'b', 'c']) await caller.post(ORDERS, shopOrder(referenceId))
  const page = (await read(caller, 'limit=2&offset=1')).body.data?.['page']
  expect(page).toMatchObject({ total: 3, items: [{ referenceId: 'b' }, { referenceId: 'a' }] })
})

test('an unhide that is neither true nor false is refused', async () => {
  const reply = await read(bench().peer(), 'referenceId=a&unhide=1')
  expect([reply.status, reply.body.errors?.[0]?.field]).toEqual([422, 'unhide'])
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
