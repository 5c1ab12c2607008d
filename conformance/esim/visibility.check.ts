import { check } from '../check.ts'
import { show, showAnswer } from '../engine/describe.ts'
import { untested } from '../engine/undecided.ts'
import { looksOf } from '../reading/steps.ts'
import { BUYS_ESIMS, buyEsim } from './steps.ts'

export const hiddenFromOtherKeys = check({
  id: 'esim.other-key',
  title: 'another key of the account finds no eSIM, which would show its activation',
  requirements: ['GET-07', 'GET-08', 'GET-09'],
  needs: { ...BUYS_ESIMS, roles: ['full', 'sibling'], purchases: 1 },
  run: async (context) => {
    const { exchange, orderId, referenceId } = await buyEsim(context)
    for (const [requirement, filter] of [
      ['GET-08', { orderId }],
      ['GET-09', { referenceId }],
    ] as const) {
      const own = await context.api.as('full').getOrders(filter)
      const isFound = context.expect('GET-07').that(`its own key finds it by ${show(filter)}`, {
        holds: looksOf(own)[1] > 0,
        expected: 'the order',
        observed: showAnswer(own),
        exchanges: [exchange, own],
      })
      if (!isFound) untested('what its own key does not find cannot be hidden from others')
      const foreign = await context.api.as('sibling').getOrders(filter)
      context.expect(requirement).that(`sibling finds nothing by ${show(filter)}`, {
        holds: looksOf(foreign)[1] === 0,
        expected: 'no order',
        observed: showAnswer(foreign),
        exchanges: [exchange, foreign],
      })
    }
  },
})
