import { check } from '../check.ts'
import { show, showAnswer } from '../engine/describe.ts'
import { looksOf } from '../reading/steps.ts'
import { readOne } from '../orders/steps.ts'
import { BUYS_ESIMS, buyEsim } from './steps.ts'

export const hiddenFromOtherKeys = check({
  id: 'esim.other-key',
  title: 'another key of the account finds no eSIM, which would show its activation',
  requirements: ['GET-08', 'GET-09'],
  needs: { ...BUYS_ESIMS, roles: ['full', 'sibling'], purchases: 1 },
  run: async (context) => {
    const { exchange, orderId, referenceId } = await buyEsim(context)
    for (const [requirement, filter] of [
      ['GET-08', { orderId }],
      ['GET-09', { referenceId }],
    ] as const) {
      await readOne(context, filter)
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
