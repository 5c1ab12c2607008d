import { isPurchase } from '../../contract/operations.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Keyring } from '../accounts/accounts.ts'
import type { Clock } from '../clock.ts'
import type { PurchaseGuard } from '../purchases/purchase-guard.ts'
import type { Purchase } from '../purchases/purchase.ts'
import type { Scalar, Target } from '../target-file/target.ts'
import { renderTemplate } from '../target-file/template.ts'
import {
  plainProducts,
  productOf,
  renderCart,
  renderOrder,
  unitsOf,
  type CartRequest,
  type OrderRequest,
} from './bodies.ts'
import type { Announced } from './announced.ts'
import { Calls, type Caller, type CallOptions, type Content, type Marks } from './calls.ts'
import type { Call, Client } from './client.ts'
import type { Exchange } from './exchange.ts'
import { confirmCharge, REFUSALS_MAX, REFUSED_SECONDS_MAX, RETRY_MARGIN_MS } from './charge.ts'
import { retryAfterSeconds } from './headers.ts'
import {
  hearOrders,
  hearUnasked,
  patienceSeconds,
  purchaseOf,
  purchasesOfCart,
  settlementsOf,
} from './purchasing.ts'

export type { CartLine, CartRequest, OrderRequest } from './bodies.ts'
export type { Caller, CallOptions } from './calls.ts'

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

/** Purchases that contend are refused for about a second: as other checks buy with the same key, more often than by a window. */
const BRIEF_SECONDS = 2
const BRIEF_REFUSALS_MAX = 20

export type ApiContext = {
  readonly client: Client
  readonly target: Target
  readonly clock: Clock
  readonly guard: PurchaseGuard
  readonly keyring: Keyring
  readonly check: string
  readonly signal?: AbortSignal
  /** Undefined: what is not found is not read again. */
  readonly announced?: Announced
}

/** The operations of the interface as one caller sends them. */
export class Api {
  readonly #context: ApiContext
  readonly #caller: Caller
  readonly #calls: Calls

