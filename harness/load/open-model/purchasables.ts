/** What buyers and shoppers buy, and how it is read: bodies, paths and places from the target file. */
import type { PlannedOperation, ReadName } from '../../../load/protocol/open-model.ts'
import { operationUrl } from '../shared/operation-url.ts'
import { renderCart, renderOrder, type CartLine } from '../../client/bodies.ts'
import type { Micros } from '../../money.ts'
import type { Product, Target } from '../../target-file/target.ts'
import type { Lacks } from '../shared/lacks.ts'
import { MARKS, type ClientPlan } from './client-plan.ts'
import { cartPurchasableOf } from '../bursts/cart-purchasable.ts'
import { purchasableOf } from '../bursts/burst-plan.ts'
import type { Purchasable } from '../bursts/burst-plan.ts'
import { readsOf } from '../bursts/read-steps.ts'

/** A purchase as sessions make it. */
export type SessionPurchasable = {
  /** Orders that it makes. */
  readonly orders: number
  readonly price: Micros
  /** The dearest of its orders. */
  readonly dearest: Micros
  readonly currency: string
  readonly body: string
  readonly product: Product
}

/** Positions of different prices, so that a sum differs from a multiple of one; and two alike, which are two orders all the same. */
const LINES: readonly (CartLine & { readonly quantity: number })[] = [
  { product: 'voucher', quantity: 1 },
  { product: 'voucher', quantity: 2 },
  { product: 'voucher', quantity: 1 },
]

/** One order; of a product that completes later, where the target has one: there is something to poll for then. */
export function orderPurchasable(target: Target): SessionPurchasable | Lacks {
  const later = purchasableOf(target, 'voucher-async')
  const purchasable = 'lacks' in later ? purchasableOf(target, 'voucher') : later
  if ('lacks' in purchasable) return purchasable
  const order = { product: purchasable.ability, referenceId: MARKS.reference, quantity: 1 }
  return {
    orders: 1,
    price: purchasable.unit,
    dearest: purchasable.unit,
    currency: purchasable.currency,
    body: JSON.stringify(renderOrder(target, order, 'shop')),
    product: productOf(target, purchasable),
  }
}

/** One cart of several vouchers. */
export function cartPurchasable(target: Target): SessionPurchasable | Lacks {
  const cart = cartPurchasableOf(target, LINES)
  if ('lacks' in cart) return cart
  const voucher = purchasableOf(target, 'voucher')
  if ('lacks' in voucher) return voucher
  const most = BigInt(Math.max(...LINES.map(({ quantity }) => quantity)))
  return {
    orders: LINES.length,
    price: cart.unit,
    dearest: most * voucher.unit,
    currency: cart.currency,
    body: JSON.stringify(renderCart(target, { referenceId: MARKS.reference, lines: LINES })?.body),
    product: productOf(target, voucher),
  }
}

/** What the sessions of a target buy; undefined where it lacks something. */
export function purchasablesOf(
  target: Target,
): Readonly<Record<'order' | 'cart', SessionPurchasable | undefined>> {
  const [order, cart] = [orderPurchasable(target), cartPurchasable(target)]
  return {
    order: 'lacks' in order ? undefined : order,
    cart: 'lacks' in cart ? undefined : cart,
  }
}

function productOf(target: Target, { ability }: Purchasable): Product {
  return target.products[ability] ?? { variables: {} }
}

const READS_OF_ORDERS = {
  items: 'items',
  ids: 'orderIds',
  prices: 'prices',
  states: 'statuses',
} as const satisfies Partial<Record<ReadName, string>>

const BY_NAME = {
  masked: ['orderId'],
  'by-reference': ['referenceId'],
  child: ['referenceId', 'orderId'],
  unhide: ['orderId', 'unhide'],
} as const

const VALUES = { orderId: MARKS.orderId, referenceId: MARKS.reference, unhide: 'true' } as const

/** How orders are read under these names. */
export function readOperations(
  target: Target,
  names: readonly (keyof typeof BY_NAME)[],
): ClientPlan['operations'] {
  return Object.fromEntries(
    names.map((name): [string, PlannedOperation] => {
      const filter = Object.fromEntries(BY_NAME[name].map((each) => [each, VALUES[each]]))
      const url = operationUrl(target, 'getOrders', { query: filter }) ?? ''
      return [name, { method: 'GET', url, reads: readsOf(target, 'getOrders', READS_OF_ORDERS) }]
    }),
  )
}
