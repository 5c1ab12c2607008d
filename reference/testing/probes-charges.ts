/** Stories about what is charged, how caps add up, and which window counts what. */
import {
  ORDERS,
  Peer,
  esimOrder,
  itemsOf,
  laterOrder,
  ordersIn,
  shopOrder,
  topUpOrder,
} from './kit.ts'
import type { Bench, Reply } from './kit.ts'
import type { LimitRules } from '../types.ts'
import type { Probe } from './probes.ts'

const VALIDATION = '/dtu/validation'
const CARTS = '/carts'
const QUOTES = '/api/v1/platform-gifts/quotes'

const CART = {
  referenceId: 'cart',
  positions: [{ ordersType: 'shop', serviceId: 'svc-arcade', itemId: 'arcade-1' }],
}
const DEAR_CART = { ...CART, positions: [{ ...CART.positions[0], quantity: 50 }] }
const UNITS = { serviceId: 'svc-crystals', itemId: 'crystals' }

async function giftOrder(peer: Peer): Promise<object> {
  const quote = { editionId: 'edition-lantern', recipientRegion: 'EU' }
  const { data } = (await peer.post(QUOTES, quote)).body
  const url = 'https://platform.example/somebody'
  return {
    ordersType: 'platform-gift',
    referenceId: 'gift',
    quoteToken: String(data?.['quoteToken']),
    gifts: [{ recipient_region: 'EU', invite_url: url, profile_url: url }],
  }
}

const balanceOf = async (peer: Peer): Promise<unknown> =>
  (await peer.get('/api/v1/balance')).body.data?.['balance']

/** What a refusal by the cap says is left. */
async function leftOf(peer: Peer): Promise<string | undefined> {
  const { body } = await peer.post(ORDERS, shopOrder('beyond', 900))
  return /remaining [\d.]+/.exec(body.statusMessage ?? '')?.[0]
}

type Bought = readonly [path: string, body: (peer: Peer) => object | Promise<object>]

const KINDS: Readonly<Record<string, Bought>> = {
  'top-up': [ORDERS, () => topUpOrder('a')],
  eSIM: [ORDERS, () => esimOrder('a')],
  gift: [ORDERS, giftOrder],
  checkout: [CARTS, () => CART],
  'later vouchers': [ORDERS, () => laterOrder('a')],
}

/** What a replay leaves of cap and balance. */
const REPLAYS = Object.fromEntries(
  Object.entries(KINDS).map(([kind, [path, bodyOf]]): [string, Probe] => [
    `${kind} sent again, what is left`,
    async ({ peer }) => {
      const caller = peer({ transactionLimit: '100.00' })
      const body = await bodyOf(caller)
      await caller.post(path, body)
      const before = [await balanceOf(caller), await leftOf(caller)]
      await caller.post(path, body)
      const after = [await balanceOf(caller), await leftOf(caller)]
      return after.map((each, index) => each === before[index])
    },
  ]),
)

/** Statuses of purchases under one cap. */
async function under(
  { peer }: Bench,
  transactionLimit: string,
  bodies: readonly object[],
): Promise<number[]> {
  const caller = peer({ transactionLimit })
  const replies: Reply[] = []
  for (const body of bodies) replies.push(await caller.post(ORDERS, body))
  return replies.map(({ status }) => status)
}

const tenths = (amount: number): object =>
  topUpOrder(crypto.randomUUID(), { ...UNITS, amount: amount * 5 })

