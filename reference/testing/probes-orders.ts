import {
  ORDERS,
  esimOrder,
  itemsOf,
  laterOrder,
  orderIdOf,
  pinsOf,
  shopOrder,
  topUpOrder,
} from './kit.ts'
import type { Bench, Peer, Reply } from './kit.ts'
import type { Probe } from './probes.ts'

const short = ({ status, body }: Reply): unknown => [status, body.statusCode]
const used = ({ service }: Bench, peer: Peer): string =>
  service.control.keyFacts(peer.key).transactionUsed
const read = (peer: Peer, query: string): Promise<Reply> => peer.get(`${ORDERS}?${query}`)

async function twice(bench: Bench, second: object, other = bench.peer()): Promise<unknown> {
  const first = await other.post(ORDERS, shopOrder('a'))
  const again = await other.post(ORDERS, second)
  return [again.status, orderIdOf(first) === orderIdOf(again)]
}

/** A capped key that has spent 6 of 10. */
async function halfSpent(bench: Bench, limit = '10.00'): Promise<Peer> {
  const peer = bench.peer({ transactionLimit: limit })
  await peer.post(ORDERS, shopOrder('first', 6))
  return peer
}

async function together(peer: Peer, bodies: readonly object[]): Promise<Reply[]> {
  return Promise.all(bodies.map((body) => peer.post(ORDERS, body)))
}

async function contended(bench: Bench): Promise<{ peer: Peer; late: Reply }> {
  const peer = bench.peer({ transactionLimit: '10.00' })
  const [, late] = await together(peer, [shopOrder('a', 4), shopOrder('b', 4)])
  if (late === undefined) throw new Error('no second reply')
  return { peer, late }
}

async function giftOrder(peer: Peer, referenceId: string, region = 'EU'): Promise<object> {
  const quote = await peer.post('/api/v1/platform-gifts/quotes', {
    editionId: 'edition-lantern',
    recipientRegion: region,
  })
  const url = 'https://platform.example/somebody'
  return {
    ordersType: 'platform-gift',
    referenceId,
    quoteToken: String(quote.body.data?.['quoteToken']),
    gifts: [{ recipient_region: region, invite_url: url, profile_url: url }],
  }
}

const CART = {
  referenceId: 'cart',
  positions: [
    { ordersType: 'shop', serviceId: 'svc-arcade', itemId: 'arcade-1' },
    { ordersType: 'shop', serviceId: 'svc-arcade', itemId: 'arcade-5' },
  ],
}

const IDEMPOTENCY: Readonly<Record<string, Probe>> = {
  'purchase at once': async ({ peer }) => {
    const { status, body } = await peer().post(ORDERS, shopOrder('a'))
    return [status, body.data?.['createdAt']]
  },
  'purchase of an unknown type': async ({ peer }) =>
    (await peer().post(ORDERS, shopOrder('a', 1, { ordersType: 'lottery' }))).status,
  'purchase without reference': async ({ peer }) => {
    const { referenceId, ...body } = shopOrder('a') as Record<string, unknown>
    return [typeof referenceId, (await peer().post(ORDERS, body)).status]
  },
  replay: (bench) => twice(bench, shopOrder('a')),
  'replay with another body': (bench) => twice(bench, shopOrder('a', 3)),
  'replay code': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a'))
    const { data } = (await caller.post(ORDERS, laterOrder('a'))).body
    return [data?.['status'], (await caller.post(ORDERS, laterOrder('a'))).body.statusCode]
  },
  'replay charge': async (bench) => {
    const peer = await halfSpent(bench)
    await peer.post(ORDERS, shopOrder('first', 6))
    return used(bench, peer)
  },
  'reference of another key': async ({ peers }) => {
    const { one, two } = peers({ one: {}, two: {} })
    const [first, second] = [
      await one.post(ORDERS, shopOrder('a')),
      await two.post(ORDERS, shopOrder('a')),
    ]
    return orderIdOf(first) === orderIdOf(second)
  },
  'reference of another account': async ({ peer }) => {
    const first = await peer().post(ORDERS, shopOrder('a'))
    const second = await peer().post(ORDERS, shopOrder('a'))
    return orderIdOf(first) === orderIdOf(second)
  },
  'duplicates at once': async ({ peer }) => {
    const caller = peer()
    const replies = await together(caller, [shopOrder('a'), shopOrder('a'), shopOrder('a')])
    return replies.map((reply) => reply.status)
  },
}

