import { check, isAccepted, show, showAnswer, untested } from '../engine/kit.ts'
import {
  checkout,
  CHECKS_OUT,
  idsOf,
  lackingIn,
  needIds,
  POSITIONS,
  sendCart,
} from '../steps/cart.ts'
import { expectHiddenFromStranger, expectListed } from '../steps/reading.ts'
import { findUnder } from '../steps/idempotency.ts'

export const hiddenFromOtherKeys = check({
  id: 'cart.other-key',
  title:
    'the key that bought a checkout has its orders listed, and another key of the account finds none',
  requirements: ['GET-07', 'GET-08', 'GET-09'],
  needs: { ...CHECKS_OUT, roles: ['full', 'sibling'], purchases: POSITIONS },
  run: async (context) => {
    const done = await checkout(context)
    const { referenceId } = done
    const ids = needIds(done)
    const own = await findUnder(context, referenceId)
    if (lackingIn(own, ids).length > 0)
      untested('the reference does not find all orders, which CART-02 and GET-05 decide')
    if (!(await expectListed(context, own.exchange, ids)))
      context.leaveUndecided(
        'GET-07',
        'the listing of the key may hold other orders, or these are pending',
        'inapplicable',
      )
    const filters = [
      ['GET-09', referenceId],
      ...ids.map((orderId) => ['GET-08', { orderId }] as const),
      ...ids.map((orderId) => ['GET-09', { referenceId, orderId }] as const),
    ] as const
    for (const [requirement, filter] of filters) {
      const { exchange, count } = await findUnder(context, filter, 'sibling')
      context.expect(requirement).that(`sibling finds nothing by ${show(filter)}`, {
        holds: count === 0,
        expected: 'no order',
        exchanges: [done.exchange, exchange],
      })
    }
  },
})

export const otherAccounts = check({
  id: 'cart.other-account',
  title:
    'another account does not find a checkout, and creates orders of its own under its reference',
  requirements: ['GET-11', 'CART-01'],
  needs: { ...CHECKS_OUT, roles: ['full', 'stranger'], purchases: 2 * POSITIONS },
  run: async (context) => {
    const first = await checkout(context)
    const ids = needIds(first)
    const { referenceId } = first
    for (const filter of [{ referenceId }, ...ids.map((orderId) => ({ referenceId, orderId }))])
      await expectHiddenFromStranger(context, first.exchange, filter)
    const second = await sendCart(context, { referenceId, role: 'stranger' })
    if (!isAccepted(second))
      untested(
        `whether the reference is free for another account is not shown: ${showAnswer(second)}`,
      )
    const shared = idsOf(second).filter((id) => ids.includes(id))
    context.expect('CART-01').that('the answer names no order of the other account', {
      holds: shared.length === 0,
      expected: `${POSITIONS} orders besides ${show(ids)}`,
      observed: show(idsOf(second)),
      exchanges: [first.exchange, second],
    })
  },
})
