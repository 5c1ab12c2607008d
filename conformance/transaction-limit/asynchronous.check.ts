import type { Exchange } from '../../harness/client/exchange.ts'
import { check, type CheckContext } from '../check.ts'
import { showAnswer } from '../engine/describe.ts'
import { inconclusive, untested } from '../engine/undecided.ts'
import { isTerminal, orderIdOf, pollToEnd } from '../orders/steps.ts'
import { expectHeldToCap } from './other-goods.ts'
import { PURSE_PURCHASES, SPENDS_A_CAP } from './purse.ts'

const PRODUCT = 'voucher-async'

/** When a pending order counts is not shown, nor what a cancelled one leaves: only one that bought something is looked at. */
async function needDelivered(context: CheckContext, bought: Exchange): Promise<void> {
  const orderId = orderIdOf(bought)
  if (orderId === undefined)
    untested(`the purchase names no order to wait for: ${showAnswer(bought)}`)
  const last = (await pollToEnd(context, PRODUCT, { orderId }, 'capped')).at(-1)
  const status = last?.item['status']
  if (!isTerminal(status)) inconclusive(`the asynchronous order ${orderId} did not finish in time`)
  if (status === 'CANCELLED')
    untested(`the asynchronous order ${orderId} was cancelled, so it bought nothing`)
}

export const asynchronousIsHeldToCap = check({
  id: 'transaction-limit.asynchronous',
  title: 'a purchase that was accepted and finished later uses the cap up by its price',
  requirements: ['CAP-11', 'CAP-12'],
  needs: {
    capabilities: [...SPENDS_A_CAP.capabilities, 'async'],
    roles: ['capped'],
    products: ['voucher', PRODUCT],
    orderKinds: SPENDS_A_CAP.orderKinds,
    transactionLimit: '5.50',
    capCovers: { [PRODUCT]: 2 },
    purchases: PURSE_PURCHASES + 5,
    waits: [{ orders: 1, product: PRODUCT }],
  },
  run: (context) =>
    expectHeldToCap(context, {
      requirement: 'CAP-12',
      product: PRODUCT,
      name: 'an asynchronous purchase',
      send: (purse, options) =>
        purse.send(1, context.reference(), options, { product: PRODUCT, kind: 'shop' }),
      needDelivered: (bought) => needDelivered(context, bought),
    }),
})
