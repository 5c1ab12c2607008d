import { ORDERS, laterOrder, orderIdOf, shopOrder, topUpOrder } from './kit.ts'
import type { Bench, Peer, Reply } from './kit.ts'
import type { Probe } from './probes.ts'

const SERVICES = '/api/v1/services'

async function statuses(times: number, send: () => Promise<Reply>): Promise<number[]> {
  const seen: number[] = []
  for (let sent = 0; sent < times; sent++) seen.push((await send()).status)
  return seen
}

async function admitted(times: number, send: () => Promise<Reply>): Promise<number> {
  return (await statuses(times, send)).filter((status) => status < 300).length
}

/** More than any window of the bench admits. */
const REQUESTS_MAX = 50

/** The first answer that is no success; the last success where a fault refuses nothing. */
async function throttled({ peer }: Bench): Promise<Reply> {
  const caller = peer()
  let reply = await caller.get(SERVICES)
  for (let sent = 1; reply.status === 200 && sent < REQUESTS_MAX; sent++)
    reply = await caller.get(SERVICES)
  return reply
}

const unhide = (peer: Peer, query: string): Promise<Reply> =>
  peer.get(`${ORDERS}?${query}&unhide=true`)

async function bought(peer: Peer, body: object): Promise<string> {
  return orderIdOf(await peer.post(ORDERS, body))
}

const check = (peer: Peer): Promise<Reply> =>
  peer.post(ORDERS, topUpOrder('a', { checkOnly: true }))

const WINDOWS: Readonly<Record<string, Probe>> = {
  'window, admitted': ({ peer }) => {
    const caller = peer()
    return admitted(9, () => caller.get(SERVICES))
  },
  'window, far beyond the budget': ({ peer }) => {
    const caller = peer()
    return admitted(26, () => caller.get(SERVICES))
  },
  'window, two clients in turns': ({ peer }) => {
    const caller = peer()
    let sent = 0
    const client = (): string => (sent++ % 2 === 0 ? 'one' : 'two')
    return admitted(12, () => caller.get(SERVICES, { headers: [['User-Agent', client()]] }))
  },
  'masked reads of many orders': ({ peer }) => {
    const caller = peer()
    let order = 0
    return admitted(8, () => caller.get(`${ORDERS}?orderId=${++order}`))
  },
  'masked reads after unhide reads': async ({ peer }) => {
    const caller = peer()
    await bought(caller, shopOrder('a'))
    await statuses(2, () => unhide(caller, 'referenceId=a'))
    return admitted(6, () => caller.get(`${ORDERS}?referenceId=a`))
  },
  'window, short of the budget': async ({ peer }) => {
    const caller = peer()
    return (await admitted(6, () => caller.get(SERVICES))) === 6
  },
  'window, after a late burst': async ({ peer, clock }) => {
    const caller = peer()
    clock.advance(59_000)
    await admitted(6, () => caller.get(SERVICES))
    clock.advance(1_500)
    return (await admitted(6, () => caller.get(SERVICES))) >= 5
  },
  '429 of a window': async (bench) => {
    const { status, body } = await throttled(bench)
    return [status, body.statusCode]
  },
  'Retry-After, form': async (bench) =>
    /^\d+$/.test((await throttled(bench)).headers['retry-after'] ?? '-'),
  'Retry-After, present': async (bench) => 'retry-after' in (await throttled(bench)).headers,
  'Retry-After, waited': async ({ peer, clock }) => {
    const caller = peer()
    clock.advance(10_400)
    await admitted(6, () => caller.get(SERVICES))
    const { headers } = await caller.get(SERVICES)
    clock.advance(Number(headers['retry-after'] ?? 60) * 1000 || 60_000)
    return (await caller.get(SERVICES)).status
  },
  'windows of two accounts': async ({ peer }) => {
    const [one, two] = [peer(), peer()]
    await admitted(9, () => one.get(SERVICES))
    return (await two.get(SERVICES)).status
  },
  'windows of two keys': async ({ peers }) => {
    const { one, two } = peers({ one: {}, two: {} })
    await admitted(9, () => one.get(SERVICES))
    return (await two.get(SERVICES)).status
  },
  'windows of two endpoints': async ({ peer }) => {
    const caller = peer()
    await admitted(9, () => caller.get(SERVICES))
    return (await caller.get('/whoami')).status
  },
  'listing spent, filtered read': async ({ peer }) => {
    const caller = peer()
    await admitted(4, () => caller.get(ORDERS))
    return (await caller.get(`${ORDERS}?orderId=nothing`)).status
  },
  'check bucket, message': async ({ peer }) => {
    const caller = peer()
    await admitted(5, () => check(caller))
    return (await check(caller)).body.statusMessage?.includes('POST /orders (check)')
  },
  'check bucket spent, purchase': async ({ peer }) => {
    const caller = peer()
    await admitted(5, () => check(caller))
    return (await caller.post(ORDERS, shopOrder('b'))).status
  },
  'rate limits, reported': async ({ peer }) => (await peer().get('/rate-limits')).body.data,
}

