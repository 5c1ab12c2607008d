import { plural } from '../../harness/text.ts'
import { templateVariables } from '../../harness/target-file/template.ts'
import {
  type CartLine,
  type CheckContext,
  check,
  isAccepted,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { checkout, CHECKS_OUT, POSITIONS, sendCart } from '../steps/cart.ts'
import { needReferenceFilter, findUnder } from '../steps/idempotency.ts'
import { isRefusedForBody } from '../steps/order-refusal.ts'
import { itemsOf } from '../steps/orders.ts'

const GOOD = { product: 'voucher' } as const
/** It can hardly be bought: whether it may be, the answer tells. */
const INVALID = { product: 'voucher', quantity: -1 } as const

/** What stands before the last position may be bought when that one is read. */
const WITH_INVALID: readonly (readonly CartLine[])[] = [
  [GOOD, INVALID, GOOD],
  [GOOD, GOOD, INVALID],
]

export const invalidPosition = check({
  id: 'cart.invalid-position',
  title: 'a checkout with a position that is not valid makes no order, or one of it too',
  requirements: ['CART-01'],
  needs: { ...CHECKS_OUT, purchases: POSITIONS + WITH_INVALID.flat().length },
  run: async (context) => {
    if (!templateVariables(context.target.operations.createCart.body).includes('quantity'))
      untested('the body template of carts does not say how many pieces a position has')
    await checkout(context)
    await needReferenceFilter(context)
    for (const lines of WITH_INVALID) await judgeWhole(context, lines)
  },
})

async function judgeWhole(context: CheckContext, lines: readonly CartLine[]): Promise<void> {
  const referenceId = context.reference()
  const exchange = await sendCart(context, { referenceId, lines })
  const { count, exchange: found } = await findUnder(context, referenceId)
  // What was bought first may have been taken back when the position was refused.
  const kept = itemsOf(found)?.filter(({ status }) => status !== 'CANCELLED').length ?? 0
  const isWhole = isAccepted(exchange)
    ? count === lines.length
    : !isRefusedForBody(exchange) || kept === 0
  context.expect('CART-01').that('a checkout makes an order of each position, or is refused', {
    holds: isWhole,
    expected: `${plural(lines.length, 'order')}, or a refusal of the whole checkout and no order`,
    observed: `${plural(count, 'order')}, ${kept} of them not CANCELLED; ${showAnswer(exchange)}`,
    exchanges: [exchange, found],
  })
}
