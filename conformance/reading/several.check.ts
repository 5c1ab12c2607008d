import { asText, check, needSuccess, show, untested } from '../engine/kit.ts'
import { clearCodes } from '../../harness/judge/codes.ts'
import { OTHER_QUANTITY, resultOf } from '../steps/idempotency.ts'
import { buy, BUYS_VOUCHERS, type Bought } from '../steps/orders.ts'
import { finish } from '../steps/unhide/orders.ts'
import { codesIn, expectClear, reveal, vouchersOf } from '../steps/reading.ts'

export const severalCodes = check({
  id: 'reading.several-codes',
  title: 'an order of two pieces delivers two vouchers, and unhide=true shows both in clear',
  requirements: ['ORD-03', 'UNHIDE-01'],
  needs: {
    ...BUYS_VOUCHERS,
    capabilities: ['shop', 'unhide'],
    roles: ['full'],
    selectors: ['getOrders.codes'],
    purchases: 2,
    waits: [{ orders: 1, product: 'voucher' }],
  },
  run: async (context) => {
    const { api, expect } = context
    const one = await buy(context)
    const several = await buy(context, { quantity: OTHER_QUANTITY })
    needDearer(one, several)
    const status = await finish(context, 'voucher', several)
    if (status !== 'SUCCESS') untested(`the order did not end in SUCCESS: ${show(status)}`)
    const { orderId } = several
    const masked = needSuccess(await api.as('full').getOrders({ orderId }))
    const { exchange, codes } = await reveal(context, orderId)
    const clear = clearCodes(codes, codesIn(context, masked))
    context.revealed(clear)
    const count = vouchersOf(exchange)?.length
    if (count === undefined) context.leaveUndecided('ORD-03', 'the list keeps vouchers elsewhere')
    else
      expect('ORD-03').that(`an order of ${OTHER_QUANTITY} pieces has as many vouchers`, {
        holds: count >= OTHER_QUANTITY,
        expected: `${OTHER_QUANTITY} vouchers at least`,
        observed: `${count} vouchers`,
        exchanges: [several.exchange, exchange],
      })
    if (codes.length === 0) untested('no voucher was found where the target file says codes are')
    const exchanges = [masked, exchange]
    const statement = 'every code of an order of several pieces is in clear'
    expectClear(context, statement, { codes, clear, exchanges })
  },
})

/** Where two pieces cost what one costs, the body template does not ask for two. */
function needDearer(one: Bought, several: Bought): void {
  const prices = [one, several].map(({ exchange }) => Number(asText(resultOf(exchange)[1])))
  const [first = Number.NaN, second = Number.NaN] = prices
  if (!(second > first))
    untested(`quantity ${OTHER_QUANTITY} does not cost more than one piece: ${show(prices)}`)
}