const STATES: Readonly<Record<string, Probe>> = {
  'asynchronous purchase, replay code': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a'))
    return (await caller.post(ORDERS, laterOrder('a'))).body.statusCode
  },
  'asynchronous purchase': async ({ peer, clock }) => {
    const caller = peer()
    const { status } = await caller.post(ORDERS, laterOrder('a'))
    clock.advance(2000)
    const [item] = itemsOf(await read(caller, 'referenceId=a'))
    return [status, item?.status]
  },
  'asynchronous purchase, envelope': async ({ peer }) => {
    const { body } = await peer().post(ORDERS, laterOrder('a'))
    return [body.status, Object.hasOwn(body.data ?? {}, 'result')]
  },
  'list with a pending order': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a'))
    return (await read(caller, 'referenceId=a')).body.status
  },
  'finished order, read again': async ({ peer, clock }) => {
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a'))
    clock.advance(2000)
    const seen = [await read(caller, 'referenceId=a'), await read(caller, 'referenceId=a')]
    return seen.map((reply) => itemsOf(reply)[0]?.status === itemsOf(seen[0] as Reply)[0]?.status)
  },
  'read by reference': async ({ peer }) => {
    const caller = peer()
    await together(caller, [shopOrder('a'), shopOrder('b')])
    return itemsOf(await read(caller, 'referenceId=a')).map((item) => item.referenceId)
  },
  'read by a part': async ({ peer }) => {
    const caller = peer()
    await together(caller, [shopOrder('abc')])
    return itemsOf(await read(caller, 'referenceId=ab')).length
  },
  'read by another key': async ({ peers }) => {
    const { one, two } = peers({ one: {}, two: {} })
    const id = orderIdOf(await one.post(ORDERS, shopOrder('a')))
    return itemsOf(await read(two, `orderId=${id}`)).length
  },
  'read by another key, by reference': async ({ peers }) => {
    const { one, two } = peers({ one: {}, two: {} })
    await one.post(ORDERS, shopOrder('a'))
    return itemsOf(await read(two, 'referenceId=a')).length
  },
  'listed by another key': async ({ peers }) => {
    const { one, two } = peers({ one: {}, two: {} })
    await one.post(ORDERS, shopOrder('a'))
    return itemsOf(await two.get(ORDERS)).length
  },
  'read by another account': async ({ peer }) => {
    const id = orderIdOf(await peer().post(ORDERS, shopOrder('a')))
    return itemsOf(await read(peer(), `orderId=${id}`)).length
  },
  ...Object.fromEntries(
    ['referenceId=a', 'referenceId=a&unhide=false', 'referenceId=a&unhide=true', ''].map(
      (query): [string, Probe] => [
        `codes with "${query}"`,
        async ({ peer }) => {
          const caller = peer()
          const [code = ''] = pinsOf((await caller.post(ORDERS, shopOrder('a'))).body.data)
          return (await read(caller, query)).text.includes(code)
        },
      ],
    ),
  ),
}

