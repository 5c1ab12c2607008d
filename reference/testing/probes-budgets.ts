/** Stories about unhide budgets, the check bucket and spend caps, each for few faults. */
import { DEFAULT_LIMITS } from '../../contract/limits.ts'
import {
  ORDERS,
  bench,
  esimOrder,
  itemsOf,
  laterOrder,
  orderIdOf,
  ordersIn,
  shopOrder,
  topUpOrder,
} from './kit.ts'
import type { Bench, Peer, Reply, SendOptions } from './kit.ts'
import type { Probe } from './probes.ts'

const read = (peer: Peer, query: string, options: SendOptions = {}): Promise<Reply> =>
  peer.get(`${ORDERS}?${query}`, options)
const unhide = (peer: Peer, query: string, options: SendOptions = {}): Promise<Reply> =>
  read(peer, `${query}&unhide=true`, options)

async function statuses(times: number, send: () => Promise<Reply>): Promise<number[]> {
  const seen: number[] = []
  for (let sent = 0; sent < times; sent++) seen.push((await send()).status)
  return seen
}

const UNHIDE: Readonly<Record<string, Probe>> = {
  'unhide, next window': async ({ peer, clock }) => {
    const caller = peer()
    await caller.post(ORDERS, shopOrder('a'))
    const first = await unhide(caller, 'referenceId=a')
    clock.advance(61_000)
    return [first.status, (await unhide(caller, 'referenceId=a')).status]
  },
  'unhide, pending beyond the budget': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a'))
    return statuses(4, () => unhide(caller, 'referenceId=a'))
  },
  'unhide, wait of a pending order': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a'))
    await statuses(3, () => unhide(caller, 'referenceId=a'))
    return (await unhide(caller, 'referenceId=a')).headers['retry-after']
  },
  'unhide, cancelled twice': async ({ peer, clock }) => {
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a', 'bundle-gone'))
    clock.advance(2_000)
    return statuses(2, () => unhide(caller, 'referenceId=a'))
  },
  'unhide after a masked read': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, shopOrder('a'))
    await read(caller, 'referenceId=a')
    return (await unhide(caller, 'referenceId=a')).status
  },
  'unhide from two addresses': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, shopOrder('a'))
    await unhide(caller, 'referenceId=a', { remoteAddress: '10.0.0.1' })
    return (await unhide(caller, 'referenceId=a', { remoteAddress: '10.0.0.2' })).status
  },
  'unhide from two clients': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, shopOrder('a'))
    await unhide(caller, 'referenceId=a', { headers: [['User-Agent', 'one']] })
    return (await unhide(caller, 'referenceId=a', { headers: [['User-Agent', 'two']] })).status
  },
  'unhide twice, within the budget': async ({ peer }) => {
    const twice = { count: 2, windowSeconds: 60 }
    const caller = peer({}, { limits: { 'orders.unhide.completed': twice } })
    await caller.post(ORDERS, shopOrder('a'))
    await unhide(caller, 'referenceId=a')
    return itemsOf(await unhide(caller, 'referenceId=a')).length
  },
  'unhide, polled at the default budget': async ({ peer }) => {
    const pending = DEFAULT_LIMITS['orders.unhide.pending']
    const caller = peer({}, { limits: { 'orders.unhide.pending': pending } })
    await caller.post(ORDERS, laterOrder('a'))
    return statuses(2, () => unhide(caller, 'referenceId=a'))
  },
  'unhide, checkout and then its child': async ({ peer }) => {
    const caller = peer()
    const position = { ordersType: 'shop', serviceId: 'svc-arcade', itemId: 'arcade-1' }
    const cart = { referenceId: 'cart', positions: [position, position] }
    const orders = ordersIn(await caller.post('/carts', cart))
    await unhide(caller, 'referenceId=cart')
    return (await unhide(caller, `referenceId=cart&orderId=${orders[0]?.orderId}`)).status
  },
  'listing, admitted': async ({ peer }) => {
    const caller = peer()
    return statuses(3, () => caller.get(ORDERS))
  },
  'masked reads, both spellings': async ({ peer }) => {
    const caller = peer()
    await statuses(5, () => read(caller, 'orderId=x'))
    return (await read(caller, 'orderId=x&unhide=false')).status
  },
}

const check = (peer: Peer): Promise<Reply> =>
  peer.post(ORDERS, topUpOrder('a', { checkOnly: true }))

