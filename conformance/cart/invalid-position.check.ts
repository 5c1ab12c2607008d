import { templateVariables } from '../../harness/target-file/template.ts'
import { type CartLine, check, isAccepted, showAnswer, untested } from '../engine/kit.ts'
import { checkout, CHECKS_OUT, POSITIONS, readUnder, sendCart } from '../steps/cart.ts'
import { needReferenceFilter } from '../steps/idempotency.ts'
import { isRefusedForBody } from '../steps/order-refusal.ts'
import { itemsOf } from '../steps/orders.ts'

/** The middle one can hardly be bought: whether it may be, the answer tells. */
const WITH_INVALID: readonly CartLine[] = [
  { product: 'voucher' },
  { product: 'voucher', quantity: -1 },
  { product: 'voucher' },
]

export const invalidPosition = check({
  id: 'cart.invalid-position',
  title: 'a checkout with a position that is not valid makes no order, or one of it too',
  requirements: ['CART-01'],
  needs: { ...CHECKS_OUT, purchases: POSITIONS + WITH_INVALID.length },
  run: async (context) => {
    if (!templateVariables(context.target.operations.createCart.body).includes('quantity'))
      untested('the body template of carts does not say how many pieces a position has')
    await checkout(context)
    await needReferenceFilter(context)
    const referenceId = context.reference()
    const exchange = await sendCart(context, { referenceId, lines: WITH_INVALID })
    const { count, exchange: found } = await readUnder(context, referenceId)
    // What was bought first may have been taken back when the position was refused.
    const kept = itemsOf(found)?.filter(({ status }) => status !== 'CANCELLED').length ?? 0
    const isWhole = isAccepted(exchange)
      ? count === WITH_INVALID.length
      : !isRefusedForBody(exchange) || kept === 0
    context.expect('CART-01').that('a checkout makes an order of each position, or is refused', {
      holds: isWhole,
      expected: `${WITH_INVALID.length} orders, or a refusal of the whole checkout and no order`,
      observed: `${count} orders, ${kept} of them not CANCELLED; ${showAnswer(exchange)}`,
      exchanges: [exchange, found],
    })
  },
})
