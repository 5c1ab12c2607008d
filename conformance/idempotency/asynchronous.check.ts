import { isTerminal } from '../../contract/wire.ts'
import { check, needSuccess, show, untested } from '../engine/kit.ts'
import { buy, dataOf, orderIdOf, pollToEnd } from '../steps/orders.ts'
import { expectMarked, replay, resultOf } from '../steps/idempotency.ts'

export const asynchronousReplay = check({
  id: 'idempotency.asynchronous-replay',
  title:
    'a replay names the same order while it is pending and after it has finished, at its price, and is marked',
  requirements: ['IDEM-15', 'IDEM-03', 'IDEM-04'],
  needs: {
    capabilities: ['shop', 'async'],
    roles: ['full'],
    products: ['voucher-async'],
    orderKinds: ['shop'],
    purchases: 3,
    waits: [{ orders: 1, product: 'voucher-async' }],
  },
  run: async (context) => {
    const product = 'voucher-async'
    const bought = await buy(context, { product })
    const early = await replay(context, bought, { product })
    context.expect('IDEM-15').that('a replay right after the purchase names its order', {
      holds: orderIdOf(early) === bought.orderId,
      expected: bought.orderId,
      exchanges: [bought.exchange, early],
    })
    const readings = await pollToEnd(context, product, { orderId: bought.orderId })
    const last = readings.at(-1)
    if (!last || !isTerminal(last.item['status']))
      untested('the order did not finish, so no replay after its end could be tried')
    const late = await replay(context, bought, { product })
    // The invariants hold the codes of both answers against each other.
    if (context.target.capabilities.includes('unhide'))
      needSuccess(await context.api.as('full').getOrders({ orderId: bought.orderId, unhide: true }))
    context.expect('IDEM-15').that('a replay after the end names the same order', {
      holds: orderIdOf(late) === bought.orderId,
      expected: bought.orderId,
      exchanges: [bought.exchange, last.exchange, late],
    })
    if (orderIdOf(late) === bought.orderId)
      context
        .expect('IDEM-03')
        .equal('the result of a replay after the end', resultOf(late), resultOf(bought.exchange), [
          bought.exchange,
          last.exchange,
          late,
        ])
    expectMarked(context, 'IDEM-04', [bought.exchange], [early, late])
    context.observe(
      'OPEN-36',
      `the replay of an order that was read as ${show(last.item['status'])} shows ${show(dataOf(late)['status'])}`,
      [last.exchange, late],
    )
  },
})
