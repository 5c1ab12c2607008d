/** What holds for the usual request, told of another form of it, another kind of order or another endpoint. */
import {
  ORDERS,
  esimOrder,
  itemsOf,
  laterOrder,
  orderIdOf,
  ordersIn,
  pinsOf,
  shopOrder,
  topUpOrder,
} from './kit.ts'
import type { Bench, Peer } from './kit.ts'
import type { Probe } from './probes.ts'

const LOOKUP = '/api/v1/items/lookup'
const PAIR = { serviceId: 'svc-arcade', itemId: 'arcade-1' }
const CRYSTALS = { serviceId: 'svc-crystals', itemId: 'crystals' }
const cart = (positions = 2): object => ({
  referenceId: 'a',
  positions: Array.from({ length: positions }, () => ({
    ordersType: 'shop',
    ...PAIR,
    quantity: 1,
  })),
})
const URL = 'https://platform.example/somebody'
const untyped = { contentType: null }
const scoped = (...scopes: readonly string[]): object => ({ scopes })

/** Without the header of a key. */
function stranger({ service }: Bench, method: string, url: string, body: string): Promise<number> {
  const headers = ['Content-Type', 'application/json']
  const request = { method, url, headers, body, remoteAddress: '127.0.0.1' }
  return Promise.resolve(service.handle(request)).then(({ status }) => status)
}

const ACCESS: Readonly<Record<string, Probe>> = {
  'validation without media type': async ({ peer }) =>
    (await peer().post('/dtu/validation', topUpOrder('a'), untyped)).status,
  'quote without media type': async ({ peer }) => {
    const place = { editionId: 'edition-lantern', recipientRegion: 'EU' }
    return (await peer().post('/api/v1/platform-gifts/quotes', place, untyped)).status
  },
  'order without body and media type': async ({ peer }) =>
    (await peer().post(ORDERS, '', untyped)).status,
  'check without orders:write': async ({ peer }) => {
    const caller = peer(scoped('product:read'))
    return (await caller.post(ORDERS, topUpOrder('a', { checkOnly: true }))).status
  },
  'unhide without orders:read': async ({ peer }) =>
    (await peer(scoped('orders:write')).get(`${ORDERS}?referenceId=a&unhide=true`)).status,
  'lookup without a key': (bench) =>
    stranger(bench, 'POST', LOOKUP, JSON.stringify({ items: [PAIR] })),
  'purchase with a dead key': async ({ peers }) => {
    const { gone, over } = peers({ gone: { status: 'revoked' }, over: { status: 'expired' } })
    const sent = [gone, over].map((peer) => peer.post(ORDERS, shopOrder('a')))
    return (await Promise.all(sent)).map(({ status }) => status)
  },
  'body that is no object': async ({ peer }) => {
    const { status, text } = await peer().post(ORDERS, 'null')
    return [status, text.startsWith('{')]
  },
  'whoami behind a header': async ({ peer }) => {
    const headers = [['X-Forwarded-For', '192.0.2.77']] as const
    return (await peer().get('/whoami', { headers })).body.data
  },
  'code of an invalid order': async ({ peer }) =>
    (await peer().post(ORDERS, shopOrder('a', -1))).body.statusCode,
}

const SEARCHES = ['arcade_credits', 'arcade.credits', 'credits arcade']

const CATALOG: Readonly<Record<string, Probe>> = {
  'search for no text of a name': async ({ peer }) => {
    const caller = peer()
    const counts: unknown[] = []
    for (const text of SEARCHES) {
      const url = `/api/v1/services?search=${encodeURIComponent(text)}`
      const { data } = (await caller.get(url)).body
      counts.push((data?.['services'] as readonly unknown[] | undefined)?.length)
    }
    return counts
  },
  'page of no product': async ({ peer }) =>
    (await peer().get('/api/v1/services?search=nothing&limit=1')).body.data?.['total'],
  'id of a looked-up item': async ({ peer }) => {
    const { data } = (await peer().post(LOOKUP, { items: [PAIR] })).body
    const [element] = (data?.['items'] ?? []) as { item?: { id?: string } }[]
    return element?.item?.id
  },
  'id of a single item': async ({ peer }) =>
    (await peer().get('/api/v1/services/svc-arcade/items/arcade-1')).body.data?.['id'],
}

