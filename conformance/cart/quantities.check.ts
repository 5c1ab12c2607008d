import { parseMoney } from '../../harness/money.ts'
import { templateVariables } from '../../harness/target-file/template.ts'
import { check, isObject, show, untested } from '../engine/kit.ts'
import { needOtherBody } from '../steps/idempotency.ts'
import { buy, BUYS_VOUCHERS } from '../steps/orders.ts'
import { checkout, CHECKS_OUT, entriesOf, needIds, POSITIONS } from '../steps/cart.ts'

export const quantities = check({
  id: 'cart.quantities',
  title: 'a position of two pieces becomes an order of two pieces',
  requirements: ['CART-01'],
  needs: {
    ...CHECKS_OUT,
    ...BUYS_VOUCHERS,
    capabilities: ['cart', 'shop'],
    purchases: POSITIONS + 2,
  },
  run: async (context) => {
    if (!templateVariables(context.target.operations.createCart.body).includes('quantity'))
      untested('the body template of carts does not say how many pieces a position has')
    // Two pieces cost more than one where they are bought alone.
    await needOtherBody(context, await buy(context))
    const done = await checkout(context)
    needIds(done)
    const prices = (entriesOf(done.exchange) ?? [])
      .filter(isObject)
      .map((entry) => parseMoney(entry['price']))
    if (prices.includes(undefined)) untested('an order has no price, which CART-10 decides')
    context.expect('CART-01').that('positions of one and of two pieces differ in price', {
      holds: new Set(prices).size > 1,
      expected: 'two prices, as of one and of two pieces that are bought alone',
      observed: show(prices.map(String)),
      exchanges: [done.exchange],
    })
  },
})
