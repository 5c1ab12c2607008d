/** Stories about orders that are sent again, read again or delivered in several pieces. */
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
import type { Peer, Reply } from './kit.ts'
import type { Probe } from './probes.ts'

const WINDOW_MS = 90_000
const read = (peer: Peer, query: string): Promise<Reply> => peer.get(`${ORDERS}?${query}`)
const long = (referenceId: string): object =>
  shopOrder(referenceId, 5, { serviceId: 'svc-bulk', itemId: 'bulk-card', isLongOrder: true })

/** Price, status, count of vouchers and moment that an answer shows. */
function shown({ body: { data } }: Reply): unknown {
  return [data?.['price'], data?.['status'], data?.['createdAt'], pinsOf(data).length]
}

/** How many of the codes of an order a text has. */
function codesIn(text: string, pins: readonly string[]): number {
  return pins.filter((pin) => text.includes(pin)).length
}

const REPLAYS: Readonly<Record<string, Probe>> = {
  ...Object.fromEntries(
    ['streaming-month', 'bundle-scarce', 'bundle-gone'].map((item): [string, Probe] => [
      `${item}, sent again at its end`,
      async ({ peer, clock }) => {
        const caller = peer()
        await caller.post(ORDERS, laterOrder('a', item))
        clock.advance(2_000)
        return shown(await caller.post(ORDERS, laterOrder('a', item)))
      },
    ]),
  ),
  'order for three, sent again': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, shopOrder('a', 3))
    return shown(await caller.post(ORDERS, shopOrder('a', 3)))
  },
  'top-up, answered and sent again with another amount': async ({ peer }) => {
    const caller = peer()
    const first = await caller.post(ORDERS, topUpOrder('a'))
    const second = await caller.post(ORDERS, topUpOrder('a', { amount: 6 }))
    return [first.status, orderIdOf(first) === orderIdOf(second)]
  },
  'long order, sent again': async ({ peer }) => {
    const caller = peer()
    const first = await caller.post(ORDERS, long('a'))
    const again = await caller.post(ORDERS, long('a'))
    const found = itemsOf(await read(caller, 'referenceId=a')).length
    return [first.status, found, orderIdOf(first) === orderIdOf(again)]
  },
  'pending eSIM, sent again': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, esimOrder('a'))
    return (await caller.post(ORDERS, esimOrder('a'))).body.data?.['result']
  },
  'eSIM, copies at once': async ({ peer }) => {
    const caller = peer()
    const copies = [esimOrder('a'), esimOrder('a'), esimOrder('a')]
    const replies = await Promise.all(copies.map((copy) => caller.post(ORDERS, copy)))
    return replies.map(({ status }) => status)
  },
  'references in another case': async ({ peer }) => {
    const caller = peer()
    const first = await caller.post(ORDERS, shopOrder('a'))
    const found = itemsOf(await read(caller, 'referenceId=A')).length
    return [found, orderIdOf(first) === orderIdOf(await caller.post(ORDERS, shopOrder('A')))]
  },
}

const FOUND: Readonly<Record<string, Probe>> = {
  'top-up, number of its replay': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, topUpOrder('a'))
    return (await caller.post(ORDERS, topUpOrder('a'))).body.statusCode
  },
  'eSIM and top-up by orderId': async ({ peer }) => {
    const caller = peer()
    const bodies = [esimOrder('a'), topUpOrder('b')]
    const found: number[] = []
    for (const body of bodies) {
      const orderId = orderIdOf(await caller.post(ORDERS, body))
      found.push(itemsOf(await read(caller, `orderId=${orderId}`)).length)
    }
    return found
  },
  'top-up and gift read by another key': async ({ peers }) => {
    const { one, two } = peers({ one: {}, two: {} })
    await one.post(ORDERS, topUpOrder('b'))
    await one.post(ORDERS, await gift(one))
    const replies = [await read(two, 'referenceId=a'), await read(two, 'referenceId=b')]
    return replies.map((reply) => itemsOf(reply).length)
  },
  'top-up and gift, sent again': async ({ peer }) => {
    const caller = peer()
    const bodies = [topUpOrder('b'), await gift(caller)]
    const results: unknown[] = []
    for (const body of bodies) {
      await caller.post(ORDERS, body)
      const { data } = (await caller.post(ORDERS, body)).body
      results.push(Object.keys(data?.['result'] ?? {}))
    }
    return results
  },
  'references of top-up and eSIM for another key': async ({ peers }) => {
    const { one, two } = peers({ one: {}, two: {} })
    const same: boolean[] = []
    for (const body of [topUpOrder('b'), esimOrder('c')]) {
      const first = await one.post(ORDERS, body)
      same.push(orderIdOf(first) === orderIdOf(await two.post(ORDERS, body)))
    }
    return same
  },
  'read by a pattern': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, shopOrder('abc'))
    return itemsOf(await read(caller, 'referenceId=ab_')).length
  },
}

