/** Stories about keys, scopes and the catalog, each for few faults. */
import type { Scope } from '../../contract/wire.ts'
import { ORDERS, Peer, esimOrder, itemsOf, orderIdOf, shopOrder } from './kit.ts'
import type { Bench, Reply } from './kit.ts'
import type { Probe } from './probes.ts'

const SERVICES = '/api/v1/services'
const LOOKUP = '/api/v1/items/lookup'
const PAIR = { serviceId: 'svc-arcade', itemId: 'arcade-1' }

/** Statuses of the given calls, by a key that has the given scopes only. */
async function withScopes(
  { peer }: Bench,
  scopes: readonly Scope[],
  ...calls: readonly ((caller: Peer) => Promise<Reply>)[]
): Promise<number[]> {
  const caller = peer({ scopes })
  const seen: number[] = []
  for (const call of calls) seen.push((await call(caller)).status)
  return seen
}

const lookup = (caller: Peer): Promise<Reply> => caller.post(LOOKUP, { items: [PAIR] })
const list = (caller: Peer): Promise<Reply> => caller.get(SERVICES)
const read = (caller: Peer): Promise<Reply> => caller.get(ORDERS)
const buy = (caller: Peer): Promise<Reply> => caller.post(ORDERS, shopOrder('a'))
const checkOut = (caller: Peer): Promise<Reply> =>
  caller.post('/carts', { referenceId: 'cart', positions: [{ ordersType: 'shop', ...PAIR }] })
const balance = (caller: Peer): Promise<Reply> => caller.get('/api/v1/balance')

const KEYS: Readonly<Record<string, Probe>> = {
  'no key': async ({ service }) => (await new Peer(service, '').get(SERVICES)).status,
  'unknown key': async ({ service }) => {
    const caller = new Peer(service, 'never-issued')
    return [(await caller.get(SERVICES)).status, (await caller.get('/whoami')).status]
  },
  'beginning of a key': async ({ service, peer }) => {
    const caller = peer()
    await caller.get(SERVICES)
    return (await new Peer(service, caller.key.slice(0, -1)).get(SERVICES)).status
  },
  'expired key without scope': async ({ peer }) =>
    (await peer({ status: 'expired', scopes: [] }).get(SERVICES)).status,
  'expired key, window spent': async ({ peers }) => {
    const { good, bad } = peers({ good: {}, bad: { status: 'expired' } })
    for (let sent = 0; sent < 7; sent++) await good.get(SERVICES)
    return (await bad.get(SERVICES)).status
  },
  'allowlist of two': async ({ peer }) => {
    const caller = peer({ allowlist: ['10.0.0.1', '10.0.0.2'] })
    return (await caller.get(SERVICES, { remoteAddress: '10.0.0.2' })).status
  },
  'address outside, other header': async ({ peer }) => {
    const caller = peer({ allowlist: ['10.0.0.1'] })
    return (await caller.get(SERVICES, { headers: [['X-Client-IP', '10.0.0.1']] })).status
  },
  'address outside, purchase': async ({ peer }) => {
    const caller = peer({ allowlist: ['10.0.0.1'] })
    return (await caller.post(ORDERS, shopOrder('a'))).status
  },
  'content type of a checkout': async ({ peer }) =>
    (await peer().post('/carts', {}, { contentType: null })).status,
  'content type with a suffix': async ({ peer }) =>
    (await peer().post(ORDERS, shopOrder('a'), { contentType: 'application/vnd.api+json' })).status,
  'reference after a 415': async ({ peer }) => {
    const caller = peer()
    await caller.post(ORDERS, shopOrder('a'), { contentType: 'text/plain' })
    return (await buy(caller)).status
  },
  'purchase after a 422': async ({ peer }) => {
    const caller = peer()
    const { referenceId: _none, ...body } = shopOrder('a') as Record<string, unknown>
    await caller.post(ORDERS, body)
    return (await buy(caller)).status
  },
  'reference of a 403': async ({ peers }) => {
    const { browser, full } = peers({ browser: { scopes: ['product:read'] }, full: {} })
    const refused = await buy(browser)
    return [refused.status, (await buy(full)).body.statusCode]
  },
}

