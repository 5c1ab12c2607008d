/** What the tests share: a service that sells whatever arrives, and a network that loses some of it. */
import { keyringOf } from '../../harness/accounts/accounts.ts'
import { Api } from '../../harness/client/api.ts'
import { Client, type Pacer } from '../../harness/client/client.ts'
import type { Exchange, Transport, WireRequest } from '../../harness/client/exchange.ts'
import { History } from '../../harness/client/history.ts'
import { VirtualClock } from './virtual-clock.ts'
import { formatMoney, parseMoney, type Micros } from '../../harness/money.ts'
import { targetFiles } from './target-files.ts'
import type { CatalogPrice } from '../../harness/purchases/price-book.ts'
import { PurchaseGuard } from '../../harness/purchases/purchase-guard.ts'
import type { PurchasePermission } from '../../harness/purchases/purchase.ts'
import { SpendingTurns } from '../../harness/quota/spending-turns.ts'

export const UNIT = '2.50'
const REPLAY = 1

const PRODUCT = { variables: { itemId: 'v' }, currency: 'USD', unitPrice: UNIT } as const

const TARGET = targetFiles().resolveFile({
  baseUrl: 'http://target.invalid',
  capabilities: ['shop'],
  products: {
    voucher: PRODUCT,
    'voucher-async': { ...PRODUCT, completesWithinSeconds: 10 },
  },
  operations: {
    createOrder: {
      bodies: { shop: { referenceId: '{{referenceId}}', quantity: '{{quantity}}' } },
    },
  },
  answers: { replayStatusCode: REPLAY },
})

/** What happens to one purchase on its way. `broken`: it is charged, and answered 500. */
export type Fate = 'answered' | 'lost before' | 'answer lost' | 'refused' | 'busy' | 'broken'

export type ShopOptions = {
  readonly fates?: readonly Fate[]
  readonly keepsReferences?: boolean
  /** What it charges for a unit, by the number of orders before it. */
  readonly unit?: (before: number) => string
  /** Orders take so long, and show their price at their end. */
  readonly laterMs?: number
  /** Reads are refused for the rest of a window of so many seconds. */
  readonly readsRefusedSeconds?: number
  /** Each reading waits so long before it leaves. */
  readonly readsQueueSeconds?: number
}

type Sold = { readonly reference: string; readonly micros: Micros; readonly madeAtMs: number }

export class Shop {
  readonly orders: Sold[] = []
  readonly transport: Transport
  /** Most purchases that were under way at once. */
  together = 0
  #underWay = 0
  readonly #clock: VirtualClock
  readonly #fates: Fate[]
  readonly #options: ShopOptions

  constructor(clock: VirtualClock, options: ShopOptions) {
    this.#clock = clock
    this.#options = options
    this.#fates = [...(options.fates ?? [])]
    this.transport = {
      close: () => Promise.resolve(),
      send: async (request) => {
        const isPurchase = request.method === 'POST'
        if (isPurchase) this.together = Math.max(this.together, (this.#underWay += 1))
        await clock.sleep(1)
        if (isPurchase) this.#underWay -= 1
        return isPurchase ? this.#sell(request.body ?? '{}') : this.#show(request)
      },
    }
  }

  get spent(): Micros {
    return this.orders.reduce((sum, { micros }) => sum + micros, 0n)
  }

  #sell(body: string): Answer {
    const fate = this.#fates.shift() ?? 'answered'
    if (fate === 'lost before') throw new Error('connection reset')
    if (fate === 'refused') return json(422, { statusCode: 2 })
    if (fate === 'busy') return json(429, { statusCode: 8 }, [['retry-after', '1']])
    const { referenceId: reference = '', quantity = 1 } = JSON.parse(body) as Record<string, string>
    const { keepsReferences = true, unit = () => UNIT } = this.#options
    const known = this.orders.findIndex((order) => order.reference === reference)
    const isReplay = keepsReferences && known >= 0
    const micros = BigInt(quantity) * (parseMoney(unit(this.orders.length)) ?? 0n)
    if (!isReplay) this.orders.push({ reference, micros, madeAtMs: this.#clock.nowMs() })
    if (fate === 'answer lost') throw new Error('time-out')
    if (fate === 'broken') return json(500, { statusCode: 5 })
    const data = this.#orderAt(isReplay ? known : this.orders.length - 1)
    return json(200, { statusCode: isReplay ? REPLAY : 0, data })
  }

  #show({ url }: WireRequest): Answer {
    const left = (this.#options.readsRefusedSeconds ?? 0) - this.#clock.nowMs() / 1000
    if (left > 0) return json(429, { statusCode: 8 }, [['retry-after', String(Math.ceil(left))]])
    const reference = new URL(url).searchParams.get('referenceId')
    const items = this.orders.flatMap((order, index) =>
      order.reference === reference ? [this.#orderAt(index)] : [],
    )
    return json(200, { statusCode: 0, data: { page: { items } } })
  }

  #orderAt(index: number): object {
    const { micros, madeAtMs } = this.orders[index] as Sold
    const isDone = this.#clock.nowMs() >= madeAtMs + (this.#options.laterMs ?? 0)
    return {
      orderId: `order-${index}`,
      currency: 'USD',
      price: isDone ? Number(formatMoney(micros)) : 0,
      status: isDone ? 'SUCCESS' : 'IN_PROGRESS',
    }
  }
}

type Answer = Awaited<ReturnType<Transport['send']>>

function json(status: number, content: object, headers: [string, string][] = []): Answer {
  return { status, headers, body: JSON.stringify(content), connection: '1', truncated: false }
}

export type Market = { readonly shop: Shop; readonly guard: PurchaseGuard; readonly api: Api }

export function openMarket(
  permission: PurchasePermission,
  options: ShopOptions = {},
  catalog: readonly CatalogPrice[] = [],
): Market {
  const clock = new VirtualClock()
  const shop = new Shop(clock, options)
  const guard = new PurchaseGuard(permission, { catalog })
  const { readsQueueSeconds } = options
  const free: Pacer = {
    admit: ({ operation }) =>
      operation === 'getOrders' && readsQueueSeconds !== undefined
        ? clock.sleep(1000 * readsQueueSeconds)
        : undefined,
    settle: () => {},
  }
  const client = new Client({
    transport: shop.transport,
    clock,
    history: new History(),
    pacer: guard.isStrict ? new SpendingTurns(free, guard) : free,
  })
  const full = { role: 'full', account: 'main', secret: 'k', env: 'K' } as const
  const context = { client, target: TARGET, clock, guard, keyring: keyringOf({ full }) }
  return { shop, guard, api: new Api({ ...context, check: 'a.check' }, 'full') }
}

export function buy(
  { api }: Pick<Market, 'api'>,
  reference: number,
  order: { readonly quantity?: number; readonly product?: 'voucher' | 'voucher-async' } = {},
  options: { readonly throttled?: 'return' } = {},
): Promise<Exchange> {
  return api.createOrder({ product: 'voucher', referenceId: `r${reference}`, ...order }, options)
}