const SPENDING: Readonly<Record<string, Probe>> = {
  'cap used up to the last unit': async (bench) => {
    const peer = await halfSpent(bench)
    return (await peer.post(ORDERS, shopOrder('b', 4))).status
  },
  'cap exceeded': async (bench) => {
    const peer = await halfSpent(bench)
    const { status, body } = await peer.post(ORDERS, shopOrder('b', 5))
    return [status, body.statusCode, body.errorCode, body.statusMessage]
  },
  'charge of a purchase': async (bench) => used(bench, await halfSpent(bench)),
  'key after a cap refusal': async (bench) => {
    const peer = await halfSpent(bench)
    await peer.post(ORDERS, shopOrder('b', 5))
    return (await peer.get('/whoami')).status
  },
  'reference after a cap refusal': async (bench) => {
    const peer = await halfSpent(bench)
    await peer.post(ORDERS, shopOrder('b', 5))
    return (await peer.post(ORDERS, shopOrder('b', 1))).status
  },
  'headroom after a cap refusal': async (bench) => {
    const peer = await halfSpent(bench)
    await peer.post(ORDERS, shopOrder('b', 5))
    return (await peer.post(ORDERS, shopOrder('c', 3))).status
  },
  'purchases at once under a cap': async (bench) => {
    const peer = bench.peer({ transactionLimit: '5.00' })
    const replies = await together(peer, [shopOrder('a', 3), shopOrder('b', 2), shopOrder('c', 3)])
    const accepted = replies.filter((reply) => reply.status === 200)
    return [accepted.length, used(bench, peer)]
  },
  contention: async (bench) => {
    const { late } = await contended(bench)
    return [...(short(late) as unknown[]), late.headers['retry-after']]
  },
  'reference after contention': async (bench) => {
    const { peer } = await contended(bench)
    return itemsOf(await read(peer, 'referenceId=b')).length
  },
  'reference sent again after contention': async (bench) => {
    const { peer } = await contended(bench)
    return (await peer.post(ORDERS, shopOrder('b', 4))).status
  },
  'headroom after contention': async (bench) => {
    const { peer } = await contended(bench)
    return (await peer.post(ORDERS, shopOrder('c', 6))).status
  },
}

const OTHER_KINDS: Readonly<Record<string, Probe>> = {
  'check without order': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, topUpOrder('a', { checkOnly: true }))
    return itemsOf(await read(caller, 'referenceId=a')).length
  },
  'check, answered': async ({ peer }) =>
    (await peer().post(ORDERS, topUpOrder('a', { checkOnly: true }))).status,
  'top-up result': async ({ peer }) => {
    const { data } = (await peer().post(ORDERS, topUpOrder('a'))).body
    return Object.keys(data?.['result'] ?? {})
  },
  'eSIM replayed when finished': async ({ peer, clock }) => {
    const caller = peer()
    await caller.post(ORDERS, esimOrder('a'))
    clock.advance(2_000)
    return (await caller.post(ORDERS, esimOrder('a'))).body.data?.['status']
  },
  'eSIM with a raw payload': async ({ peer, clock }) => {
    const caller = peer()
    await caller.post(ORDERS, esimOrder('a', 'islands'))
    clock.advance(2_000)
    const [item] = itemsOf(await read(caller, 'referenceId=a'))
    return item?.result
  },
  'check of a silent provider': async ({ peer }) => {
    const order = topUpOrder('a', { checkOnly: true, itemId: 'mobile-silent' })
    const reply = await peer().post(ORDERS, order)
    return [...(short(reply) as unknown[]), reply.headers['retry-after']]
  },
  'charge of a check': async (bench) => {
    const peer = bench.peer({ transactionLimit: '10.00' })
    await peer.post(ORDERS, topUpOrder('a', { checkOnly: true, itemId: 'mobile-silent' }))
    return used(bench, peer)
  },
  'pending eSIM': async ({ peer }) => {
    const { headers, body } = await peer().post(ORDERS, esimOrder('a'))
    return [headers['retry-after'], body.data?.['result']]
  },
  'gift with an altered token': async ({ peer }) => {
    const caller = peer()
    const body = (await giftOrder(caller, 'a')) as { quoteToken: string }
    return (await caller.post(ORDERS, { ...body, quoteToken: `${body.quoteToken}x` })).status
  },
  'gift replayed for another region': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, await giftOrder(caller, 'a'))
    return (await caller.post(ORDERS, await giftOrder(caller, 'a', 'US'))).status
  },
  'checkout orders': async ({ peer }) => {
    const orders = (await peer().post('/carts', CART)).body.data?.['orders']
    return Array.isArray(orders) ? orders.length : undefined
  },
  'checkout total': async ({ peer }) => {
    const data = (await peer().post('/carts', CART)).body.data
    const orders = (data?.['orders'] ?? []) as { price: number }[]
    return data?.['totalPrice'] === orders.reduce((sum, order) => sum + order.price, 0)
  },
}

export const ORDER_PROBES: Readonly<Record<string, Probe>> = {
  ...IDEMPOTENCY,
  ...STATES,
  ...SPENDING,
  ...OTHER_KINDS,
}
