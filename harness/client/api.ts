import type { ProductAbility, Role } from '../../contract/capabilities.ts'
import { HEADER, MEDIA_TYPE_JSON } from '../../contract/wire.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Keyring } from '../accounts/accounts.ts'
import type { Clock } from '../clock.ts'
import { parseMoney } from '../money.ts'
import type { Purchase, PurchaseGuard, Settlement } from '../quota/purchase-guard.ts'
import type { Scalar, Target } from '../target/target.ts'
import type { RenderedEntries } from '../target/entries.ts'
import { renderPath, renderTemplate } from '../target/template.ts'
import {
  plainProducts,
  productOf,
  renderCart,
  renderOrder,
  unitsOf,
  type CartRequest,
  type OrderRequest,
} from './bodies.ts'
import type { Call, Client } from './client.ts'
import type { Exchange, HeaderList } from './exchange.ts'
import { retryAfterSeconds } from './headers.ts'

export type { CartLine, CartRequest, OrderRequest } from './bodies.ts'

/** Who calls: a role of the check's keyring, nobody, or a key that no account has. */
export type Caller = Role | 'none' | 'invented'

/** How one call departs from a plain one. */
export type CallOptions = {
  /** `return`: a 429 is what the check wants to see. `wait` (default): it is waited out and the call sent again. */
  readonly throttled?: 'wait' | 'return'
  /** Sent without waiting for quota of the ledger. */
  readonly unpaced?: boolean
  /** The client goes away after the last byte of the request: the exchange ends with the error ABANDONED. */
  readonly abandon?: boolean
  readonly localAddress?: string
  /** Set, or with null removed. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Sent in place of the JSON text of the body. */
  readonly rawBody?: string
  readonly method?: string
  readonly path?: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
}

/** What a call is about, beyond what goes on the wire. */
type Marks = Pick<Call, 'order' | 'filtered' | 'unhide' | 'checkOnly' | 'products' | 'units'>

/** A key that no account has: well-formed, and never a secret. */
const INVENTED_KEY = 'harness-invented-key-00000000000000000000'

const THROTTLED_ATTEMPTS_MAX = 6
const RETRY_MARGIN_MS = 60

/** No window of the interface is longer; a longer promise is not worth a run's time. */
const WAIT_SECONDS_MAX = 180

/** A 429 that the check did not ask for and that waiting did not end: the check stays undecided. */
export class StillThrottled extends Error {
  override readonly name = 'StillThrottled'
  readonly exchange: Exchange

  constructor(exchange: Exchange, attempts: number, retryAfter: number) {
    super(
      `${exchange.request.method} ${new URL(exchange.request.url).pathname} was still answered 429 after ${attempts} attempts (last Retry-After ${retryAfter})`,
    )
    this.exchange = exchange
  }
}

export type ApiContext = {
  readonly client: Client
  readonly target: Target
  readonly clock: Clock
  readonly guard: PurchaseGuard
  readonly keyring: Keyring
  readonly check: string
  readonly signal?: AbortSignal
}

/** The operations of the interface as one caller sends them. */
export class Api {
  readonly #context: ApiContext
  readonly #caller: Caller
  /** Headers of a plain call, without and with a body: the same for all of them. */
  readonly #plain: { without?: HeaderList; with?: HeaderList } = {}

  constructor(context: ApiContext, caller: Caller) {
    this.#context = context
    this.#caller = caller
  }

