/** What the tests of the reference service share: a clock that only moves when told, and a peer that sends requests without sockets. */
import { SCOPES } from '../../contract/wire.ts'
import type { AccountSpec, KeySpec } from '../../reference/model/accounts.ts'
import { pairsOf } from '../../reference/base/headers.ts'
import { createService } from '../../reference/service.ts'
import type { Service, ServiceClock, ServiceOptions } from '../../reference/service.ts'

export class ManualClock implements ServiceClock {
  #nowMs = 0
  readonly #epochMs: number

  constructor(epochMs = Date.UTC(2026, 0, 1)) {
    this.#epochMs = epochMs
  }

  nowMs(): number {
    return this.#nowMs
  }

  wallMs(): number {
    return this.#epochMs + this.#nowMs
  }

  advance(ms: number): void {
    this.#nowMs += ms
  }

  /** Lets everything that was started at the same moment begin, then moves to the goal. */
  async sleep(ms: number): Promise<void> {
    const goalMs = this.#nowMs + ms
    await Promise.resolve()
    this.#nowMs = Math.max(this.#nowMs, goalMs)
  }
}

export type Envelope = {
  readonly data: Readonly<Record<string, unknown>> | null
  readonly errorCode: string | null
  readonly errors: readonly { readonly code: string; readonly field: string }[] | null
  readonly status: string
  readonly statusCode: number
  /** Always there, but for one fault. */
  readonly statusMessage?: string
  readonly traceId: string
}

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As they were written. */
  readonly headerNames: readonly string[]
  readonly text: string
  readonly body: Envelope
}

export type SendOptions = {
  readonly headers?: readonly (readonly [string, string])[]
  readonly remoteAddress?: string
  /** Left out where null. */
  readonly contentType?: string | null
  /** The client leaves before the answer comes. */
  readonly leaves?: boolean
}

/** One caller with one key. */
export class Peer {
  readonly #service: Service
  readonly key: string

  constructor(service: Service, key: string) {
    this.#service = service
    this.key = key
  }

  get(url: string, options: SendOptions = {}): Promise<Reply> {
    return this.send('GET', url, '', { contentType: null, ...options })
  }

  post(url: string, body: unknown, options: SendOptions = {}): Promise<Reply> {
    return this.send('POST', url, typeof body === 'string' ? body : JSON.stringify(body), options)
  }

  async send(method: string, url: string, body: string, options: SendOptions = {}): Promise<Reply> {
    const { contentType = 'application/json', headers = [], remoteAddress = '127.0.0.1' } = options
    const response = await this.#service.handle({
      method,
      url,
      headers: [
        'X-API-Key',
        this.key,
        ...(contentType === null ? [] : ['Content-Type', contentType]),
        ...headers.flat(),
      ],
      body,
      remoteAddress,
      isGone: () => options.leaves === true,
    })
    const pairs = pairsOf(response.headers)
    const lowered = pairs.map(([name, value]) => [name.toLowerCase(), value] as const)
    return {
      status: response.status,
      headers: Object.fromEntries(lowered),
      headerNames: pairs.map(([name]) => name),
      text: response.body,
      body: envelopeIn(response.body),
    }
  }
}

/** What is no JSON, as one fault sends it, has nothing to compare. */
function envelopeIn(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return EMPTY_ENVELOPE
  }
}

const EMPTY_ENVELOPE: Envelope = {
  data: null,
  errorCode: null,
  errors: null,
  status: '',
  statusCode: -1,
  statusMessage: '',
  traceId: '',
}

export type Bench = {
  readonly service: Service
  readonly clock: ManualClock
  /** A key of a fresh account of its own. */
  readonly peer: (spec?: Partial<KeySpec>, account?: Omit<AccountSpec, 'keys'>) => Peer
  /** Several keys of one fresh account. */
  readonly peers: <Role extends string>(
    keys: Readonly<Record<Role, Partial<KeySpec>>>,
    account?: Omit<AccountSpec, 'keys'>,
  ) => Readonly<Record<Role, Peer>>
}

/** A service on a clock of its own, deterministic, without demo accounts. An internal error fails the test that caused it. */
export function bench(options: ServiceOptions = {}): Bench {
  const clock = options.clock instanceof ManualClock ? options.clock : new ManualClock()
  const service = createService({
    seed: 7,
    demoAccounts: false,
    onInternalError: (error) => {
      throw error
    },
    ...options,
    clock,
  })
  const peers: Bench['peers'] = (keys, account = {}) => {
    const specs = Object.entries<Partial<KeySpec>>(keys).map(
      ([role, spec]) => [role, { scopes: SCOPES, ...spec }] as const,
    )
    const created = service.control.createAccount({ ...account, keys: Object.fromEntries(specs) })
    const made = Object.entries(created.keys).map(
      ([role, { key }]) => [role, new Peer(service, key)] as const,
    )
    return Object.fromEntries(made) as ReturnType<Bench['peers']>
  }
  return {
    service,
    clock,
    peers,
    peer: (spec = {}, account = {}) => peers({ only: spec }, account).only,
  }
}

export const ORDERS = '/api/v1/orders'

/** A shop order of the voucher that completes at once, at 1.00 each. */
export function shopOrder(referenceId: string, quantity = 1, more: object = {}): object {
  const place = { serviceId: 'svc-arcade', itemId: 'arcade-1' }
  return { ordersType: 'shop', referenceId, ...place, quantity, ...more }
}

/** A shop order that completes later, with the given item. */
export function laterOrder(referenceId: string, itemId = 'streaming-month'): object {
  const serviceId = itemId.startsWith('bundle') ? 'svc-bundle' : 'svc-streaming'
  return { ordersType: 'shop', referenceId, serviceId, itemId, quantity: 2 }
}

export function topUpOrder(referenceId: string, more: object = {}): object {
  const place = { serviceId: 'svc-mobile', itemId: 'mobile-open' }
  return {
    ordersType: 'dtu',
    referenceId,
    ...place,
    amount: 5,
    topUp: { account: 'player-1' },
    ...more,
  }
}

export function esimOrder(referenceId: string, kind: 'europe' | 'islands' = 'europe'): object {
  const place = { serviceId: `svc-esim-${kind}`, itemId: `esim-${kind}-1gb` }
  return { ordersType: 'esim', referenceId, ...place }
}

export type ItemSeen = {
  readonly orderId: string
  readonly referenceId: string
  readonly status: string
  readonly result?: { readonly vouchers?: readonly { readonly pin: string }[] } | null
}

export function itemsOf(reply: Reply): readonly ItemSeen[] {
  const page = reply.body.data?.['page'] as { items: readonly ItemSeen[] } | undefined
  return page?.items ?? []
}

/** The orders in the answer to a checkout. */
export function ordersIn(reply: Reply): readonly { readonly orderId: string }[] {
  const orders = reply.body.data?.['orders']
  return Array.isArray(orders) ? (orders as { orderId: string }[]) : []
}
