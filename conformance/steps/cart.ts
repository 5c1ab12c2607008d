import type { CallOptions, CartLine, CheckContext, Exchange, Needs } from '../engine/kit.ts'
import { isObject, needSuccess, show, showAnswer, untested } from '../engine/kit.ts'
import type { ProductAbility, Role } from '../../contract/capabilities.ts'
import { positionTemplate, renderCart } from '../../harness/client/bodies.ts'
import { selectEach } from '../../harness/target-file/select.ts'
import { templateVariables } from '../../harness/target-file/template.ts'
import type { Under } from './idempotency.ts'
import { dataOf } from './orders.ts'

/** What every check that buys a cart needs. */
export const CHECKS_OUT = {
  capabilities: ['cart'],
  products: ['voucher'],
  operations: ['createCart'],
  roles: ['full'],
} as const satisfies Needs

/** Two positions of different prices, so that a sum differs from a multiple of one. */
export const LINES = [
  { product: 'voucher', quantity: 1 },
  { product: 'voucher', quantity: 2 },
] as const satisfies readonly CartLine[]

/** Orders of one checkout of LINES. */
export const POSITIONS = LINES.length

/** A checkout that was accepted. */
export type Checkout = {
  readonly exchange: Exchange
  /** As the answer gives it; where that is no text, which CART-03 decides, as it was sent. */
  readonly referenceId: string
  readonly positions: number
}

type Cart = {
  readonly lines?: readonly CartLine[]
  readonly referenceId?: string
  readonly role?: Role
}

/** Variables of the cart's template that a product does not give. */
export function lackingVariables({ target }: CheckContext, line: CartLine): string[] {
  const given = [
    'referenceId',
    'quantity',
    ...Object.keys(target.products[line.product]?.variables ?? {}),
  ]
  if (line.amount !== undefined) given.push('amount')
  const template = positionTemplate(target, line) ?? target.operations.createCart.body
  return templateVariables(template).filter((name) => !given.includes(name))
}

/** How many positions the body of a cart has. */
export function needPositions(context: CheckContext, lines: readonly CartLine[]): number {
  const { target } = context
  const lacking = lines.flatMap((line) => lackingVariables(context, line))
  if (lacking.length > 0)
    untested(`operations.createCart.body names ${show(lacking)}, which the product does not give`)
  const rendered = renderCart(target, { referenceId: 'unused', lines })
  if (!rendered)
    untested(
      'operations.createCart.body has no list, or more than one, that could be its positions, so orders cannot be counted',
    )
  return rendered.count
}

/** One checkout, whatever becomes of it. */
export async function sendCart(
  context: CheckContext,
  { lines = LINES, referenceId = context.reference(), role = 'full' }: Cart = {},
  options: CallOptions = {},
): Promise<Exchange> {
  needPositions(context, lines)
  return context.api.as(role).createCart({ lines, referenceId }, options)
}

/** A checkout that must succeed: what follows builds on it. */
export async function checkout(context: CheckContext, cart: Cart = {}): Promise<Checkout> {
  const { lines = LINES, referenceId = context.reference() } = cart
  const exchange = needData(await sendCart(context, { ...cart, lines, referenceId }))
  return {
    exchange,
    referenceId: referenceOf(exchange) ?? referenceId,
    positions: needPositions(context, lines),
  }
}

/**
 * One more position than two: what looks at the first and the last alone is seen. The last has several pieces, so that one which it
 * lacks is seen too.
 */
export const THREE_LINES = [...LINES, LINES[1]] as const satisfies readonly CartLine[]

/** A checkout, and what sends it again. */
export type SentCheckout = Checkout & {
  readonly sent: Required<Pick<Cart, 'lines' | 'referenceId'>>
}

/**
 * A good cart. Whether one product may stand at two positions is not shown, nor how many a cart may have: where such a cart is refused
 * for its body, one of fewer positions counts.
 */
export async function sendGoodCart(
  context: CheckContext,
  lines: readonly CartLine[],
  ...fewer: readonly (readonly CartLine[])[]
): Promise<SentCheckout> {
  const sent = { lines, referenceId: context.reference() }
  const exchange = await sendCart(context, sent)
  const [next, ...rest] = fewer
  if (exchange.response?.status === 422 && next) return sendGoodCart(context, next, ...rest)
  const positions = needPositions(context, lines)
  return { exchange, referenceId: referenceOf(exchange) ?? sent.referenceId, positions, sent }
}

export async function checkoutOfThree(
  context: CheckContext,
  product: ProductAbility = 'voucher',
): Promise<SentCheckout> {
  const linesOf = (lines: readonly CartLine[]): CartLine[] =>
    lines.map((line) => ({ ...line, product }))
  const done = await sendGoodCart(context, linesOf(THREE_LINES), linesOf(LINES))
  needData(done.exchange)
  return done
}

/** A success whose payload stands in an envelope; that it does is decided by ENV-01 and ENV-03. */
export function needData(exchange: Exchange): Exchange {
  needSuccess(exchange)
  if (!isObject((exchange.json as { data?: unknown } | null | undefined)?.data))
    untested(`the answer has no data to look at: ${showAnswer(exchange)}`)
  return exchange
}

export function referenceOf(exchange: Exchange): string | undefined {
  const { referenceId } = dataOf(exchange)
  return typeof referenceId === 'string' && referenceId !== '' ? referenceId : undefined
}

/** `data.orders` of a checkout; undefined where it is no array. */
export function entriesOf(exchange: Exchange): readonly unknown[] | undefined {
  const { orders } = dataOf(exchange)
  return Array.isArray(orders) ? (orders as readonly unknown[]) : undefined
}

/** Identifiers of the orders that a checkout names, those that are texts. */
export function idsOf(exchange: Exchange): readonly string[] {
  return (entriesOf(exchange) ?? [])
    .map((entry) => (entry as { orderId?: unknown } | null)?.orderId)
    .filter((orderId) => typeof orderId === 'string')
}

/** The orders that a checkout names, one for each position; what follows builds on them. */
export function needIds({ exchange, positions }: Checkout): readonly string[] {
  const ids = [...new Set(idsOf(exchange))]
  if (ids.length !== positions)
    untested(
      `the answer does not name an order for each of ${positions} positions, which CART-01, CART-09 and CART-10 decide: ${showAnswer(exchange)}`,
    )
  return ids
}

/** Orders that a reading lacks; how many where identifiers cannot be read. */
export function lackingIn({ ids, count }: Under, wanted: readonly string[]): readonly string[] {
  return ids ? wanted.filter((id) => !ids.includes(id)) : wanted.slice(count)
}

/**
 * Under which reference an order stands by its own reading: that of the checkout or another. Undefined where the target file does not
 * tell how to read it.
 */
export async function standsUnder(
  context: CheckContext,
  orderId: string,
  referenceId: string,
): Promise<{ readonly isThere: boolean; readonly exchange: Exchange } | undefined> {
  const selector = context.target.operations.getOrders.selectors['referenceIds']
  if (selector === undefined) return undefined
  const exchange = await context.api.as('full').getOrders({ orderId })
  const references = selectEach(selector, exchange.json)
  return references.length === 0
    ? undefined
    : { isThere: references.includes(referenceId), exchange }
}
