import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyringOf } from '../accounts/accounts.ts'
import { Api } from '../client/api.ts'
import { Client } from '../client/client.ts'
import type { Exchange, Transport } from '../client/exchange.ts'
import { History } from '../client/history.ts'
import { VirtualClock } from '../clock.ts'
import { parseMoney, type Micros } from '../money.ts'
import { targetFiles } from '../target/fixture.ts'
import { PurchaseGuard, PurchaseRefused, type PurchasePermission } from './purchase-guard.ts'

const UNIT = '2.50'
const REPLAY = 1

const TARGET = targetFiles().resolveFile({
  baseUrl: 'http://target.invalid',
  capabilities: ['shop'],
  products: {
    voucher: { variables: { itemId: 'v' }, currency: 'USD', unitPrice: UNIT },
  },
  operations: {
    createOrder: {
      bodies: { shop: { referenceId: '{{referenceId}}', quantity: '{{quantity}}' } },
    },
  },
  answers: { replayStatusCode: REPLAY },
})

/** What happens to one request on its way. */
type Fate = 'answered' | 'lost before' | 'answer lost' | 'refused' | 'busy'

/** A service that sells whatever arrives, and a network that loses some of it. */
class Shop {
  readonly orders: { reference: string; micros: Micros }[] = []
  readonly transport: Transport
  readonly #fates: Fate[]
  readonly #keepsReferences: boolean

  constructor(clock: VirtualClock, fates: readonly Fate[], keepsReferences: boolean) {
    this.#fates = [...fates]
    this.#keepsReferences = keepsReferences
    this.transport = {
      close: () => Promise.resolve(),
      send: async (request) => {
        await clock.sleep(1)
        return this.#answer(request.body ?? '{}')
      },
    }
  }

  get spent(): Micros {
    return this.orders.reduce((sum, { micros }) => sum + micros, 0n)
  }

  #answer(body: string): Awaited<ReturnType<Transport['send']>> {
    const fate = this.#fates.shift() ?? 'answered'
    if (fate === 'lost before') throw new Error('connection reset')
    if (fate === 'refused') return json(422, { statusCode: 2 })
    if (fate === 'busy') return json(429, { statusCode: 8 }, [['retry-after', '1']])
    const { referenceId: reference, quantity } = JSON.parse(body) as Record<string, string>
    const known = this.orders.findIndex((order) => order.reference === reference)
    const isReplay = this.#keepsReferences && known >= 0
    const price = BigInt(quantity ?? 1) * (parseMoney(UNIT) ?? 0n)
    if (!isReplay) this.orders.push({ reference: reference ?? '', micros: price })
    if (fate === 'answer lost') throw new Error('time-out')
    const orderId = `order-${isReplay ? known : this.orders.length - 1}`
    return json(200, { statusCode: isReplay ? REPLAY : 0, data: { orderId, currency: 'USD' } })
  }
}

function json(
  status: number,
  content: object,
  headers: [string, string][] = [],
): Awaited<ReturnType<Transport['send']>> {
  return { status, headers, body: JSON.stringify(content), connection: '1', truncated: false }
}

type Market = { readonly shop: Shop; readonly guard: PurchaseGuard; readonly api: Api }

function open(
  permission: PurchasePermission,
  fates: readonly Fate[],
  keepsReferences = true,
): Market {
  const clock = new VirtualClock()
  const shop = new Shop(clock, fates, keepsReferences)
  const guard = new PurchaseGuard(permission)
  const client = new Client({
    transport: shop.transport,
    clock,
    history: new History(),
    pacer: { admit: () => Promise.resolve(), settle: () => {} },
  })
  const full = { role: 'full', account: 'main', secret: 'k', env: 'K' } as const
  const keyring = keyringOf({ full })
  const context = { client, target: TARGET, clock, guard, keyring, check: 'a.check' }
  return { shop, guard, api: new Api(context, 'full') }
}

function buy({ api }: Market, reference: number, quantity = 1): Promise<Exchange> {
  return api.createOrder({ product: 'voucher', referenceId: `r${reference}`, quantity })
}

const fate = fc.constantFrom<Fate[]>('answered', 'lost before', 'answer lost', 'refused', 'busy')
const purchase = fc.record({
  reference: fc.integer({ min: 0, max: 4 }),
  quantity: fc.integer({ min: 1, max: 4 }),
})

test('no service sells more than is permitted, however purchases overlap and answers are lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 8 }),
      fc.integer({ min: 0, max: 20 }),
      fc.array(purchase, { maxLength: 16 }),
      fc.array(fate, { maxLength: 24 }),
      fc.boolean(),
      async (ordersMax, units, purchases, fates, keepsReferences) => {
        const micros = BigInt(units) * (parseMoney(UNIT) ?? 0n)
        const permission = { ordersMax, spendMax: { currency: 'USD', micros } }
        const market = open(permission, fates, keepsReferences)
        const { shop, guard } = market
        await Promise.all(
          purchases.map(({ reference, quantity }) =>
            buy(market, reference, quantity).catch((cause: unknown) => {
              if (!(cause instanceof PurchaseRefused)) throw cause
            }),
          ),
        )
        expect(shop.orders.length).toBeLessThanOrEqual(ordersMax)
        expect(shop.spent).toBeLessThanOrEqual(micros)
        // Nothing is forgotten: what was sold is counted.
        expect(guard.orders).toBeGreaterThanOrEqual(shop.orders.length)
      },
    ),
    { numRuns: 300, seed: 7 },
  )
})

test('a lost answer counts as an order until a replay settles it', async () => {
  const market = open({ ordersMax: 2 }, ['answer lost'])
  const { shop, guard } = market
  await buy(market, 0)
  expect([shop.orders.length, guard.orders]).toEqual([1, 1])
  await buy(market, 0)
  expect([shop.orders.length, guard.orders]).toEqual([1, 1])
  await buy(market, 1)
  await expect(buy(market, 2)).rejects.toThrow('the permitted 2 orders are used up')
  expect(shop.orders).toHaveLength(2)
})

test('a replay settles a lost answer at the price of what was lost', async () => {
  const market = open({}, ['answer lost'])
  await buy(market, 0, 3)
  await buy(market, 0, 1)
  expect(market.guard.orders).toBe(1)
  expect(market.guard.money).toEqual(new Map([['USD', market.shop.spent]]))
})

test('an order that is refused to the end is given back', async () => {
  const busy = Array.from({ length: 6 }, () => 'busy' as const)
  const market = open({ ordersMax: 1 }, busy)
  await expect(buy(market, 0)).rejects.toThrow('still answered 429')
  expect(market.guard.orders).toBe(0)
})