const EDITION = 'edition-lantern'
const ADDRESS = 'https://platform.example/somebody'

async function gift(peer: Peer, editionId = EDITION): Promise<Record<string, unknown>> {
  const quote = { editionId, recipientRegion: 'EU' }
  const { data } = (await peer.post('/api/v1/platform-gifts/quotes', quote)).body
  return {
    ordersType: 'platform-gift',
    referenceId: 'a',
    quoteToken: data?.['quoteToken'],
    gifts: [{ recipient_region: 'EU', invite_url: ADDRESS, profile_url: ADDRESS }],
  }
}

const GIFTS: Readonly<Record<string, Probe>> = {
  'gift replayed for another edition': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, await gift(caller))
    return (await caller.post(ORDERS, await gift(caller, 'edition-lantern-deluxe'))).status
  },
  'gift replayed the other way round': async ({ peer }) => {
    const caller = peer()
    const body = await gift(caller)
    await caller.post(ORDERS, body)
    const turned = Object.fromEntries(Object.entries(body).toReversed())
    return (await caller.post(ORDERS, turned)).status
  },
  'gift, copies at once': async ({ peer }) => {
    const caller = peer()
    const body = await gift(caller)
    const replies = await Promise.all([body, body, body].map((copy) => caller.post(ORDERS, copy)))
    return replies.map(({ status }) => status)
  },
}

/** What is read of an order: its codes in masked reads, in two reveals a window apart, and its states. */
function codesOf(order: (referenceId: string) => object): Probe {
  return async ({ peer, clock }) => {
    const caller = peer()
    const id = orderIdOf(await caller.post(ORDERS, order('a')))
    clock.advance(2_000)
    const masked = await read(caller, 'referenceId=a')
    const byId = await read(caller, `orderId=${id}&unhide=true`)
    clock.advance(WINDOW_MS)
    const byReference = await read(caller, 'referenceId=a&unhide=true')
    const pins = [byId, byReference].flatMap((reply) => pinsOf(itemsOf(reply)[0]))
    const clear = [...new Set(pins)].filter((pin) => !pin.includes('*'))
    return [masked, byId, byReference].map((reply) => [
      codesIn(reply.text, clear),
      itemsOf(reply)[0]?.status,
    ])
  }
}

const READINGS: Readonly<Record<string, Probe>> = {
  'order for three, codes': codesOf((referenceId) => shopOrder(referenceId, 3)),
  'later order, codes': codesOf((referenceId) => laterOrder(referenceId, 'streaming-month')),
  'partial order, codes': codesOf((referenceId) => laterOrder(referenceId, 'bundle-scarce')),
  'long order, codes': codesOf(long),
  'eSIM, read again': codesOf((referenceId) => esimOrder(referenceId)),
  'top-up, read again': codesOf((referenceId) => topUpOrder(referenceId)),
  'gift, read again': async ({ peer, clock }) => {
    const caller = peer()
    await caller.post(ORDERS, await gift(caller))
    clock.advance(2_000)
    const replies = [await read(caller, 'referenceId=a'), await read(caller, 'referenceId=a')]
    return replies.map((reply) => itemsOf(reply)[0]?.status)
  },
  'units, read': async ({ peer }) => {
    const caller = peer()
    const units = { serviceId: 'svc-crystals', itemId: 'crystals', amount: 20 }
    await caller.post(ORDERS, topUpOrder('a', units))
    return itemsOf(await read(caller, 'referenceId=a')).length
  },
}

const POSITION = { ordersType: 'shop', serviceId: 'svc-arcade', itemId: 'arcade-1' }
const CART = { referenceId: 'cart', positions: [POSITION, POSITION, POSITION] }

const CHECKOUTS: Readonly<Record<string, Probe>> = {
  'checkout of three, sent again': async ({ peer }) => {
    const caller = peer()
    const replies = [await caller.post('/carts', CART), await caller.post('/carts', CART)]
    return replies.map(({ body: { data } }) => [data?.['totalPrice'], data?.['referenceId']])
  },
  'checkout of three pieces': async ({ peer }) => {
    const positions = [{ ...POSITION, quantity: 3 }]
    return (await peer().post('/carts', { ...CART, positions })).body.data?.['totalPrice']
  },
  'checkout, masked, and an order of it alone': async ({ peer }) => {
    const caller = peer()
    const sold = await caller.post('/carts', CART)
    const orders = ordersIn(sold)
    const { text } = await read(caller, 'referenceId=cart')
    const alone = await read(caller, `orderId=${orders[0]?.orderId}`)
    return [codesIn(text, orders.flatMap(pinsOf)), itemsOf(alone).length]
  },
}

export const REPLAY_PROBES: Readonly<Record<string, Probe>> = {
  ...REPLAYS,
  ...FOUND,
  ...GIFTS,
  ...READINGS,
  ...CHECKOUTS,
}
