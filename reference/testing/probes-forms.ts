/** Requests in their less usual forms, each sent by who must not, or with what must not pass. */
import { ORDERS, esimOrder, laterOrder, orderIdOf, shopOrder, topUpOrder } from './kit.ts'
import type { Bench, Peer, Reply } from './kit.ts'
import type { Probe } from './probes.ts'

const SERVICES = '/api/v1/services'
const LOOKUP = '/api/v1/items/lookup'
const PAIR = { serviceId: 'svc-arcade', itemId: 'arcade-1' }
const ITEM = `${SERVICES}/svc-arcade/items/arcade-1`
const UNTYPED = { contentType: null }

const position = (itemId: string): object => {
  const { serviceId, quantity } = laterOrder('unused', itemId) as Record<string, unknown>
  return { ordersType: 'shop', serviceId, itemId, quantity }
}
const cartOf = (referenceId: string, ...positions: readonly object[]): object => ({
  referenceId,
  positions,
})
const CART = cartOf('c', { ordersType: 'shop', ...PAIR, quantity: 1 })
const CHECK = topUpOrder('k', { checkOnly: true })

type Send = (peer: Peer) => Promise<{ readonly status: number }>

const FORMS: readonly Send[] = [
  (peer) => peer.get(SERVICES),
  (peer) => peer.get(ORDERS),
  (peer) => peer.get(ITEM),
  (peer) => peer.get(`${ORDERS}?referenceId=r&unhide=true`),
  (peer) => peer.post(LOOKUP, { items: [PAIR] }),
  (peer) => peer.post('/dtu/validation', topUpOrder('v')),
  (peer) => peer.post(ORDERS, CHECK),
  (peer) => peer.post(ORDERS, topUpOrder('t')),
  (peer) => peer.post(ORDERS, esimOrder('e')),
  (peer) => peer.post(ORDERS, shopOrder('r')),
  (peer) => peer.post('/carts', CART),
]

/** What each form is answered, after another key of the account has bought under two references. */
function refusedTo(spec: object): Probe {
  return async ({ peers }) => {
    const { full, other } = peers({ full: {}, other: spec })
    await full.post(ORDERS, shopOrder('r'))
    await full.post('/carts', CART)
    const statuses: number[] = []
    for (const send of FORMS) statuses.push((await send(other)).status)
    return statuses
  }
}

async function sendBare(
  { service }: Bench,
  method: string,
  url: string,
  body: string,
  headers: readonly string[] = ['Content-Type', 'application/json'],
): Promise<number> {
  const request = { method, url, headers, body, remoteAddress: '127.0.0.1' }
  return (await service.handle(request)).status
}

const listed = (allowlist: readonly string[], remoteAddress = '127.0.0.1'): Probe => {
  return async ({ peer }) => (await peer({ allowlist }).get(SERVICES, { remoteAddress })).status
}

const validateTopUp = (caller: Peer): Promise<Reply> =>
  caller.post('/dtu/validation', topUpOrder('v'))

const COUNTED_APART: readonly ((caller: Peer) => Promise<Reply>)[] = [
  (caller) => caller.post('/api/v1/items/lookup', { items: [PAIR] }),
  (caller) => caller.post('/carts', CART),
  validateTopUp,
]

