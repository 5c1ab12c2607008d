import { expect, test } from 'vitest'
import { VARIANTS, VARIANT_NAMES, type VariantName, variantSet } from './variants.ts'
import { targetFile } from '../target.ts'
import {
  ManualClock,
  ORDERS,
  bench,
  esimOrder,
  laterOrder,
  ordersIn,
  shopOrder,
  topUpOrder,
} from '../../test/reference/kit.ts'
import type { Peer, Reply } from '../../test/reference/kit.ts'

const LIMITS = {
  default: { count: 7, windowSeconds: 60 },
  'orders.check': { count: 2, windowSeconds: 50 },
  'orders.list': { count: 6, windowSeconds: 60 },
  'orders.filtered': { count: 20, windowSeconds: 60 },
  'orders.unhide.pending': { count: 6, windowSeconds: 60 },
  'orders.unhide.completed': { count: 1, windowSeconds: 60 },
} as const

const SERVICES = '/api/v1/services'
const POSITION = { ordersType: 'shop', serviceId: 'svc-arcade', itemId: 'arcade-1' }
const SCARCE = { serviceId: 'svc-bundle', itemId: 'bundle-scarce' }
const CART = { referenceId: 'cart', positions: [POSITION] }
const CART_OF_TWO = {
  referenceId: 'two',
  positions: [POSITION, { ...POSITION, itemId: 'arcade-5' }],
}

async function all(sends: readonly (() => Promise<Reply>)[]): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const send of sends) replies.push(await send())
  return replies
}

type Stage = ReturnType<typeof bench>
type Story = (stage: Stage) => Promise<readonly Reply[]>

const catalog: Story = ({ peer }) => {
  const caller = peer()
  const refused = peer({ status: 'revoked' })
  const outside = peer({ allowlist: ['10.0.0.1'] })
  const writer = peer({ scopes: ['orders:write'] })
  return all([
    () => caller.get('/whoami'),
    () => outside.get('/whoami'),
    () => caller.get('/whoami', { headers: [['X-Forwarded-For', '192.0.2.77']] }),
    () => refused.get('/whoami'),
    () => caller.get('/whoami', { headers: [['X-API-Key', 'another']] }),
    () => caller.get('/whoami', { headers: [['Origin', 'https://elsewhere.example']] }),
    () => writer.get('/rate-limits'),
    () => caller.get('/nowhere'),
    () => caller.send('PUT', ORDERS, '{}'),
    () => caller.get('/services'),
    () => caller.get(SERVICES),
    () => caller.get(`${SERVICES}?type=none&limit=x`),
    () => caller.get(`${SERVICES}?unknown=1`),
    () => caller.get(`${SERVICES}?limit=6`),
    () => caller.get('/rate-limits'),
    () => caller.post('/api/v1/items/lookup', { items: [{ serviceId: 'a', itemId: 'b' }] }),
    () => refused.post(ORDERS, {}, { contentType: 'text/plain' }),
    () => writer.post(ORDERS, shopOrder('a')),
    () => caller.post(ORDERS, {}),
    () =>
      caller.post('/api/v1/platform-gifts/quotes', {
        editionId: 'edition-lantern',
        recipientRegion: 'EU',
      }),
  ])
}

