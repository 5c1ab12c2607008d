/** What a replay must give of the order that its first answer named: the one definition for checks at rest and for judges of load. */
import { parseMoney } from '../../money.ts'
import type { RecordedAnswer } from './rule.ts'

/** What one answer to a purchase says of its order. */
export type OrderAnswer = Pick<RecordedAnswer, 'orderId' | 'state' | 'price' | 'currency'>

/** An order that ended otherwise may cost less than what was asked for. */
const COMPARABLE: readonly unknown[] = ['SUCCESS', 'IN_PROGRESS', undefined]

/** Only answers of one state are compared: what an order costs may be settled at its end. */
export function isComparable(original: OrderAnswer, replay: OrderAnswer): boolean {
  return replay.state === original.state && COMPARABLE.includes(replay.state)
}

/** What a replay has instead of the order of its original; undefined if it names that order. */
export function orderBreach(original: OrderAnswer, { orderId }: OrderAnswer): string | undefined {
  if (orderId === original.orderId && orderId !== undefined) return undefined
  return `order ${text(orderId)}, expected ${text(original.orderId)}`
}

/** What a replay has instead of the price and currency of its original; undefined if they are the same. */
export function priceBreach(original: OrderAnswer, replay: OrderAnswer): string | undefined {
  if (!isComparable(original, replay)) return undefined
  const isSame =
    replay.currency === original.currency && amountOf(replay.price) === amountOf(original.price)
  return isSame ? undefined : `${costText(replay)}, expected ${costText(original)}`
}

/** 1.5 and 1.50 are one amount; what is no amount is compared as it is. */
function amountOf(price: unknown): unknown {
  return parseMoney(price) ?? price
}

function costText({ price, currency }: OrderAnswer): string {
  return `${text(price, 'no price')} ${text(currency, 'without a currency')}`
}

function text(value: unknown, none = 'none'): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? none)
}