const SCOPES: Readonly<Record<string, Probe>> = {
  'no scope, list twice': (bench) => withScopes(bench, [], list, list),
  'no scope, look up': (bench) => withScopes(bench, [], lookup),
  'no scope, check out': (bench) => withScopes(bench, [], checkOut),
  'no scope, balance': (bench) => withScopes(bench, [], balance),
  'product:read, look up': (bench) => withScopes(bench, ['product:read'], lookup),
  'product:read, read': (bench) => withScopes(bench, ['product:read'], read),
  'orders:read, read': (bench) => withScopes(bench, ['orders:read'], read),
  'orders:read, buy': (bench) => withScopes(bench, ['orders:read'], buy),
  'orders:read, list': (bench) => withScopes(bench, ['orders:read'], list),
  'orders:read, balance': (bench) => withScopes(bench, ['orders:read'], balance),
  'orders:write, check out': (bench) => withScopes(bench, ['orders:write'], checkOut),
  'funds:read, balance': (bench) => withScopes(bench, ['funds:read'], balance),
  'three scopes, buy': (bench) =>
    withScopes(bench, ['orders:write', 'product:read', 'orders:read'], buy),
  'three scopes, buy an eSIM': (bench) =>
    withScopes(bench, ['orders:write', 'product:read', 'orders:read'], (caller) =>
      caller.post(ORDERS, esimOrder('a')),
    ),
}

type Listed = { readonly id: string; readonly items: readonly Record<string, unknown>[] }

async function listed(peer: Peer, query: string): Promise<readonly Listed[]> {
  return ((await peer.get(`${SERVICES}?${query}`)).body.data?.['services'] ?? []) as Listed[]
}

const CATALOG: Readonly<Record<string, Probe>> = {
  'services, direct top-ups': async ({ peer }) =>
    (await listed(peer(), 'type=direct_topup')).map(({ id }) => id),
  'services, vouchers': async ({ peer }) =>
    (await listed(peer(), 'type=voucher')).map(({ id }) => id),
  'services, eSIM currency': async ({ peer }) =>
    (await listed(peer(), 'type=esim')).flatMap(({ items }) =>
      items.map((item) => item['currency']),
    ),
  'services, long orders': async ({ peer }) =>
    (await listed(peer(), 'search=bulk')).flatMap(({ items }) =>
      items.map((item) => item['isLongOrder']),
    ),
  'services, sold by the unit': async ({ peer }) =>
    (await listed(peer(), 'search=crystals')).flatMap(({ items }) => items.map(Object.keys)),
  'services, last page': async ({ peer }) => (await listed(peer(), 'limit=4&offset=10')).length,
  'services, offset alone': async ({ peer }) => (await listed(peer(), 'offset=3')).length,
  'services, type and search': async ({ peer }) =>
    (await listed(peer(), 'type=voucher&search=arcade')).length,
  'replay with nothing left': async ({ peer }) => {
    const caller = peer({ transactionLimit: '1.00' })
    await caller.post(ORDERS, shopOrder('a'))
    return (await caller.post(ORDERS, shopOrder('a'))).status
  },
  'services, total of a type': async ({ peer }) =>
    (await peer().get(`${SERVICES}?type=esim&limit=1`)).body.data?.['total'],
  'single item': async ({ peer }) =>
    Object.keys((await peer().get(`${SERVICES}/svc-arcade/items/arcade-1`)).body.data ?? {}),
}

/** Stories about purchases that are read by another key, or after the client left. */
const READERS: Readonly<Record<string, Probe>> = {
  'order of another key': async ({ peers }) => {
    const { one, two } = peers({ one: {}, two: {} })
    const id = orderIdOf(await buy(one))
    return (await two.get(`${ORDERS}?orderId=${id}`)).status
  },
  'orders by orderId': async ({ peer }) => {
    const caller = peer()
    const id = orderIdOf(await buy(caller))
    await caller.post(ORDERS, shopOrder('b'))
    return itemsOf(await caller.get(`${ORDERS}?orderId=${id}`)).length
  },
  'purchase, client gone': async ({ peer }) => {
    const caller = peer()
    const first = await caller.post(ORDERS, shopOrder('a'), { leaves: true })
    return orderIdOf(first) === orderIdOf(await buy(caller))
  },
}

export const ACCESS_PROBES: Readonly<Record<string, Probe>> = {
  ...KEYS,
  ...SCOPES,
  ...CATALOG,
  ...READERS,
}