const orders: Story = async ({ peers, clock }) => {
  const { one, two, three } = peers({ one: {}, two: {}, three: {} })
  const long = { serviceId: 'svc-bulk', itemId: 'bulk-card', isLongOrder: true }
  const bought = await all([
    () => one.post(ORDERS, shopOrder('shop')),
    () => one.get(`${ORDERS}?referenceId=shop`),
    () => one.post(ORDERS, laterOrder('later')),
    () => one.post(ORDERS, laterOrder('later')),
    () => one.post(ORDERS, esimOrder('esim')),
    () => one.post(ORDERS, esimOrder('raw', 'islands')),
    () => one.post(ORDERS, shopOrder('long', 5, long)),
    () => two.post('/carts', CART),
    () => two.post('/carts', { ...CART, referenceId: 'shop' }),
    () => two.post('/carts', CART_OF_TWO),
    () => two.post(ORDERS, topUpOrder('top-up')),
    () => one.get(`${ORDERS}?limit=1`),
  ])
  bought.push(
    await one.get(`${ORDERS}?referenceId=later`),
    await one.get(`${ORDERS}?referenceId=shop&orderId=another`),
  )
  clock.advance(61_000)
  const read = await all([
    () => one.post(ORDERS, laterOrder('later')),
    () => one.post(ORDERS, { referenceId: 'later' }),
    () => two.post(ORDERS, shopOrder('later')),
    () => one.get(`${ORDERS}?referenceId=esim&unhide=true`),
    () => one.get(`${ORDERS}?referenceId=raw`),
    () => one.get(`${ORDERS}?referenceId=shop`),
    () => one.get(`${ORDERS}?referenceId=nothing`),
    () => one.get(ORDERS),
    () => one.get(`${ORDERS}?unhide=true`),
    () => two.get(`${ORDERS}?referenceId=cart&unhide=true`),
    () => two.get(`${ORDERS}?orderId=${childOf(bought)}&unhide=true`),
    () => one.get(`${ORDERS}?orderId=${childOf(bought)}`),
    () => two.get(`${ORDERS}?referenceId=two&unhide=true`),
    () => two.get(`${ORDERS}?orderId=${childOf(bought.slice(9))}&unhide=true`),
    () => two.post(ORDERS, { referenceId: 'refused' }),
    () => two.post(ORDERS, shopOrder('refused')),
    () => three.get(SERVICES),
    () => three.get(`${SERVICES}?search=a`),
    () => three.get(`${SERVICES}?search=nothing`),
    () => three.post(ORDERS, shopOrder('many', 101)),
    () => three.post(ORDERS, shopOrder('щ')),
  ])
  return [...bought, ...read]
}

function childOf(replies: readonly Reply[]): string {
  return replies.map((reply) => ordersIn(reply)[0]?.orderId).find(Boolean) ?? ''
}

/** Windows that fill, each at its own pace. */
const windows: Story = async ({ peer, clock }) => {
  const caller = peer()
  clock.advance(20_500)
  const check = (): Promise<Reply> => caller.post(ORDERS, topUpOrder('c', { checkOnly: true }))
  const invalid = (): Promise<Reply> => caller.post(ORDERS, {})
  const typed = (): Promise<Reply> => caller.post('/carts', {}, { contentType: 'text/plain' })
  const list = (): Promise<Reply> => caller.get(SERVICES)
  const read = (): Promise<Reply> => caller.get(`${ORDERS}?orderId=x`)
  const started = await all([list, list, list, list, list, list, list, list, check, check, check])
  const refused = await all([
    ...Array<typeof invalid>(8).fill(invalid),
    ...Array<typeof typed>(8).fill(typed),
  ])
  const reads = await all(Array<typeof read>(9).fill(read))
  clock.advance(45_000)
  return [...started, ...refused, ...reads, await list()]
}

const pair = (buyer: Peer): Promise<Reply[]> =>
  Promise.all([buyer.post(ORDERS, shopOrder('a')), buyer.post(ORDERS, shopOrder('b'))])

const caps: Story = async ({ peer, clock }) => {
  const capped = peer({ transactionLimit: '4.00' })
  const free = peer()
  const replies = [...(await pair(capped)), ...(await pair(free))]
  const again = [0, 1, 2, 3].map((n) => () => capped.post(ORDERS, shopOrder(`x${n}`)))
  replies.push(...(await all(again.slice(0, 2))))
  replies.push(await capped.post(ORDERS, topUpOrder('c', { checkOnly: true, amount: 50 })))
  replies.push(await free.post(ORDERS, topUpOrder('checked', { checkOnly: true })))
  replies.push(await free.post(ORDERS, topUpOrder('checked')))
  const small = peer({ transactionLimit: '1.50' })
  replies.push(await small.post('/carts', CART_OF_TWO))
  const busy = peer({ transactionLimit: '90.00' })
  const gone = peer({ transactionLimit: '2.00' })
  replies.push(await gone.post(ORDERS, laterOrder('gone', 'bundle-gone')))
  replies.push(await free.post(ORDERS, shopOrder('partial', 1, SCARCE)))
  clock.advance(2_000)
  replies.push(await free.get(`${ORDERS}?referenceId=partial`))
  replies.push(await gone.post(ORDERS, shopOrder('after')), ...(await manyPairs(busy)))
  return replies
}