export const FORM_PROBES: Readonly<Record<string, Probe>> = {
  'forms without a key': async (bench) => [
    await sendBare(bench, 'GET', ORDERS, ''),
    await sendBare(bench, 'GET', ITEM, ''),
    await sendBare(bench, 'GET', '/api/v1/balance', ''),
    await sendBare(bench, 'POST', '/dtu/validation', JSON.stringify(topUpOrder('v'))),
    await sendBare(bench, 'POST', ORDERS, JSON.stringify(topUpOrder('t'))),
  ],
  'forms with a revoked key': refusedTo({ status: 'revoked' }),
  'forms without a scope': refusedTo({ scopes: [] }),
  'forms from outside the allowlist': refusedTo({ allowlist: ['203.0.113.0/24'] }),
  'callers of one key': async ({ peer }) => {
    const caller = peer({ allowlist: ['127.0.0.1'] })
    const statuses: number[] = []
    for (const remoteAddress of ['127.0.0.1', '127.0.0.2'])
      statuses.push((await caller.get(SERVICES, { remoteAddress })).status)
    return statuses
  },
  'forms to other endpoints': async ({ peer }) => {
    const caller = peer()
    const form = { contentType: 'application/x-www-form-urlencoded' }
    return [
      (await caller.post('/carts', CART, form)).status,
      (await caller.post(ORDERS, shopOrder('f'), form)).status,
    ]
  },
  'item by quantity, looked up and alone': async ({ peer }) => {
    const pair = { serviceId: 'svc-crystals', itemId: 'crystals' }
    const caller = peer()
    const found = await caller.post('/api/v1/items/lookup', { items: [pair] })
    const alone = await caller.get(`${SERVICES}/${pair.serviceId}/items/${pair.itemId}`)
    return [found.body.data, alone.body.data]
  },
  'windows of other endpoints': async ({ peers, peer }) => {
    const { one, two } = peers({ one: {}, two: {} })
    const other = peer()
    const seen: unknown[] = []
    for (const send of COUNTED_APART)
      for (const caller of [one, one, one, one, one, one, one, two, other])
        seen.push([(await send(caller)).status])
    return [...seen, (await validateTopUp(one)).body.statusCode]
  },
  'lookup with one that is missing': async ({ peer }) => {
    const items = [{ ...PAIR, itemId: 'none' }, PAIR]
    return (await peer().post('/api/v1/items/lookup', { items })).body.data
  },
  'references with and without a hyphen': async ({ peer }) => {
    const caller = peer()
    const sent = [
      await caller.post(ORDERS, shopOrder('a1')),
      await caller.post(ORDERS, shopOrder('a-1')),
    ]
    return sent.map(({ body }) => body.statusCode)
  },
  'bodies that are not valid': async ({ peer }) => {
    const caller = peer()
    const sent = [
      await caller.post(ORDERS, topUpOrder('t', { amount: -1 })),
      await caller.post('/carts', {}),
      await caller.post(ORDERS, shopOrder('s', -1)),
      await caller.post(ORDERS, shopOrder('s')),
    ]
    return sent.map(({ status, body }) => [status, body.errors?.length])
  },
  'search for a page in capitals': async ({ peer }) =>
    (await peer().get(`${SERVICES}?search=ARCADE&limit=1`)).body.data,
  'eSIM looked up': async ({ peer }) => {
    const items = [{ serviceId: 'svc-esim-europe', itemId: 'esim-europe-1gb' }]
    return (await peer().post('/api/v1/items/lookup', { items })).body.data
  },
  'reads by both names, refused at last': async ({ peer }) => {
    const caller = peer()
    const orderId = orderIdOf(await caller.post(ORDERS, shopOrder('a')))
    const query = `${ORDERS}?orderId=${orderId}&referenceId=a`
    const seen: unknown[] = [(await caller.get(query)).body.data]
    for (let sent = 0; sent < 2; sent++)
      seen.push((await caller.get(`${query}&unhide=true`)).body.data)
    return seen
  },
  'checkouts and their orders, read in clear': async ({ peer }) => {
    const caller = peer()
    const position = { ordersType: 'shop', ...PAIR, quantity: 1 }
    const cart = await caller.post('/carts', cartOf('c', position, position))
    const children = cart.body.data?.['orders'] as { orderId: string }[] | undefined
    const child = `orderId=${children?.[0]?.orderId ?? ''}&`
    const statuses: number[] = []
    for (const part of [child, '', ''])
      statuses.push((await caller.get(`${ORDERS}?${part}referenceId=c&unhide=true`)).status)
    return statuses
  },
  'checkout of partial orders, read in clear twice': async ({ peer, clock }) => {
    const caller = peer()
    const pair = { serviceId: 'svc-bundle', itemId: 'bundle-scarce' }
    const position = { ordersType: 'shop', ...pair, quantity: 1 }
    await caller.post('/carts', cartOf('c', position, position))
    clock.advance(2_000)
    const statuses: number[] = []
    for (let sent = 0; sent < 2; sent++)
      statuses.push((await caller.get(`${ORDERS}?referenceId=c&unhide=true`)).status)
    return statuses
  },
  'eSIM and gift, read in clear twice': async ({ peer, clock }) => {
    const caller = peer()
    const place = { editionId: 'edition-lantern', recipientRegion: 'EU' }
    const quote = await caller.post('/api/v1/platform-gifts/quotes', place)
    const url = 'https://platform.example/somebody'
    const gift = { recipient_region: 'EU', invite_url: url, profile_url: url }
    const quoteToken = quote.body.data?.['quoteToken']
    const order = { ordersType: 'platform-gift', referenceId: 'g', quoteToken, gifts: [gift] }
    await caller.post(ORDERS, order)
    await caller.post(ORDERS, esimOrder('e'))
    clock.advance(600_000)
    const statuses: number[] = []
    for (const reference of ['e', 'e', 'g', 'g'])
      statuses.push((await caller.get(`${ORDERS}?referenceId=${reference}&unhide=true`)).status)
    return statuses
  },
  'order that its window refused, sent again': async ({ peer, clock }) => {
    const caller = peer()
    for (let sent = 0; sent < 7; sent++) await caller.post(ORDERS, shopOrder('a'))
    const refused = await caller.post(ORDERS, shopOrder('b'))
    clock.advance(60_000)
    return [refused.status, (await caller.post(ORDERS, shopOrder('b'))).status]
  },
  'queries of the catalog in one window': async ({ peer }) => {
    const caller = peer()
    for (let sent = 0; sent < 7; sent++) await caller.get(`${SERVICES}?limit=1`)
    return (await caller.get(`${SERVICES}?limit=2`)).status
  },
  'checks of several amounts and products': async ({ peer }) => {
    const caller = peer()
    const ask = async (more: object): Promise<number> =>
      (await caller.post(ORDERS, topUpOrder('c', { checkOnly: true, ...more }))).status
    for (let sent = 0; sent < 4; sent++) await ask({})
    return [await ask({ amount: 2 }), await ask({ itemId: 'mobile-silent' })]
  },
  'POST without scope from outside the allowlist': async ({ peer }) => {
    const { body } = await peer({ scopes: [], allowlist: ['10.0.0.1'] }).post('/carts', CART)
    return body.errorCode
  },
  'cart with a position that is not valid': async ({ peer }) => {
    const position = { ordersType: 'shop', ...PAIR, quantity: 1 }
    const cart = cartOf('c', position, { ...position, quantity: -1 })
    return (await peer().post('/carts', cart)).status
  },
  'pages by type': async ({ peer }) => {
    const caller = peer()
    const page = await caller.get(`${SERVICES}?type=direct_topup&limit=50`)
    return page.body.data
  },
  'page of nothing': async ({ peer }) =>
    (await peer().get(`${SERVICES}?search=nothing&limit=1`)).body.data,
  'IPv4 caller and a list of IPv6': listed(['2001:db8::/32']),
  'address that another begins with': listed(['127.0.0.10']),
  'network of everyone': listed(['0.0.0.0/0']),
  'IPv6 network in full': listed(['2001:0db8:0:0:0:0:0:0/32'], '2001:db8::1'),
  'wildcard among others': listed(['203.0.113.7', '127.0.0.*']),
  'allowlist refusal of a POST': async ({ peer }) => {
    const caller = peer({ allowlist: ['203.0.113.7'] })
    return (await caller.post(ORDERS, shopOrder('a'))).body.statusMessage
  },
  'forms without media type': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, shopOrder('r'))
    return [
      (await caller.post(LOOKUP, { items: [PAIR] }, UNTYPED)).status,
      (await caller.post(ORDERS, CHECK, UNTYPED)).status,
      (await caller.post(ORDERS, shopOrder('r'), UNTYPED)).status,
      (await caller.post('/carts', {}, UNTYPED)).status,
    ]
  },
  'admission with one rule': async ({ peer }) => {
    const limits = { 'orders.unhide.pending': null }
    return (await peer({}, { limits }).get('/rate-limits')).body.data
  },
  'voucher while the check bucket is spent': async ({ peer }) => {
    const caller = peer()
    for (let number = 0; number < 4; number++) await caller.post(ORDERS, CHECK)
    return (await caller.post(ORDERS, shopOrder('a'))).status
  },
  'checkout with a cancelled order, read in clear twice': async ({ peer, clock }) => {
    const caller = peer()
    await caller.post('/carts', cartOf('c', position('bundle-scarce'), position('bundle-gone')))
    clock.advance(2_000)
    await caller.get(`${ORDERS}?referenceId=c&unhide=true`)
    return (await caller.get(`${ORDERS}?referenceId=c&unhide=true`)).status
  },
  'partial order, read in clear half a window later': async ({ peer, clock }) => {
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a', 'bundle-scarce'))
    const statuses: number[] = []
    for (const pauseMs of [2_000, 60_000, 0, 31_000, 0, 0]) {
      clock.advance(pauseMs)
      statuses.push((await caller.get(`${ORDERS}?referenceId=a&unhide=true`)).status)
    }
    return statuses
  },
  'refusals by the cap, by kind': async ({ peer }) => {
    const caller = peer({ transactionLimit: '0.10' })
    const sent = [
      await caller.post(ORDERS, topUpOrder('t')),
      await caller.post(ORDERS, esimOrder('e')),
      await caller.post('/carts', CART),
    ]
    return sent.map(({ status, body }) => [
      status,
      body.statusCode,
      body.errorCode,
      body.statusMessage,
    ])
  },
  'filtered page': async ({ peer }) =>
    (await peer().get(`${SERVICES}?type=voucher&limit=1`)).body.data?.['total'],
  'search for two letters': async ({ peer }) => {
    const { data } = (await peer().get(`${SERVICES}?search=ar`)).body
    return (data?.['services'] as readonly unknown[] | undefined)?.length
  },
}