  /** The same context, another caller. */
  as(caller: Caller): Api {
    return new Api(this.#context, caller)
  }

  whoami(options?: CallOptions): Promise<Exchange> {
    return this.send('whoami', {}, options)
  }

  listServices(query: CallOptions['query'] = {}, options?: CallOptions): Promise<Exchange> {
    return this.send('listServices', {}, { ...options, query })
  }

  rateLimits(options?: CallOptions): Promise<Exchange> {
    return this.send('rateLimits', {}, options)
  }

  getOrders(query: CallOptions['query'] = {}, options?: CallOptions): Promise<Exchange> {
    const order = query['orderId'] ?? query['referenceId']
    const marks = {
      filtered: order !== undefined,
      unhide: query['unhide'] === true,
      ...(order === undefined ? {} : { order: String(order) }),
    }
    return this.send('getOrders', {}, { ...options, query }, marks)
  }

  /** POST /api/v1/orders. Reserved with the purchase guard before it is sent. */
  async createOrder(order: OrderRequest, options?: CallOptions): Promise<Exchange> {
    const { target, guard } = this.#context
    const kind = order.kind ?? 'shop'
    const body = renderOrder(target, order, kind)
    const checkOnly = kind === 'dtu-check'
    const purchase = checkOnly ? undefined : this.#purchase(order)
    if (purchase) guard.reserve(purchase)
    const purchases = purchase ? [purchase] : []
    const marks = { checkOnly, products: plainProducts(order), units: unitsOf(order, kind) }
    return this.#settled(purchases, this.send('createOrder', { body }, options, marks))
  }

  /** POST /carts. An order for each position is reserved with the purchase guard before it is sent. */
  async createCart(cart: CartRequest, options?: CallOptions): Promise<Exchange> {
    const { target, guard } = this.#context
    const rendered = renderCart(target, cart)
    if (!rendered) throw new Error('positions of operations.createCart.body cannot be told')
    const purchases = this.#purchasesOf(cart, rendered)
    guard.reserveAll(purchases)
    const { referenceId, lines } = cart
    const content = { variables: { referenceId }, body: rendered.body }
    const products = rendered.isFixed ? [] : lines.map(({ product }) => product)
    return this.#settled(purchases, this.send('createCart', content, options, { products }))
  }

  /** An operation that is about one product: item lookup, single item. Its variables may be overridden. */
  aboutProduct(
    operation: 'lookupItems' | 'getItem',
    product: ProductAbility,
    overrides: Readonly<Record<string, Scalar>> = {},
    options?: CallOptions,
  ): Promise<Exchange> {
    const { target } = this.#context
    const variables = { ...productOf(target, product).variables, ...overrides }
    const template = target.operations[operation].body
    const body = template === undefined ? undefined : renderTemplate(template, variables)
    const products = Object.keys(overrides).length === 0 ? [product] : []
    return this.send(operation, { variables, body }, options, { products })
  }

  /** Any operation, with the target's path and query. */
  async send(
    operation: OperationName,
    content: { variables?: Record<string, Scalar>; body?: unknown },
    options: CallOptions = {},
    marks: Marks = {},
  ): Promise<Exchange> {
    if (operation === 'createOrder' || operation === 'createCart') this.#context.guard.requireSome()
    const call = this.#call(operation, content, options, marks)
    for (let attempt = 1; ; attempt++) {
      const exchange = await this.#context.client.call(call)
      if (exchange.response?.status !== 429 || options.throttled === 'return') return exchange
      await this.#waitOut(exchange, attempt)
    }
  }

  async #waitOut(exchange: Exchange, attempt: number): Promise<void> {
    const seconds = retryAfterSeconds(exchange) ?? 1
    if (attempt >= THROTTLED_ATTEMPTS_MAX || seconds > WAIT_SECONDS_MAX)
      throw new StillThrottled(exchange, attempt, seconds)
    await this.#context.clock.sleep(seconds * 1000 + RETRY_MARGIN_MS, this.#context.signal)
  }