/** Statuses of reads in clear, by the given filters in turn. */
async function clearReads(peer: Peer, ...filters: readonly string[]): Promise<number[]> {
  const statuses: number[] = []
  for (const filter of filters)
    statuses.push((await peer.get(`${ORDERS}?${filter}&unhide=true`)).status)
  return statuses
}

const READS: Readonly<Record<string, Probe>> = {
  'top-up, read in clear twice': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, topUpOrder('a'))
    return clearReads(caller, 'referenceId=a', 'referenceId=a')
  },
  'order, read in clear by both names': async ({ peer }) => {
    const caller = peer()
    const orderId = orderIdOf(await caller.post(ORDERS, shopOrder('a')))
    return clearReads(caller, 'referenceId=a', `referenceId=a&orderId=${orderId}`)
  },
  'masked reads by both names': async ({ peer }) => {
    const caller = peer()
    const orderId = orderIdOf(await caller.post(ORDERS, shopOrder('a')))
    const statuses: number[] = []
    for (const filter of ['referenceId=a', `referenceId=a&orderId=${orderId}`])
      for (let times = 0; times < 3; times++)
        statuses.push((await caller.get(`${ORDERS}?${filter}`)).status)
    return statuses
  },
  'partial order, read in clear by both names': async ({ peer, clock }) => {
    const caller = peer()
    const orderId = orderIdOf(await caller.post(ORDERS, laterOrder('a', 'bundle-scarce')))
    clock.advance(2_000)
    const [one, two] = ['referenceId=a', `orderId=${orderId}`]
    return clearReads(caller, one, one, two, two)
  },
  'eSIM of another key': async ({ peers }) => {
    const { one, two } = peers({ one: {}, two: {} })
    await one.post(ORDERS, esimOrder('a'))
    return itemsOf(await two.get(`${ORDERS}?referenceId=a`)).length
  },
  'checkout, read in clear': async ({ peer }) => {
    const caller = peer()
    await caller.post('/carts', cart())
    return itemsOf(await caller.get(`${ORDERS}?referenceId=a&unhide=true`)).map(pinsOf)
  },
  'checkout of another key': async ({ peers }) => {
    const { one, two } = peers({ one: {}, two: {} })
    await one.post('/carts', cart())
    return itemsOf(await two.get(`${ORDERS}?referenceId=a`)).length
  },
  'partial order, read in clear': async ({ peer, clock }) => {
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a', 'bundle-scarce'))
    clock.advance(2_000)
    return itemsOf(await caller.get(`${ORDERS}?referenceId=a&unhide=true`)).map(pinsOf)
  },
}

/** What one purchase uses up of a cap of 20.00. */
async function used({ service, peer }: Bench, order: object): Promise<unknown> {
  const caller = peer({ transactionLimit: '20.00' })
  await caller.post(ORDERS, order)
  return service.control.keyFacts(caller.key).transactionUsed
}

const LONG = { serviceId: 'svc-bulk', itemId: 'bulk-card', isLongOrder: true }