const CHARGES: Readonly<Record<string, Probe>> = {
  'checkout beyond a cap': async ({ peer }) => {
    const { status, body } = await peer({ transactionLimit: '9.00' }).post(CARTS, DEAR_CART)
    return [status, body.statusCode, body.errorCode]
  },
  'checkout beyond a cap, then one that fits': async ({ peer }) => {
    const caller = peer({ transactionLimit: '9.00' })
    const replies = [await caller.post(CARTS, DEAR_CART), await caller.post(CARTS, CART)]
    return [...replies.map(({ status }) => status), await leftOf(caller)]
  },
  'top-up and eSIM beyond a cap, what is left': async ({ peer }) => {
    const caller = peer({ transactionLimit: '4.00' })
    const left = [await leftOf(caller)]
    await caller.post(ORDERS, topUpOrder('a'))
    left.push(await leftOf(caller))
    await caller.post(ORDERS, esimOrder('b'))
    return [...left, await leftOf(caller)]
  },
  'order that is not valid, put right': async ({ peer }) => {
    const caller = peer()
    const wrong = await caller.post(ORDERS, shopOrder('a', -1))
    return [wrong.status, (await caller.post(ORDERS, shopOrder('a'))).status]
  },
  'checkouts of two accounts under one reference': async ({ peer }) => {
    const replies = [await peer().post(CARTS, CART), await peer().post(CARTS, CART)]
    return new Set(replies.flatMap(ordersIn).map(({ orderId }) => orderId)).size
  },
  'validation, what is left of the cap': async ({ peer }) => {
    const caller = peer({ transactionLimit: '9.00' })
    await caller.post(VALIDATION, topUpOrder('a'))
    return leftOf(caller)
  },
  'silent check, balance': async ({ peer }) => {
    const caller = peer()
    const before = await balanceOf(caller)
    await caller.post(ORDERS, topUpOrder('a', { checkOnly: true, itemId: 'mobile-silent' }))
    return before === (await balanceOf(caller))
  },
  'cap of 1.40, eight times 0.20': async ({ peer }) => {
    const rule = { count: 20, windowSeconds: 60 }
    const caller = peer({ transactionLimit: '1.40' }, { limits: { default: rule } })
    const statuses: number[] = []
    for (let sent = 0; sent < 8; sent++)
      statuses.push((await caller.post(ORDERS, tenths(2))).status)
    return statuses
  },
  'cap, a third of a unit beyond': (bench) =>
    under(bench, '1.00', [shopOrder('a'), tenths(2), tenths(2)]),
  'cap, two kinds': (bench) => under(bench, '6.00', [topUpOrder('a'), shopOrder('b', 2)]),
  'cap, two prices': (bench) =>
    under(bench, '6.00', [
      shopOrder('a', 2),
      shopOrder('b', 1, { serviceId: 'svc-arcade', itemId: 'arcade-5' }),
    ]),
}

/** Spends a window of the bench, and what then becomes of something else. */
function whileSpent(
  spend: (peer: Peer) => Promise<Reply>,
  other: (peer: Peer) => Promise<Reply>,
): Probe {
  return async ({ peer }) => {
    const caller = peer()
    for (let sent = 0; sent < 8; sent++) await spend(caller)
    return (await other(caller)).status
  }
}

const invalidOrder = (peer: Peer): Promise<Reply> => peer.post(ORDERS, {})
const services = (peer: Peer): Promise<Reply> => peer.get('/api/v1/services')
const checkTopUp = (peer: Peer): Promise<Reply> =>
  peer.post(ORDERS, topUpOrder('a', { checkOnly: true }))
const validateTopUp = (peer: Peer): Promise<Reply> => peer.post(VALIDATION, topUpOrder('a'))
const buyVoucher = (peer: Peer): Promise<Reply> => peer.post(ORDERS, shopOrder('a'))
const listing = (peer: Peer): Promise<Reply> => peer.get(ORDERS)
const checkOut = (peer: Peer): Promise<Reply> => peer.post(CARTS, CART)

const NARROW: LimitRules = {
  'orders.unhide.pending': { count: 1, windowSeconds: 60 },
  'orders.unhide.completed': { count: 2, windowSeconds: 60 },
}

const WINDOWS: Readonly<Record<string, Probe>> = {
  'orders spent, checkout': whileSpent(invalidOrder, checkOut),
  'orders spent, quote': whileSpent(invalidOrder, (peer) => peer.post(QUOTES, {})),
  'orders spent, validation': whileSpent(invalidOrder, validateTopUp),
  'services spent, lookup': whileSpent(services, (peer) => peer.post('/api/v1/items/lookup', {})),
  'services spent, item': whileSpent(services, (peer) =>
    peer.get('/api/v1/services/svc-arcade/items/arcade-1'),
  ),
  'balance spent, ledger': whileSpent(
    (peer) => peer.get('/api/v1/balance'),
    (peer) => peer.get('/api/v1/ledger'),
  ),
  'masked reads spent, listing': whileSpent(
    (peer) => peer.get(`${ORDERS}?orderId=nothing`),
    listing,
  ),
  'listing spent, purchase': whileSpent(listing, buyVoucher),
  'listing spent, codes': whileSpent(listing, async (peer) => {
    await peer.post(CARTS, CART)
    return peer.get(`${ORDERS}?referenceId=cart&unhide=true`)
  }),
  'checks spent, checkout': whileSpent(checkTopUp, checkOut),
  'checks spent, eSIM': whileSpent(checkTopUp, (peer) => peer.post(ORDERS, esimOrder('b'))),
  'checks spent, gift': whileSpent(checkTopUp, async (peer) =>
    peer.post(ORDERS, await giftOrder(peer)),
  ),
  'checks spent, validation': whileSpent(checkTopUp, validateTopUp),
  'admission by reads half a window apart': async ({ peer, clock }) => {
    const caller = peer({}, { limits: NARROW })
    const read = (): Promise<Reply> => caller.get(`${ORDERS}?referenceId=a&unhide=true`)
    clock.advance(29_000)
    await caller.post(ORDERS, laterOrder('a'))
    const replies = [await read()]
    clock.advance(1_000)
    replies.push(await read(), await read())
    clock.advance(59_500)
    replies.push(await read(), await read())
    return replies.map(({ status }) => status)
  },
  'codes by reads half a window apart': async ({ peer, clock }) => {
    const twice = { count: 2, windowSeconds: 60 }
    const caller = peer({}, { limits: { 'orders.unhide.completed': twice } })
    await buyVoucher(caller)
    const read = (): Promise<Reply> => caller.get(`${ORDERS}?referenceId=a&unhide=true`)
    const replies = [await read()]
    clock.advance(30_000)
    replies.push(await read())
    clock.advance(31_000)
    replies.push(await read(), await read())
    return replies.map(({ status }) => status)
  },
}

