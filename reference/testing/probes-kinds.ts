/** Stories about purchases of every kind, each for few faults. */
import {
  ORDERS,
  esimOrder,
  itemsOf,
  laterOrder,
  orderIdOf,
  ordersIn,
  shopOrder,
  topUpOrder,
} from './kit.ts'
import type { Bench, Peer, Reply } from './kit.ts'
import type { Probe } from './probes.ts'

const PAIR = { serviceId: 'svc-arcade', itemId: 'arcade-1' }
const CRYSTALS = { serviceId: 'svc-crystals', itemId: 'crystals' }

const read = (peer: Peer, query: string): Promise<Reply> => peer.get(`${ORDERS}?${query}`)
const found = async (peer: Peer, query: string): Promise<number> =>
  itemsOf(await read(peer, query)).length

/** Status and price of one purchase. */
async function bought({ peer }: Bench, body: object, path = ORDERS): Promise<unknown> {
  const reply = await peer().post(path, body)
  return [reply.status, reply.body.data?.['price'], reply.body.data?.['currency']]
}

/** Status, statusCode, and whether both name one order. */
async function boughtTwice(peer: Peer, body: object): Promise<unknown> {
  const first = await peer.post(ORDERS, body)
  const second = await peer.post(ORDERS, body)
  return [first.status, second.body.statusCode, orderIdOf(first) === orderIdOf(second)]
}

const units = (amount: number): object => topUpOrder('a', { ...CRYSTALS, amount })
const long = (quantity: number): object =>
  shopOrder('a', quantity, { serviceId: 'svc-bulk', itemId: 'bulk-card', isLongOrder: true })

const QUANTITIES: Readonly<Record<string, Probe>> = {
  'units, right': (bench) => bought(bench, units(20)),
  'units, fraction': (bench) => bought(bench, units(20.5)),
  'units, too few': (bench) => bought(bench, units(0)),
  'units, too many': (bench) => bought(bench, units(5010)),
  'units, off the steps': (bench) => bought(bench, units(25)),
  'units, validated': (bench) => bought(bench, units(20), '/dtu/validation'),
  'units, fraction validated': (bench) => bought(bench, units(20.5), '/dtu/validation'),
  'top-up validated': (bench) => bought(bench, topUpOrder('a'), '/dtu/validation'),
  'long order of the least quantity': (bench) => bought(bench, long(5)),
  'long order of more': (bench) => bought(bench, long(6)),
  'top-up read': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, topUpOrder('a'))
    return found(caller, 'referenceId=a')
  },
  'check without reference': (bench) =>
    bought(bench, topUpOrder('a', { checkOnly: true, referenceId: undefined })),
  'silent check, order left': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, topUpOrder('a', { checkOnly: true, itemId: 'mobile-silent' }))
    return found(caller, 'referenceId=a')
  },
}

const REPLAYS: Readonly<Record<string, Probe>> = {
  'replay, price': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, shopOrder('a'))
    return (await caller.post(ORDERS, shopOrder('a'))).body.data?.['price']
  },
  'replay with another body, code': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, shopOrder('a'))
    return (await caller.post(ORDERS, shopOrder('a', 2))).body.statusCode
  },
  'eSIM bought twice': ({ peer }) => boughtTwice(peer(), esimOrder('a')),
  'eSIM with a quantity': (bench) => bought(bench, { ...esimOrder('a'), quantity: 1 }),
  'eSIM order for two': (bench) => bought(bench, { ...esimOrder('a'), quantity: 2 }),
  'finished eSIM, payloads': async ({ peer, clock }) => {
    const caller = peer()
    await caller.post(ORDERS, esimOrder('a'))
    clock.advance(2_000)
    const { text } = await read(caller, 'referenceId=a')
    return text.split('qrCodeText').length
  },
  'pending eSIM, status': async ({ peer }) =>
    (await peer().post(ORDERS, esimOrder('a'))).body.data?.['status'],
  'pending order by both names': async ({ peer }) => {
    const caller = peer()
    const id = orderIdOf(await caller.post(ORDERS, laterOrder('a')))
    return [await found(caller, `orderId=${id}`), await found(caller, 'referenceId=a')]
  },
  'pending order, listed status': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a'))
    return itemsOf(await read(caller, 'referenceId=a')).map((item) => item.status)
  },
  ...Object.fromEntries(
    ['streaming-month', 'bundle-scarce', 'bundle-gone'].map((item): [string, Probe] => [
      `${item}, finished and read twice`,
      async ({ peer, clock }) => {
        const caller = peer()
        await caller.post(ORDERS, laterOrder('a', item))
        clock.advance(2_000)
        const replies = [await read(caller, 'referenceId=a'), await read(caller, 'referenceId=a')]
        return replies.map((reply) => {
          const [order] = itemsOf(reply)
          return [order?.status, order?.result?.vouchers?.length]
        })
      },
    ]),
  ),
}

type Gift = { quoteToken?: string; gifts: readonly object[] }