/** Contended orders until the window is full. */
async function manyPairs(buyer: Peer): Promise<Reply[]> {
  const replies: Reply[] = []
  for (let round = 0; round < 4; round++)
    replies.push(
      ...(await Promise.all([1, 2].map((n) => buyer.post(ORDERS, shopOrder(`${round}-${n}`))))),
    )
  return replies
}

const gift: Story = async ({ peer, clock }) => {
  const caller = peer()
  const quote = { editionId: 'edition-lantern', recipientRegion: 'EU' }
  const { data } = (await caller.post('/api/v1/platform-gifts/quotes', quote)).body
  const gifts = [{ recipient_region: 'EU', invite_url: 'https://platform.example/x' }]
  const quoteToken = String(data?.['quoteToken'])
  const order = { ordersType: 'platform-gift', referenceId: 'gift', quoteToken, gifts }
  const whole = { ...gifts[0], profile_url: 'https://platform.example/y' }
  const more = { ...order, referenceId: 'gift-whole', gifts: [whole] }
  const first = await caller.post(ORDERS, order)
  clock.advance(6_000)
  return [first, await caller.post(ORDERS, more)]
}

/** The balance, and the listing that shows how an order goes on. */
const money: Story = async ({ peer, clock }) => {
  const caller = peer()
  const replies = await all([
    () => caller.post(ORDERS, laterOrder('later')),
    () => caller.get('/api/v1/balance'),
  ])
  for (let seen = 0; seen < 5; seen++) {
    clock.advance(500)
    replies.push(await caller.get(ORDERS))
  }
  return replies
}

const STORIES: readonly Story[] = [catalog, orders, windows, caps, gift, money]
const TOKEN = /"quoteToken":\s*"[^"]+"/

/** All that a client sees of the stories. */
async function transcript(variants: readonly VariantName[]): Promise<string> {
  const lines: unknown[] = []
  for (const story of STORIES) {
    const clock = new ManualClock(Date.UTC(2026, 0, 1, 0, 0, 17))
    const stage = bench({ clock, variants, limits: LIMITS, platformGift: 'enabled' })
    for (const { status, headerNames, headers, text } of await story(stage))
      lines.push([status, headerNames, headers, text.replace(TOKEN, '')])
  }
  return JSON.stringify(lines)
}

const plain = await transcript([])

test('the stories are told the same way twice', async () => {
  expect(await transcript([])).toBe(plain)
})

test.each(VARIANT_NAMES)('%s makes a difference that a client can see', async (name) => {
  expect((await transcript([name])) === plain, VARIANTS[name].summary).toBe(false)
})

test('a name that does not exist is refused', () => {
  expect(() => variantSet(['stranger', 'nothing'])).toThrow(/"nothing", which does not/)
})

test('the target file tells what a client needs of a variant', () => {
  const base = 'http://127.0.0.1:1'
  const tell = (name: VariantName): object => targetFile(base, undefined, { variants: [name] })
  expect(tell('refused-keys-403')).toMatchObject({ answers: { unknownKeyHttpStatus: 403 } })
  expect(tell('codes-other')).toMatchObject({
    answers: { replayStatusCode: 0, successStatusCode: 7 },
  })
  expect(tell('codes-other-undeclared')).not.toHaveProperty('answers.replayStatusCode')
  expect(tell('rate-limits-absent')).toMatchObject({ limits: { 'orders.list': { count: 2 } } })
  expect(tell('stranger')).toMatchObject({ operations: { getBalance: { path: '/api/v1/money' } } })
  expect(tell('prefix-everywhere')).toMatchObject({
    operations: { whoami: { path: '/api/v1/whoami' } },
  })
})