const pageOf = async (peer: Peer, query: string): Promise<unknown> => {
  const { data } = (await peer.get(`/api/v1/services?${query}`)).body
  const services = data?.['services'] as readonly { readonly id: string }[] | undefined
  return [services?.map(({ id }) => id), data?.['total']]
}

const PAGES: Readonly<Record<string, Probe>> = {
  'page of five': ({ peer }) => pageOf(peer(), 'limit=5'),
  'page from the second on': ({ peer }) => pageOf(peer(), 'limit=2&offset=1'),
  'later page of vouchers': ({ peer }) => pageOf(peer(), 'limit=2&offset=2&type=voucher'),
  'carts at once, statuses': async ({ peer }) => {
    const caller = peer({ transactionLimit: '9.00' })
    const cart = (referenceId: string): Promise<Reply> =>
      caller.post(CARTS, { ...CART, referenceId })
    const replies = await Promise.all(['a', 'b'].map(cart))
    return replies.map(({ status }) => status)
  },
  'cart of two, what is left': async ({ peer }) => {
    const caller = peer({ transactionLimit: '9.00' })
    await caller.post(CARTS, { ...CART, positions: [CART.positions[0], CART.positions[0]] })
    return leftOf(caller)
  },
}

const SIBLINGS: Readonly<Record<string, Probe>> = {
  'replays by other keys, what is left': async ({ peers }) => {
    const { one, two } = peers({
      one: { transactionLimit: '9.00' },
      two: { transactionLimit: '9.00' },
    })
    await one.post(ORDERS, shopOrder('a'))
    await two.post(ORDERS, shopOrder('a'))
    return [await leftOf(one), await leftOf(two)]
  },
  'masked read after the codes': async ({ peer }) => {
    const caller = peer()
    await buyVoucher(caller)
    const read = (more: string): Promise<Reply> => caller.get(`${ORDERS}?referenceId=a${more}`)
    const replies = [await read('&unhide=true'), await read('&unhide=true'), await read('')]
    return replies.map(({ status }) => status)
  },
  'checkout whose client leaves, sent again': async ({ peer }) => {
    const caller = peer()
    await caller.post(CARTS, CART, { leaves: true })
    await checkOut(caller)
    return itemsOf(await caller.get(`${ORDERS}?referenceId=cart`)).length
  },
}

const inOtherCase = (text: string): string =>
  Array.from(text, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  ).join('')

const ACCESS: Readonly<Record<string, Probe>> = {
  'key in the other case': async ({ peer, service }) =>
    (await services(new Peer(service, inOtherCase(peer().key)))).status,
  'funds with keys that are closed': async ({ peers }) => {
    const { dead, blocked } = peers({
      dead: { status: 'revoked' },
      blocked: { allowlist: ['10.0.0.9'] },
    })
    const replies = [await dead.get('/api/v1/balance'), await blocked.get('/api/v1/ledger')]
    return replies.map(({ status }) => status)
  },
  'traces of two answers': async ({ peer }) => {
    const caller = peer()
    const traces = [await services(caller), await services(caller)].map(({ body }) => body.traceId)
    return [traces.map((trace) => trace === ''), new Set(traces).size]
  },
  'pending order, price': async ({ peer }) =>
    (await peer().post(ORDERS, laterOrder('a'))).body.data?.['price'],
}

const LISTINGS: Readonly<Record<string, Probe>> = {
  'listing of one order that ended': async ({ peer, clock }) => {
    const caller = peer()
    await caller.post(ORDERS, laterOrder('a'))
    clock.advance(10_000)
    return itemsOf(await listing(caller)).map(({ status }) => status)
  },
}

export const CHARGE_PROBES: Readonly<Record<string, Probe>> = {
  ...REPLAYS,
  ...CHARGES,
  ...WINDOWS,
  ...SIBLINGS,
  ...PAGES,
  ...ACCESS,
  ...LISTINGS,
}
