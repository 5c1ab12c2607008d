import { check, inapplicable, isAccepted, showAnswer } from '../engine/kit.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'
import { buy, BUYS_VOUCHERS, findsNothing } from '../steps/orders.ts'

/** A product that the shop service always refuses for its own rate limit is hardly sold anywhere: without one nothing can be decided. */
export const upstreamLimit = check({
  id: 'orders.upstream-limit',
  title: 'a rate limit of the shop service is passed on as 429, and leaves nothing behind',
  requirements: ['ERR-04'],
  needs: { ...BUYS_VOUCHERS, roles: ['full'], purchases: 3 },
  run: async (context) => {
    const { api, expect, reference, target } = context
    if (target.products['voucher-upstream-limited'] === undefined)
      inapplicable(
        'the target file names no product "voucher-upstream-limited", which the shop service refuses for its own rate limit',
      )
    const full = api.as('full')
    await buy(context)
    const referenceId = reference()
    const order = { product: 'voucher-upstream-limited', referenceId } as const
    const refused = await full.createOrder(order, RETURN_429_UNPACED)
    expect('ERR-04').limitReached(refused)
    expect('ERR-04').retryAfter(refused, { min: 1 })
    const found = await full.getOrders({ referenceId })
    const again = await full.createOrder({ product: 'voucher', referenceId })
    expect('ERR-04').that('the reference of the purchase that the shop service refused', {
      holds: findsNothing(found) && isAccepted(again),
      expected: 'no order, then a purchase under it',
      observed: `${showAnswer(found)}; then ${showAnswer(again)}`,
      exchanges: [refused, found, again],
    })
  },
})