/** Spends the pending budget of a pending order, then lets it finish: how many further reads pass in the same window. */
async function afterPending({ peer, clock }: Bench): Promise<unknown> {
  const caller = peer()
  const id = await bought(caller, laterOrder('a'))
  const pending = await statuses(3, () => unhide(caller, `orderId=${id}`))
  clock.advance(2_000)
  return [...pending, ...(await statuses(2, () => unhide(caller, `orderId=${id}`)))]
}

const UNHIDE: Readonly<Record<string, Probe>> = {
  'unhide, finished order twice': async ({ peer }) => {
    const caller = peer()
    const id = await bought(caller, shopOrder('a'))
    return statuses(2, () => unhide(caller, `orderId=${id}`))
  },
  'unhide, 429': async ({ peer }) => {
    const caller = peer()
    const id = await bought(caller, shopOrder('a'))
    await unhide(caller, `orderId=${id}`)
    const { body, headers } = await unhide(caller, `orderId=${id}`)
    return [body.statusCode, headers['retry-after']]
  },
  'unhide, partial order': async ({ peer, clock }) => {
    const caller = peer()
    await bought(caller, laterOrder('a', 'bundle-scarce'))
    clock.advance(2_000)
    return statuses(3, () => unhide(caller, 'referenceId=a'))
  },
  'unhide, by both names': async ({ peer }) => {
    const caller = peer()
    const id = await bought(caller, shopOrder('a'))
    const first = await unhide(caller, `orderId=${id}`)
    return [first.status, (await unhide(caller, 'referenceId=a')).status]
  },
  'unhide, two orders': async ({ peer }) => {
    const caller = peer()
    await bought(caller, shopOrder('a'))
    await bought(caller, shopOrder('b'))
    const first = await unhide(caller, 'referenceId=a')
    return [first.status, (await unhide(caller, 'referenceId=b')).status]
  },
  'unhide, checkout with a pending first order': async ({ peer }) => {
    const caller = peer()
    await caller.post('/carts', {
      referenceId: 'cart',
      positions: [
        { ordersType: 'shop', serviceId: 'svc-streaming', itemId: 'streaming-month' },
        { ordersType: 'shop', serviceId: 'svc-arcade', itemId: 'arcade-1' },
      ],
    })
    return statuses(2, () => unhide(caller, 'referenceId=cart'))
  },
  'admission, pending then finished': afterPending,
  'admission, message after the budgets': async (bench) => {
    const { peer, clock } = bench
    const caller = peer()
    await bought(caller, laterOrder('a'))
    await statuses(4, () => unhide(caller, 'referenceId=a'))
    clock.advance(2_000)
    const { body } = await unhide(caller, 'referenceId=a')
    return body.statusMessage?.slice(0, 60)
  },
  'admission, next window of the divisor': async ({ peer, clock }) => {
    const caller = peer()
    await bought(caller, shopOrder('a'))
    await statuses(5, () => unhide(caller, 'referenceId=a'))
    clock.advance(31_000)
    return (await unhide(caller, 'referenceId=a')).body.statusMessage
  },
}

export const LIMIT_PROBES: Readonly<Record<string, Probe>> = { ...WINDOWS, ...UNHIDE }
