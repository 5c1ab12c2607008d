/** What buyers and shoppers buy, and how it is read: bodies, paths and places from the target file. */
import type { PlannedOperation, ReadName } from '../../../load/protocol/open-model.ts'
import { operationUrl } from '../shared/operation-url.ts'
import { renderCart, renderOrder, type CartLine } from '../../client/bodies.ts'
import type { Micros } from '../../money.ts'
import type { Product, Target } from '../../target-file/target.ts'
import type { Lacks } from '../shared/lacks.ts'
import { MARKS, type ClientPlan } from './client-plan.ts'
import { cartGoodsOf } from '../bursts/cart-purchasable.ts'
import { goodsOf } from '../bursts/burst-plan.ts'
import type { Goods } from '../bursts/burst-plan.ts'
import { readsOf } from '../bursts/read-steps.ts'

/** A purchase as sessions make it. */
export type SessionGoods = {
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
export function orderGoods(target: Target): SessionGoods | Lacks {
  const later = goodsOf(target, 'voucher-async', 1)
  const goods = 'lacks' in later ? goodsOf(target, 'voucher', 1) : later
  if ('lacks' in goods) return goods
  const order = { product: goods.ability, referenceId: MARKS.reference, quantity: 1 }
  return {
    orders: 1,
    price: goods.unit,
    dearest: goods.unit,
    currency: goods.currency,
    body: JSON.stringify(renderOrder(target, order, 'shop')),
    product: productOf(target, goods),
  }
}

/** One cart of several vouchers. */
export function cartGoods(target: Target): SessionGoods | Lacks {
  const cart = cartGoodsOf(target, LINES)
  if ('lacks' in cart) return cart
  const voucher = goodsOf(target, 'voucher', 1)
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

function productOf(target: Target, { ability }: Goods): Product {
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
      const url = operationUrl(target, 'getOrders', {}, filter) ?? ''
      return [name, { method: 'GET', url, reads: readsOf(target, 'getOrders', READS_OF_ORDERS) }]
    }),
  )
}