async function quoteToken(peer: Peer, recipientRegion: string): Promise<string> {
  const quote = { editionId: 'edition-lantern', recipientRegion }
  const { data } = (await peer.post('/api/v1/platform-gifts/quotes', quote)).body
  return String(data?.['quoteToken'])
}

const ENTRY = {
  recipient_region: 'EU',
  invite_url: 'https://platform.example/somebody',
  profile_url: 'https://platform.example/somebody',
}

function giftOrder({ gifts, ...more }: Gift & object): object {
  return { ordersType: 'platform-gift', referenceId: 'a', gifts, ...more }
}

async function gift(peer: Peer, more: object, region = 'EU'): Promise<Reply> {
  const token = await quoteToken(peer, region)
  return peer.post(ORDERS, giftOrder({ quoteToken: token, gifts: [ENTRY], ...more }))
}

const { recipient_region: _region, ...WITHOUT_REGION } = ENTRY
const OTHER = { ...ENTRY, profile_url: 'https://platform.example/else' }

const GIFTS: Readonly<Record<string, Probe>> = {
  'gift, good': async ({ peer }) => {
    const caller = peer()
    const { status } = await gift(caller, {})
    return [status, await found(caller, 'referenceId=a')]
  },
  'gift for another region': async ({ peer }) => (await gift(peer(), {}, 'US')).status,
  'gift without token': async ({ peer }) => (await gift(peer(), { quoteToken: undefined })).status,
  'gift without reference': async ({ peer }) =>
    (await gift(peer(), { referenceId: undefined })).status,
  'gift without region': async ({ peer }) =>
    (await gift(peer(), { gifts: [WITHOUT_REGION] })).status,
  'gift without addresses': async ({ peer }) =>
    (await gift(peer(), { gifts: [{ recipient_region: 'EU' }] })).status,
  'two gifts': async ({ peer }) => (await gift(peer(), { gifts: [ENTRY, ENTRY] })).status,
  'gift replayed': async ({ peer }) => {
    const caller = peer()
    await gift(caller, {})
    return (await gift(caller, {})).body.statusCode
  },
  'gift conflict, twice': async ({ peer }) => {
    const caller = peer()
    await gift(caller, {})
    const first = await gift(caller, { gifts: [OTHER] })
    const second = await gift(caller, { gifts: [OTHER] })
    return [first.status, second.status, await found(caller, 'referenceId=a')]
  },
  'gift by both names': async ({ peer, clock }) => {
    const caller = peer()
    const id = orderIdOf(await gift(caller, {}))
    clock.advance(2_000)
    const replies = [await read(caller, `orderId=${id}`), await read(caller, 'referenceId=a')]
    return replies.map((reply) => itemsOf(reply)[0]?.status)
  },
}

const CART = {
  referenceId: 'cart',
  positions: [
    { ordersType: 'shop', ...PAIR },
    { ordersType: 'shop', ...PAIR, itemId: 'arcade-5' },
  ],
}

const CHECKOUTS: Readonly<Record<string, Probe>> = {
  'checkout, answer': async ({ peer }) => {
    const { data } = (await peer().post('/carts', CART)).body
    return [data?.['currency'], data?.['status']]
  },
  'checkout, sent twice': async ({ peer }) => {
    const caller = peer()
    await caller.post('/carts', CART)
    await caller.post('/carts', CART)
    return found(caller, 'referenceId=cart')
  },
  'checkout, orders of the answer': async ({ peer }) => {
    const { data } = (await peer().post('/carts', CART)).body
    const orders = (data?.['orders'] ?? []) as Record<string, unknown>[]
    return orders.map((order) => [order['price'], 'result' in order])
  },
  'checkout, orders of the replay': async ({ peer }) => {
    const caller = peer()
    await caller.post('/carts', CART)
    const { data } = (await caller.post('/carts', CART)).body
    return (data?.['orders'] as unknown[] | undefined)?.length
  },
  'checkout of equal positions': async ({ peer }) => {
    const caller = peer()
    await caller.post('/carts', { ...CART, positions: [CART.positions[0], CART.positions[0]] })
    return found(caller, 'referenceId=cart')
  },
  'checkout beside another one': async ({ peer }) => {
    const caller = peer()
    await caller.post('/carts', CART)
    await caller.post('/carts', { ...CART, referenceId: 'other' })
    return found(caller, 'referenceId=cart')
  },
  'lookup of two pairs': async ({ peer }) => {
    const { data } = (await peer().post('/api/v1/items/lookup', { items: [PAIR, PAIR] })).body
    return Array.isArray(data?.['items']) ? data['items'].length : undefined
  },
  'checkout, one order of it': async ({ peer }) => {
    const caller = peer()
    const orders = ordersIn(await caller.post('/carts', CART))
    const [first] = orders
    return found(caller, `referenceId=cart&orderId=${first?.orderId}`)
  },
}

export const KIND_PROBES: Readonly<Record<string, Probe>> = {
  ...QUANTITIES,
  ...REPLAYS,
  ...GIFTS,
  ...CHECKOUTS,
}
