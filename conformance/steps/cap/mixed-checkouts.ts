/** Checkouts of several kinds beyond what is left of a cap. */
import { plural } from '../../../harness/text.ts'
import { positionTemplate } from '../../../harness/client/bodies.ts'
import { formatMoney, type Micros } from '../../../harness/money.ts'
import type { CartLine, CheckContext } from '../../engine/kit.ts'
import { isCapRefusal, offeredOf, isThrottled, showAnswer } from '../../engine/kit.ts'
import { referenceOf, sendCart } from '../cart.ts'
import { OTHER_KINDS } from '../kinds.ts'
import type { CappedKey } from './capped-key.ts'
import { ordersOf, sumOf } from './checkout-orders.ts'

const KINDS = [OTHER_KINDS.topUp, OTHER_KINDS.esim, OTHER_KINDS.later] as const

/** Orders that the checkouts may create, two each. */
export const MIXED_PURCHASES = 2 * KINDS.length

/**
 * A voucher position beyond what is left, with a position of each other kind: a service that holds checkouts of vouchers alone to the cap
 * would let it pass. Which positions are bought, if any, is not shown; their sum fits.
 */
export async function expectMixedHeld(cappedKey: CappedKey, left: Micros): Promise<void> {
  const { context } = cappedKey
  for (const { what, order } of offeredOf(context.target, KINDS)) {
    const { product, kind, amount } = await order(context, 'capped')
    const line = { product, ...(kind && { kind }), ...(amount !== undefined && { amount }) }
    if (isSoldAlike(context, line) && !(await isHeld(cappedKey, { what, line, left }))) return
  }
}

/** How amounts of another currency count is not shown. */
function isSoldAlike({ target }: CheckContext, line: CartLine): boolean {
  const { products } = target
  const isSameCurrency = products[line.product]?.currency === products.voucher?.currency
  const isTaken = line.kind === undefined || positionTemplate(target, line) !== undefined
  return isSameCurrency && isTaken
}

type Mixed = { readonly what: string; readonly line: CartLine; readonly left: Micros }

/** Whether what is left then is still known. */
async function isHeld(cappedKey: CappedKey, { what, line, left }: Mixed): Promise<boolean> {
  const { context } = cappedKey
  const voucher: CartLine = { product: 'voucher', quantity: cappedKey.unitsOver(left) }
  const referenceId = context.reference()
  const cart = { lines: [voucher, line], referenceId, role: 'capped' } as const
  const exchange = await sendCart(context, cart, { throttled: 'return' })
  if (isThrottled(exchange)) return true
  // Whether a refusal leaves orders was seen before: each read takes room that other checks need.
  const { orders, under } = isCapRefusal(exchange)
    ? { orders: [], under: undefined }
    : await ordersOf(context, exchange, referenceOf(exchange) ?? referenceId)
  const sum = sumOf(orders)
  context.expect('CAP-21').that(`a checkout with ${what} stays within what is left of the cap`, {
    holds: sum <= left,
    expected: `at most ${formatMoney(left)}, beside a position of ${voucher.quantity} vouchers`,
    observed: `${formatMoney(sum)} by ${plural(orders.length, 'order')}; ${showAnswer(exchange)}`,
    exchanges: [exchange, ...(under ? [under.exchange] : [])],
  })
  return sum === 0n
}
