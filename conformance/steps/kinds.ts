import type { ProductAbility, Role } from '../../contract/capabilities.ts'
import { parseMoney, type Micros } from '../../harness/money.ts'
import type { CallOptions, CheckContext, Exchange, Needs, OrderRequest } from '../engine/kit.ts'
import { isAccepted, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { CHECKS_OUT, idsOf, LINES, POSITIONS, sendCart } from './cart.ts'
import { BUYS_ESIMS } from './esim.ts'
import { BUYS_VOUCHERS, dataOf, orderIdOf } from './orders.ts'
import { BUYS_TOP_UPS, topUpOrder } from './top-ups.ts'
import { BUYS_GIFTS, giftRequest, needToken, needValidToken } from './platform-gift.ts'
import { priceOf } from './buyer.ts'
import { dearerAmount, permittedAmounts } from '../../harness/judge/quantity.ts'
import { quantityRule, smallestLongQuantity } from './catalog-listing.ts'

export type Send = (options?: CallOptions) => Promise<Exchange>

/** A kind of purchase that can be sent again. */
export type Kind = {
  /** Part of the names of checks. */
  readonly name: string
  /** For sentences, for example `a top-up`. */
  readonly what: string
  readonly needs: Needs
  /** The product whose price one purchase costs. */
  readonly product: ProductAbility
  /** Orders of one purchase. */
  readonly orders: number
  /** Prepares a purchase, under a fresh reference unless one is given, and gives what sends it, the same every time. */
  readonly begin: (context: CheckContext, role: Role, referenceId?: string) => Promise<Send>
  readonly priceOf: (context: CheckContext, exchange: Exchange) => Micros
  /** What was bought. */
  readonly idOf: (exchange: Exchange) => string | undefined
}

/** One purchase of a kind, with what sends it again. */
export type Sent = {
  readonly kind: Kind
  readonly referenceId: string
  readonly send: Send
  readonly first: Exchange
}

export async function buyOnce(context: CheckContext, kind: Kind): Promise<Sent> {
  const referenceId = context.reference()
  const send = await kind.begin(context, 'full', referenceId)
  return { kind, referenceId, send, first: needSuccess(await send()) }
}

/** Orders of one purchase of each. */
export function ordersOfKinds(kinds: readonly Pick<Kind, 'orders'>[]): number {
  return kinds.reduce((sum, { orders }) => sum + orders, 0)
}

/** A kind that one order is of. */
export type KindOfOrder = Pick<Kind, 'name' | 'what' | 'needs' | 'product'> & {
  readonly order: (context: CheckContext, role: Role) => Promise<Omit<OrderRequest, 'referenceId'>>
}

export function orderKind({ order, ...kind }: KindOfOrder): Kind & KindOfOrder {
  return {
    ...kind,
    order,
    orders: 1,
    begin: async (context, role, referenceId = context.reference()) => {
      const request = { ...(await order(context, role)), referenceId }
      return (options) => context.api.as(role).createOrder(request, options)
    },
    priceOf,
    idOf: orderIdOf,
  }
}

function totalOf(_: CheckContext, exchange: Exchange): Micros {
  const total = parseMoney(dataOf(exchange)['totalPrice'])
  return total ?? untested(`the checkout states no totalPrice: ${showAnswer(exchange)}`)
}

/** Vouchers that come at once. */
export const VOUCHERS = orderKind({
  name: 'voucher',
  what: 'an order of vouchers',
  product: 'voucher',
  needs: BUYS_VOUCHERS,
  order: () => Promise.resolve({ product: 'voucher' }),
})

const READS_ITEMS = ['listServices.services', 'listServices.items'] as const

const GIFTS = orderKind({
  name: 'gift',
  what: 'a gift',
  product: 'platform-gift',
  needs: BUYS_GIFTS,
  order: async (context, role) => {
    const token = await needToken(context, {}, role)
    return giftRequest({ token, referenceId: '' })
  },
})

/** Every other kind. */
export const OTHER_KINDS = {
  topUp: orderKind({
    name: 'top-up',
    what: 'a top-up',
    product: 'dtu',
    needs: BUYS_TOP_UPS,
    order: (context) => Promise.resolve(topUpOrder(context)),
  }),
  later: orderKind({
    name: 'later',
    what: 'an order of vouchers that come later',
    product: 'voucher-async',
    needs: { ...BUYS_VOUCHERS, capabilities: ['shop', 'async'], products: ['voucher-async'] },
    order: () => Promise.resolve({ product: 'voucher-async' }),
  }),
  units: orderKind({
    name: 'units',
    what: 'a top-up by units',
    product: 'quantity',
    needs: {
      capabilities: ['dtu', 'quantity-items', 'catalog'],
      products: ['quantity'],
      orderKinds: ['dtu'],
      selectors: READS_ITEMS,
    },
    order: async (context) => {
      const rule = await quantityRule(context)
      const [fewest] = permittedAmounts(rule)
      if (fewest === undefined) return untested('the limits of the item permit no amount')
      // A service that charges the fewest units whatever is bought would be right about these.
      return { product: 'quantity', kind: 'dtu', amount: dearerAmount(rule, fewest) ?? fewest }
    },
  }),
  long: orderKind({
    name: 'long-order',
    what: 'a long order',
    product: 'voucher-long',
    needs: {
      capabilities: ['shop', 'long-orders', 'catalog'],
      products: ['voucher-long'],
      orderKinds: ['shop'],
      selectors: READS_ITEMS,
    },
    order: async (context) => {
      const quantity = (await smallestLongQuantity(context)) ?? 1
      return { product: 'voucher-long', quantity, overrides: { isLongOrder: true } }
    },
  }),
  esim: orderKind({
    name: 'esim',
    what: 'an eSIM',
    product: 'esim',
    needs: BUYS_ESIMS,
    order: () => Promise.resolve({ product: 'esim', kind: 'esim' }),
  }),
  gift: {
    ...GIFTS,
    begin: async (context, role, referenceId) => {
      const askedAtMs = context.clock.nowMs()
      const send = await GIFTS.begin(context, role, referenceId)
      return async (options) => {
        const answer = await send(options)
        // Each key has a quote of its own: under a reference of another key that is another payload, which 409 refuses.
        const isOther = role !== 'full' && referenceId !== undefined
        const isConflict = isOther && answer.response?.status === 409
        return isConflict ? answer : needValidToken(context, askedAtMs, answer)
      }
    },
  },
  checkout: {
    name: 'checkout',
    what: 'a checkout',
    product: 'voucher',
    orders: POSITIONS,
    needs: CHECKS_OUT,
    begin: (context, role, referenceId = context.reference()) => {
      const cart = { lines: LINES, referenceId, role }
      return Promise.resolve((options) => sendCart(context, cart, options))
    },
    priceOf: totalOf,
    idOf: (exchange) => idsOf(exchange).toSorted().join() || undefined,
  },
} as const satisfies Record<string, Kind>

/** Those that one request buys whose body needs no quote and no look at the catalog: vouchers first. */
export const BASIC_KINDS = [
  VOUCHERS,
  OTHER_KINDS.topUp,
  OTHER_KINDS.esim,
  OTHER_KINDS.checkout,
] as const satisfies readonly Kind[]

/** What a refused purchase of a kind breaks by taking its reference. */
export function ruleOfReference(kind: Kind): 'CART-01' | 'ORD-01' {
  return kind === OTHER_KINDS.checkout ? 'CART-01' : 'ORD-01'
}

/** A purchase that was refused, and what sends it again. */
export type Refused = { readonly kind: Kind; readonly send: Send; readonly refused: Exchange }

/** The reference is free still: what is sent again is bought. `how` ends the statement. */
export async function expectReferenceFree(
  context: CheckContext,
  { kind, send, refused }: Refused,
  how: string,
): Promise<void> {
  const again = await send()
  // Another refusal than for its reference is found by a purchase that has nothing to do with it.
  if (!isAccepted(again)) needSuccess(await (await kind.begin(context, 'full'))())
  context.expect(ruleOfReference(kind)).that(`${kind.what} ${how}`, {
    holds: isAccepted(again),
    expected: `success: the ${refused.response?.status} created nothing and took no reference`,
    exchanges: [refused, again],
  })
}