  #call(
    operation: OperationName,
    content: { variables?: Record<string, Scalar>; body?: unknown },
    options: CallOptions,
    marks: Marks,
  ): Call {
    const { target, check } = this.#context
    const described = target.operations[operation]
    const method = options.method ?? described.method
    const path = options.path ?? described.path
    if (path === undefined) throw new Error(`the target file gives no path for ${operation}`)
    const variables = content.variables ?? {}
    const stated = renderTemplate(described.query, variables) as typeof described.query
    const url = urlOf(target.baseUrl + renderPath(path, variables), { ...stated, ...options.query })
    const body = bodyText(method, content.body, options.rawBody)
    const { account, keyVariable } = this.#presented()
    return {
      check,
      operation,
      role: this.#caller,
      account,
      keyVariable,
      method,
      url,
      headers: this.#headers(body !== undefined, options.headers),
      body,
      localAddress: options.localAddress,
      unpaced: options.unpaced,
      abandon: options.abandon,
      meets: options.throttled === 'return',
      ...marks,
    }
  }

  #headers(hasBody: boolean, overrides?: CallOptions['headers']): HeaderList {
    if (overrides) return this.#headersWith(hasBody, overrides)
    return (this.#plain[hasBody ? 'with' : 'without'] ??= this.#headersWith(hasBody, {}))
  }

  #headersWith(hasBody: boolean, overrides: NonNullable<CallOptions['headers']>): HeaderList {
    const key = this.#key()
    const headers = new Map<string, string>([['accept', MEDIA_TYPE_JSON]])
    if (key !== undefined) headers.set(HEADER.apiKey.toLowerCase(), key)
    if (hasBody) headers.set(HEADER.contentType.toLowerCase(), MEDIA_TYPE_JSON)
    for (const name of Object.keys(overrides)) headers.delete(name.toLowerCase())
    // As they are spelled: how a name is written must not matter to a server.
    for (const [name, value] of Object.entries(overrides))
      if (value !== null) headers.set(name, value)
    return [...headers]
  }

  #key(): string | undefined {
    if (this.#caller === 'none') return undefined
    if (this.#caller === 'invented') return INVENTED_KEY
    return this.#context.keyring.key(this.#caller).secret
  }

  #account(): string {
    return this.#presented().account
  }

  /** Whose key is sent, and where it comes from. */
  #presented(): Pick<Call, 'account' | 'keyVariable'> {
    if (this.#caller === 'none' || this.#caller === 'invented') return { account: this.#caller }
    const { account, env } = this.#context.keyring.key(this.#caller)
    return { account, keyVariable: env }
  }

  /** Tells the guard what became of what was reserved. What ends without an answer stays reserved, unless it was refused to the end. */
  async #settled(purchases: readonly Purchase[], sending: Promise<Exchange>): Promise<Exchange> {
    const { guard } = this.#context
    try {
      const exchange = await sending
      for (const [index, purchase] of purchases.entries())
        guard.settle(purchase, this.#settlementOf(exchange, purchase, index))
      return exchange
    } catch (cause) {
      if (cause instanceof StillThrottled)
        for (const purchase of purchases) guard.settle(purchase, { outcome: 'refused' })
      throw cause
    }
  }

  /** What an answer says of one of the orders that were asked for. A replay is told by its number, where the target file states it. */
  #settlementOf(exchange: Exchange, { currency }: Purchase, index: number): Settlement {
    const { replayStatusCode } = this.#context.target.answers
    const { statusCode } = (exchange.json ?? {}) as { statusCode?: unknown }
    const order = ordersOf(exchange)[index]
    return {
      outcome: outcomeOf(exchange),
      orderId: typeof order?.['orderId'] === 'string' ? order['orderId'] : undefined,
      replayed: replayStatusCode !== undefined && statusCode === replayStatusCode,
      micros: order?.['currency'] === currency ? parseMoney(order['price']) : undefined,
    }
  }

  /** Orders that a cart may create. The price of a position that the target file spells out is not known before. */
  #purchasesOf({ referenceId, lines }: CartRequest, rendered: RenderedEntries): Purchase[] {
    return Array.from({ length: rendered.count }, (_, index) => {
      const [first] = lines
      const line = lines[index] ?? first
      if (!line) throw new Error('a cart needs a line at least')
      const { micros, ...purchase } = this.#purchase({ ...line, referenceId })
      const id = `${purchase.id} position ${index + 1}`
      return { ...purchase, id, ...(rendered.isFixed || micros === undefined ? {} : { micros }) }
    })
  }

  #purchase(order: OrderRequest): Purchase {
    const product = productOf(this.#context.target, order.product)
    const unit = parseMoney(product.unitPrice)
    // A top-up is priced by its amount, which may be a fraction; reserved is what it may cost at most.
    const units = [order.amount, order.quantity].find((each) => typeof each === 'number') ?? 1
    return {
      id: `${this.#account()} ${order.referenceId ?? ''}`,
      currency: product.currency ?? '',
      ...(unit === undefined ? {} : { micros: unit * BigInt(Math.max(0, Math.ceil(units))) }),
    }
  }
}

/** Paths as the URL class writes them: a run has few, and calls each many times. */
const hrefs = new Map<string, string>()
const HREFS_MAX = 1_000

function hrefOf(url: string): string {
  const known = hrefs.get(url)
  if (known !== undefined) return known
  if (hrefs.size >= HREFS_MAX) hrefs.clear()
  const { href } = new URL(url)
  hrefs.set(url, href)
  return href
}

function urlOf(url: string, query: NonNullable<CallOptions['query']>): string {
  const href = hrefOf(url)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.append(name, String(value))
  if (search.size === 0) return href
  // A space as %20, which every decoder understands; + is one in forms only.
  if (!/[?#]/.test(href)) return `${href}?${search.toString().replaceAll('+', '%20')}`
  const whole = new URL(href)
  for (const [name, value] of search) whole.searchParams.append(name, value)
  whole.search = whole.search.replaceAll('+', '%20')
  return whole.href
}

function bodyText(method: string, body: unknown, rawBody?: string): string | undefined {
  if (rawBody !== undefined) return rawBody
  if (body !== undefined) return JSON.stringify(body)
  return method === 'GET' ? undefined : '{}'
}

/** Statuses at which the interface says, or HTTP means, that no order was made. Anything else may have made one. */
function outcomeOf(exchange: Exchange): Settlement['outcome'] {
  const status = exchange.response?.status
  return status !== undefined && status >= 400 && status < 500 ? 'refused' : 'maybe made'
}

/** The PurchaseResponse, or every order of a CheckoutResponse. */
function ordersOf({ json }: Exchange): (Readonly<Record<string, unknown>> | undefined)[] {
  const { data } = (json ?? {}) as { data?: { orders?: unknown } | null }
  const orders = Array.isArray(data?.orders) ? (data.orders as unknown[]) : [data]
  return orders.map(
    (order) => (order ?? undefined) as Readonly<Record<string, unknown>> | undefined,
  )
}
