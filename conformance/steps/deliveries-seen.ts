/** What each order delivered, as the answers of a run show it in clear: voucher codes, and activations of eSIMs. */
import { isPurchase } from '../../contract/operations.ts'
import { isMasked, isTraceable } from '../../harness/judge/codes.ts'
import type { Exchange } from '../engine/kit.ts'
import { asksToUnhide, isAccepted, isObject } from '../engine/kit.ts'
import { entriesOf } from './cart.ts'
import { itemsSeen, onceFor, type SeenItem } from './orders-seen.ts'
import { dataOf } from './orders.ts'

/** One answer that shows what was delivered of a finished order. */
export type SeenDelivery = {
  readonly exchange: Exchange
  readonly order: string
  /** By the answer to a purchase or a checkout, by a read with unhide=true, or by another read. */
  readonly by: 'purchase' | 'reveal' | 'read'
  readonly codes: readonly string[]
}

/** Nothing else is surely a code in clear. */
const PLAIN_CODE = /^[\dA-Z]+([ ._-][\dA-Z]+)*$/i
const PLAIN_ACTIVATION = /^LPA:1\$[\w.:-]+\$[\dA-Z-]+(\$[\w.$-]*)?$/i
const MASK = /x{4,}|[*•●·#?]|hidden|masked|redacted/i
const SEPARATORS = /[\s._-]/g

type Part = 'vouchers' | 'activation'

/** Voucher codes that are surely shown in clear. The selector finds the identifiers of listed orders. */
export const codesSeen = onceFor((history, selector: string | undefined) =>
  ofOneOrder(deliveriesIn(history, 'vouchers', selector)),
)

export const activationsSeen = onceFor((history, selector: string | undefined) =>
  ofOneOrder(deliveriesIn(history, 'activation', selector)),
)

/** What several orders show is a mask, or a code of a test. */
function ofOneOrder(seen: readonly SeenDelivery[]): readonly SeenDelivery[] {
  const orders = new Map<string, Set<string>>()
  for (const { codes, order } of seen)
    for (const code of codes) orders.set(code, (orders.get(code) ?? new Set()).add(order))
  return seen.filter(({ codes }) => codes.every((code) => orders.get(code)?.size === 1))
}

function deliveriesIn(
  history: readonly Exchange[],
  part: Part,
  selector: string | undefined,
): readonly SeenDelivery[] {
  const seen = history
    .filter(isAccepted)
    .flatMap((exchange) => ordersIn(exchange, selector))
    .filter(({ orderId }) => typeof orderId === 'string')
    .map(({ exchange, item, orderId }) => {
      const order = `${exchange.account} ${String(orderId)}`
      return { exchange, order, by: wayOf(exchange), codes: shownCodes(item, part) }
    })
  // A selector that finds something else than orders would take several for one.
  const bought = new Set(seen.filter(({ by }) => by === 'purchase').map(({ order }) => order))
  return seen.filter(({ order, codes }) => bought.has(order) && codes.length > 0)
}

function shownCodes(item: unknown, part: Part): readonly string[] {
  if (!isObject(item) || item['status'] !== 'SUCCESS' || !isObject(item['result'])) return []
  return part === 'vouchers' ? codesOf(item['result']) : activationOf(item['result'])
}

type Shown = SeenItem & { readonly exchange: Exchange }

function ordersIn(exchange: Exchange, selector: string | undefined): readonly Shown[] {
  const { operation } = exchange
  if (!isPurchase(operation))
    return itemsSeen(exchange, selector).map((each) => ({ ...each, exchange }))
  const orders = operation === 'createCart' ? (entriesOf(exchange) ?? []) : [dataOf(exchange)]
  return orders.filter(isObject).map((item) => ({ item, orderId: item['orderId'], exchange }))
}

function wayOf(exchange: Exchange): SeenDelivery['by'] {
  if (exchange.operation !== 'getOrders') return 'purchase'
  return asksToUnhide(exchange) ? 'reveal' : 'read'
}

/** All of an order, or nothing: a part of them may be masked in a way that cannot be told. */
function codesOf(result: Readonly<Record<string, unknown>>): readonly string[] {
  const vouchers: unknown = result['vouchers']
  if (!Array.isArray(vouchers)) return []
  const pins = vouchers.map((voucher: unknown) => (isObject(voucher) ? voucher['pin'] : undefined))
  const texts = pins.filter((pin) => typeof pin === 'string')
  return texts.length === pins.length && texts.every(isPlainCode) ? texts.map(bare) : []
}

function isPlainCode(pin: string): boolean {
  return PLAIN_CODE.test(pin) && isTraceable(pin) && !isMasked(pin) && !MASK.test(pin)
}

function bare(code: string): string {
  return code.replaceAll(SEPARATORS, '').toUpperCase()
}

function activationOf(result: Readonly<Record<string, unknown>>): readonly string[] {
  const { esim } = result
  const text = isObject(esim) ? esim['qrCodeText'] : undefined
  const isPlain = typeof text === 'string' && PLAIN_ACTIVATION.test(text) && !MASK.test(text)
  return isPlain ? [text] : []
}

/** Whether each shows something that the other does not: one of them alone may be shortened. */
export function differ(one: SeenDelivery, other: SeenDelivery): boolean {
  return lacks(one.codes, other.codes) && lacks(other.codes, one.codes)
}

function lacks(codes: readonly string[], wanted: readonly string[]): boolean {
  const given = new Set(codes)
  return wanted.some((each) => !given.has(each))
}