const PURCHASES: Readonly<Record<string, Probe>> = {
  'top-up with checkOnly=false': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, topUpOrder('a', { checkOnly: false }))
    return itemsOf(await caller.get(`${ORDERS}?referenceId=a`)).length
  },
  'top-up twice': async ({ peer }) => {
    const caller = peer()
    const first = await caller.post(ORDERS, topUpOrder('a'))
    return orderIdOf(first) === orderIdOf(await caller.post(ORDERS, topUpOrder('a')))
  },
  'balance after a replay': async ({ peer }) => {
    const caller = peer({ scopes: ['orders:write', 'funds:read'] })
    await caller.post(ORDERS, shopOrder('a'))
    await caller.post(ORDERS, shopOrder('a'))
    return (await caller.get('/api/v1/balance')).body.data?.['balance']
  },
  'code of a gift conflict': async ({ peer }) => {
    const caller = peer()
    const orders = [await giftOrder(caller, 'EU'), await giftOrder(caller, 'US')]
    const sent = []
    for (const order of orders) sent.push((await caller.post(ORDERS, order)).body.statusCode)
    return sent
  },
  'checkout twice at once': async ({ peer }) => {
    const caller = peer()
    await Promise.all([caller.post('/carts', cart()), caller.post('/carts', cart())])
    return itemsOf(await caller.get(`${ORDERS}?referenceId=a`)).length
  },
  'checkout again with one position more': async ({ peer }) => {
    const caller = peer()
    const first = await caller.post('/carts', cart())
    await caller.post('/carts', cart(3))
    const { length } = itemsOf(await caller.get(`${ORDERS}?referenceId=a`))
    return [ordersIn(first).length, length]
  },
  'carts at once under a cap': async ({ peer }) => {
    const caller = peer({ transactionLimit: '3.00' })
    const again = { ...cart(), referenceId: 'b' }
    const sent = [caller.post('/carts', cart()), caller.post('/carts', again)]
    return (await Promise.all(sent)).filter(({ status }) => status === 200).length
  },
  'purchase after many refusals by the cap': async ({ peers, clock }) => {
    const { one } = peers({ one: { transactionLimit: '1.00' } })
    for (let sent = 0; sent < 6; sent++) {
      await one.post(ORDERS, shopOrder(`beyond-${sent}`, 2))
      clock.advance(60_000)
    }
    return (await one.post(ORDERS, shopOrder('within'))).status
  },
  'gift sent again with another region once it has ended': async ({ peer, clock }) => {
    const caller = peer()
    await caller.post(ORDERS, await giftOrder(caller, 'EU'))
    const other = await giftOrder(caller, 'US')
    const pending = await caller.post(ORDERS, other)
    clock.advance(5_000)
    return [pending.status, (await caller.post(ORDERS, other)).status]
  },
  'two of each kind at once under a cap': async ({ peer }) => {
    const accepted: number[] = []
    const caps = { '1.50': TOP_UPS, '5.00': [esimOrder('a'), esimOrder('b')], '1.51': MIXED }
    for (const [transactionLimit, orders] of Object.entries(caps))
      accepted.push(await acceptedOf(peer({ transactionLimit }), orders))
    const caller = peer({ transactionLimit: '15.00' })
    const gift = await giftOrder(caller, 'EU')
    const other = await giftOrder(caller, 'EU')
    return [...accepted, await acceptedOf(caller, [gift, { ...other, referenceId: 'b' }])]
  },
  'top-up twice at once': async ({ peer }) => {
    const caller = peer()
    const sent = [1, 2].map(() => caller.post(ORDERS, topUpOrder('a')))
    await Promise.all(sent)
    return itemsOf(await caller.get(`${ORDERS}?referenceId=a`)).length
  },
  'top-up twice, code': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, topUpOrder('a'))
    return (await caller.post(ORDERS, topUpOrder('a'))).body.statusCode
  },
  'caps of two keys': async ({ peers }) => {
    const { one, two } = peers({
      one: { transactionLimit: '1.00' },
      two: { transactionLimit: '1.00' },
    })
    const sent = [await one.post(ORDERS, shopOrder('a')), await two.post(ORDERS, shopOrder('b'))]
    return sent.map(({ status }) => status)
  },
  'cap used up by fractions': async ({ peer }) => {
    const caller = peer({ transactionLimit: '0.60' })
    const statuses: number[] = []
    for (const reference of ['a', 'b', 'c', 'd']) {
      const order = topUpOrder(reference, { ...CRYSTALS, amount: 10 })
      statuses.push((await caller.post(ORDERS, order)).status)
    }
    return statuses
  },
  'cap after units': (bench) => used(bench, topUpOrder('a', { ...CRYSTALS, amount: 10 })),
  'cap after a long order': (bench) => used(bench, shopOrder('a', 5, LONG)),
}

const TOP_UPS = ['a', 'b'].map((name) => topUpOrder(name, { amount: 1 }))
const MIXED = [shopOrder('s'), topUpOrder('t', { amount: 1 })]

/** How many of the orders pass that are sent at once. */
async function acceptedOf(caller: Peer, orders: readonly object[]): Promise<number> {
  const sent = await Promise.all(orders.map((order) => caller.post(ORDERS, order)))
  return sent.filter(({ status }) => status < 300).length
}

async function giftOrder(peer: Peer, recipientRegion: string): Promise<object> {
  const place = { editionId: 'edition-lantern', recipientRegion }
  const quote = await peer.post('/api/v1/platform-gifts/quotes', place)
  return {
    ordersType: 'platform-gift',
    referenceId: 'a',
    quoteToken: quote.body.data?.['quoteToken'],
    gifts: [{ recipient_region: recipientRegion, invite_url: URL, profile_url: URL }],
  }
}

export const ENDPOINT_PROBES = { ...ACCESS, ...CATALOG, ...READS, ...PURCHASES }
