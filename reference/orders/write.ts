/** The usual order as JSON text, written without the objects in between: a test holds it to what presenting them gives. */
import type { Context } from '../context.ts'
import type { Identifiers } from '../identifiers.ts'
import { moneyNumber } from '../money.ts'
import type { Order, OrderLine, Purchase } from './order.ts'
import { createdAtOf, expirationOf } from './present.ts'

/**
 * The `data` of the answer to a purchase of vouchers that are delivered at once, from a service without faults and variants.
 * Undefined for every other purchase. All of it is ASCII that needs no escape: so is every reference that is accepted.
 */
export function usualText(context: Context, purchase: Purchase): string | undefined {
  const order = usualOrderOf(context, purchase)
  if (order === undefined) return undefined
  const middle = middleOf(order)
  const sold = vouchers(context.identifiers, order)
  return '{"orderId":"' + order.id + '","referenceId":"' + order.referenceId + middle + sold + ']}}'
}

function usualOrderOf(
  { faults, variants }: Context,
  { kind, orders }: Purchase,
): Order | undefined {
  if (kind !== 'order' || !faults.isEmpty || variants.size > 0) return undefined
  const [order] = orders
  return order !== undefined && isUsual(order.line) ? order : undefined
}

function isUsual({ ordersType, delivery }: OrderLine): boolean {
  return ordersType === 'shop' && !delivery.asynchronous && delivery.outcome === 'SUCCESS'
}

/** Remembers the last text: under load many orders share line and millisecond. In one piece, for it is copied into every answer. */
function rememberingLast(pieces: (order: Order) => readonly string[]): (order: Order) => string {
  let lastLine: OrderLine | undefined
  let lastMs = Number.NaN
  let lastText = ''
  return (order) => {
    const { line, createdAtWallMs } = order
    if (line === lastLine && createdAtWallMs === lastMs) return lastText
    lastLine = line
    lastMs = createdAtWallMs
    lastText = pieces(order).join('')
    return lastText
  }
}

/** From the end of the reference to the first voucher. */
const middleOf = rememberingLast(({ line, createdAtWallMs }) => [
  textOf(line),
  createdAtOf(createdAtWallMs),
  '","result":{"vouchers":[',
])

/** What lies between the reference and the moment of creation is the same for all orders of a line. */
const TEXTS = new WeakMap<OrderLine, string>()

function textOf(line: OrderLine): string {
  const known = TEXTS.get(line)
  if (known !== undefined) return known
  const { ordersType, quantity, currency, priceMinor } = line
  const price = moneyNumber(priceMinor)
  const facts = JSON.stringify({ ordersType, quantity, currency, price, status: 'SUCCESS' })
  const text = `",${facts.slice(1, -1)},"createdAt":"`
  TEXTS.set(line, text)
  return text
}

/** From the end of a voucher's serial number. */
const endOf = rememberingLast(({ createdAtWallMs }) => [
  '","expiration":"',
  expirationOf(createdAtWallMs),
  '"}',
])

function vouchers(identifiers: Identifiers, order: Order): string {
  const { serial, line } = order
  const end = endOf(order)
  let text = ''
  for (let index = 0; index < line.quantity; index++) {
    const code = identifiers.code(serial, index)
    const number = identifiers.digits(serial, index, 10)
    text += (index === 0 ? '{"pin":"' : ',{"pin":"') + code + '","serialNumber":"SN' + number + end
  }
  return text
}
