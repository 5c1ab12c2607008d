import { check } from '../check.ts'
import { show, showAnswer } from '../engine/describe.ts'
import { untested } from '../engine/undecided.ts'
import { checkout, CHECKS_OUT, lackingIn, needIds, POSITIONS, readUnder } from './steps.ts'

export const hiddenFromOtherKeys = check({
  id: 'cart.other-key',
  title: 'another key of the account finds no order of a checkout',
  requirements: ['GET-08', 'GET-09'],
  needs: { ...CHECKS_OUT, roles: ['full', 'sibling'], purchases: POSITIONS },
  run: async (context) => {
    const done = await checkout(context)
    const { referenceId } = done
    const ids = needIds(done)
    const own = await readUnder(context, referenceId)
    if (lackingIn(own, ids).length > 0)
      untested('the reference does not find all orders, which CART-02 and GET-05 decide')
    const filters = [
      ['GET-09', referenceId],
      ...ids.map((orderId) => ['GET-08', { orderId }] as const),
    ] as const
    for (const [requirement, filter] of filters) {
      const { exchange, count } = await readUnder(context, filter, 'sibling')
      context.expect(requirement).that(`sibling finds nothing by ${show(filter)}`, {
        holds: count === 0,
        expected: 'no order',
        observed: showAnswer(exchange),
        exchanges: [done.exchange, exchange],
      })
    }
  },
})