  constructor(context: ApiContext, caller: Caller) {
    this.#context = context
    this.#caller = caller
    this.#calls = new Calls(context, caller)
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

  async getOrders(query: CallOptions['query'] = {}, options?: CallOptions): Promise<Exchange> {
    const { announced, clock, signal } = this.#context
    const order = query['orderId'] ?? query['referenceId']
    const unhide = query['unhide'] === true
    // Whoever counts reads is given each of them, and none of an order that need not be found yet.
    const isCounted = options?.unpaced === true && !unhide
    const awaited = this.#awaited(order)
    // Pending orders have to be seen pending: the first read of one in clear is sent at once.
    const isAtOnce = options?.unpaced !== true || (unhide && awaited?.isPending === true)
    if (awaited && !isAtOnce) await clock.sleep(awaited.foundByMs - clock.nowMs(), signal)
    const marks = {
      filtered: order !== undefined,
      unhide,
      ...(order !== undefined && { order: String(order) }),
      ...(awaited?.isPending && { awaitedUntilMs: awaited.foundByMs }),
    }
    const read = (): Promise<Exchange> => this.send('getOrders', {}, { ...options, query }, marks)
    const first = await read()
    if (order === undefined || isCounted) return first
    // Masked: a read with unhide may spend a budget.
    const masked = { query: { ...query, unhide: undefined } }
    const look = (): Promise<Exchange> =>
      this.send('getOrders', {}, masked, { ...marks, unhide: false })
    const comes = await announced?.comes(first, String(order), { ...this.#context, look })
    return comes === true ? read() : first
  }

  /** An order that need not be found yet. */
  #awaited(order: Scalar | undefined): ReturnType<Announced['awaited']> {
    const { announced, clock } = this.#context
    const reader = { account: this.#calls.account, role: this.#caller }
    return order === undefined
      ? undefined
      : announced?.awaited(String(order), reader, clock.nowMs())
  }

  /** POST /api/v1/orders. Reserved with the purchase guard before it is sent. */
  async createOrder(order: OrderRequest, options?: CallOptions): Promise<Exchange> {
    const { target } = this.#context
    const kind = order.kind ?? 'shop'
    const body = renderOrder(target, order, kind)
    const checkOnly = kind === 'dtu-check'
    const purchases = checkOnly ? [] : [purchaseOf(target, this.#calls.account, order)]
    const template = `/operations/createOrder/bodies/${kind}`
    const units = unitsOf(target, order, kind)
    const marks = { checkOnly, products: plainProducts(order), template, units }
    return this.#spend('createOrder', { body }, purchases, { options, marks })
  }

  /** POST /carts. An order for each position is reserved with the purchase guard before it is sent. */
  async createCart(cart: CartRequest, options?: CallOptions): Promise<Exchange> {
    const { target } = this.#context
    const rendered = renderCart(target, cart)
    if (!rendered)
      throw new Error('the positions of operations.createCart.body cannot be recognized')
    const purchases = purchasesOfCart(target, this.#calls.account, cart, rendered)
    const { referenceId, lines } = cart
    const content = { variables: { referenceId }, body: rendered.body }
    const products = rendered.isFixed ? [] : lines.map(({ product }) => product)
    return this.#spend('createCart', content, purchases, { options, marks: { products } })
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
    return this.send(operation, { variables, body }, options, {
      products,
      ...(template !== undefined && { template: `/operations/${operation}/body` }),
    })
  }

  /** Any operation, with the target's path and query. */
  async send(
    operation: OperationName,
    content: Content,
    options: CallOptions = {},
    marks: Marks = {},
  ): Promise<Exchange> {
    if (isPurchase(operation)) this.#context.guard.requireSome()
    const settled = marks.settled ?? this.#listener(operation, marks)
    const call = this.#calls.of(operation, content, options, { ...marks, settled })
    for (let attempt = 1; ; attempt++) {
      const exchange = await this.#context.client.call(call)
      if (!marks.checkOnly) this.#context.announced?.hear(exchange)
      if (exchange.response?.status !== 429 || options.throttled === 'return') return exchange
      await this.#waitOut(exchange, attempt)
    }
  }

  async #waitOut(exchange: Exchange, attempt: number): Promise<void> {
    const seconds = retryAfterSeconds(exchange) ?? 1
    const isBrief = isPurchase(exchange.operation) && seconds <= BRIEF_SECONDS
    const most = isBrief ? BRIEF_REFUSALS_MAX : REFUSALS_MAX
    if (attempt >= most || seconds > REFUSED_SECONDS_MAX)
      throw new StillThrottled(exchange, attempt, seconds)
    await this.#context.clock.sleep(seconds * 1000 + RETRY_MARGIN_MS, this.#context.signal)
  }

  /** Sends what buys, reserved before. What ends without an answer stays reserved, unless it was refused to the end or never left. */
  async #spend(
    operation: 'createOrder' | 'createCart',
    content: Content,
    purchases: readonly Purchase[],
    { options = {}, marks }: { readonly options?: CallOptions | undefined; readonly marks: Marks },
  ): Promise<Exchange> {
    const { guard } = this.#context
    const reservesInTurn = guard.isStrict
    if (!reservesInTurn) guard.reserveAll(purchases)
    const settled = (exchange: Exchange): Promise<void> | undefined => {
      const isSentAgain = exchange.response?.status === 429 && options.throttled !== 'return'
      if (isSentAgain && !reservesInTurn) return undefined
      this.#settle(purchases, exchange)
      const isOpen = guard.isStrict && purchases.some((each) => guard.isUnpriced(each))
      return isOpen ? guard.track(this.#confirm(operation, content, purchases)) : undefined
    }
    const buying = purchases.length === 0 ? marks : { ...marks, purchases, settled }
    try {
      return await this.send(operation, content, options, buying)
    } catch (cause) {
      if (cause instanceof StillThrottled && !reservesInTurn)
        for (const purchase of purchases) guard.settle(purchase, { outcome: 'refused' })
      throw cause
    }
  }

  #settle(purchases: readonly Purchase[], exchange: Exchange): void {
    const { guard, target } = this.#context
    for (const [purchase, settlement] of settlementsOf(target, exchange, purchases))
      guard.settle(purchase, settlement)
  }

  /** Finds out what the first purchase of a product was charged, by the caller that made it. */
  #confirm(
    operation: 'createOrder' | 'createCart',
    content: Content,
    purchases: readonly Purchase[],
  ): Promise<void> {
    const { guard, target, clock, signal } = this.#context
    const reference = purchases[0]?.reference ?? ''
    return confirmCharge({
      guard,
      purchases,
      clock,
      signal,
      patienceSeconds: patienceSeconds(
        target,
        purchases.map(({ product }) => product),
      ),
      look: () => this.getOrders({ referenceId: reference }, { throttled: 'return' }),
      replay: async () => {
        guard.reserveAll(purchases)
        const settled = (exchange: Exchange): undefined =>
          this.#settle(purchases, exchange) as undefined
        return this.send(operation, content, { throttled: 'return' }, { confirms: true, settled })
      },
    })
  }

  /** Tells the guard of orders that an answer shows, and that nobody reserved. */
  #listener(operation: OperationName, { filtered, checkOnly }: Marks): Call['settled'] {
    const { guard, target } = this.#context
    if (operation === 'getOrders' && filtered)
      return (exchange) => hearOrders(target, guard, exchange) as undefined
    if (isPurchase(operation) && !checkOnly)
      return (exchange) => hearUnasked(guard, exchange) as undefined
    return undefined
  }
}
