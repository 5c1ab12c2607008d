import { check, type CheckContext, type CheckDefinition, type Needs } from '../check.ts'
import { show, showAnswer } from '../engine/describe.ts'
import { buy, readOne, type Bought } from '../orders/steps.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../orders/top-ups.ts'
import { BUYS_GIFTS, buyGift } from '../platform-gift/steps.ts'
import { looksOf } from './steps.ts'

/** Orders of other kinds than vouchers are for the key that created them, too. */
function hiddenFromOtherKeys(
  name: string,
  needs: Needs,
  buyOne: (context: CheckContext) => Promise<Bought>,
): CheckDefinition {
  return check({
    id: `reading.other-key-${name}`,
    title: `another key of the account does not find a ${name}`,
    requirements: ['GET-08', 'GET-09'],
    needs: { ...needs, roles: ['full', 'sibling'], purchases: 1 },
    run: async (context) => {
      const { exchange, orderId, referenceId } = await buyOne(context)
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
}

export const topUpIsHidden = hiddenFromOtherKeys('top-up', BUYS_TOP_UPS, (context) =>
  buy(context, topUpOrder(context)),
)

export const giftIsHidden = hiddenFromOtherKeys('gift', BUYS_GIFTS, (context) => buyGift(context))