const CHECKS: Readonly<Record<string, Probe>> = {
  'check bucket, admitted': async ({ peer }) => {
    const caller = peer()
    return statuses(4, () => check(caller))
  },
  'check bucket, 429': async ({ peer }) => {
    const caller = peer()
    await statuses(3, () => check(caller))
    const { body, headers } = await check(caller)
    return [body.statusCode, headers['retry-after']]
  },
  'check bucket of two keys': async ({ peers }) => {
    const { one, two } = peers({ one: {}, two: {} })
    await statuses(3, () => check(one))
    return (await check(two)).status
  },
  'check bucket of two accounts': async ({ peer }) => {
    const [one, two] = [peer(), peer()]
    await statuses(3, () => check(one))
    return (await check(two)).status
  },
}

async function giftOrder(peer: Peer): Promise<object> {
  const quote = { editionId: 'edition-lantern', recipientRegion: 'EU' }
  const { data } = (await peer.post('/api/v1/platform-gifts/quotes', quote)).body
  const url = 'https://platform.example/somebody'
  return {
    ordersType: 'platform-gift',
    referenceId: 'gift',
    quoteToken: String(data?.['quoteToken']),
    gifts: [{ recipient_region: 'EU', invite_url: url, profile_url: url }],
  }
}

/** Status of a purchase that a cap of 1.00 does not cover. */
function overCap(order: (peer: Peer) => object | Promise<object>, path = ORDERS): Probe {
  return async ({ peer }: Bench) => {
    const caller = peer({ transactionLimit: '1.00' })
    return (await caller.post(path, await order(caller))).status
  }
}

const CART_OF_TWO = {
  referenceId: 'cart',
  positions: ['a', 'b'].map(() => ({
    ordersType: 'shop',
    serviceId: 'svc-arcade',
    itemId: 'arcade-1',
  })),
}

const CAPS: Readonly<Record<string, Probe>> = {
  'cap, top-up beyond': overCap(() => topUpOrder('a')),
  'cap, eSIM beyond': overCap(() => esimOrder('a')),
  'cap, gift beyond': overCap(giftOrder),
  'cap, checkout beyond': overCap(() => CART_OF_TWO, '/carts'),
  'cap, after an asynchronous order': async ({ peer, clock }) => {
    const caller = peer({ transactionLimit: '4.00' })
    await caller.post(ORDERS, laterOrder('a'))
    clock.advance(10_000)
    return (await caller.post(ORDERS, shopOrder('b'))).status
  },
  'cap, almost used up': async ({ peer }) => {
    const caller = peer({ transactionLimit: '20.00' })
    return (await caller.post(ORDERS, shopOrder('a', 19))).status
  },
  'cap, refused order': async ({ peer }) => {
    const caller = peer({ transactionLimit: '1.00' })
    await caller.post(ORDERS, shopOrder('a', 2))
    return itemsOf(await read(caller, 'referenceId=a')).length
  },
  'cap, after a window': async ({ peer, clock }) => {
    const caller = peer({ transactionLimit: '1.00' })
    await caller.post(ORDERS, shopOrder('a'))
    clock.advance(61_000)
    return (await caller.post(ORDERS, shopOrder('b'))).status
  },
  'cap of a sibling': async ({ peers }) => {
    const { capped, free } = peers({ capped: { transactionLimit: '1.00' }, free: {} })
    await capped.post(ORDERS, shopOrder('a'))
    return (await free.post(ORDERS, shopOrder('b', 2))).status
  },
  'contention, one after the other': async ({ peer }) => {
    const caller = peer({ transactionLimit: '9.00' })
    const first = orderIdOf(await caller.post(ORDERS, shopOrder('a')))
    return [first !== '', (await caller.post(ORDERS, shopOrder('b'))).status]
  },
}

const DEFAULTS: Readonly<Record<string, Probe>> = {
  'limits without a rule, as reported': async ({ service }) => {
    const unruled = bench({ faults: service.control.faults() })
    return (await unruled.peer().get('/rate-limits')).body.data?.['limits']
  },
  'order finished at once, read three times': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, shopOrder('a'))
    const replies = [
      await read(caller, 'referenceId=a'),
      await read(caller, 'referenceId=a'),
      await read(caller, 'referenceId=a'),
    ]
    return replies.map((reply) => itemsOf(reply)[0]?.['status'])
  },
  'orders that overlap on a key without a cap': async ({ peer }) => {
    const caller = peer()
    const replies = await Promise.all(
      ['a', 'b'].map((reference) => caller.post(ORDERS, shopOrder(reference))),
    )
    return replies.map(({ status }) => status)
  },
}

export const BUDGET_PROBES: Readonly<Record<string, Probe>> = {
  ...DEFAULTS,
  ...UNHIDE,
  ...CHECKS,
  ...CAPS,
}
