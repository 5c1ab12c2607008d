import type { CheckContext } from '../engine/kit.ts'
import { asText, check, isAccepted, needSuccess, show, untested } from '../engine/kit.ts'
import { clearCodes } from '../../harness/judge/codes.ts'
import { OTHER_QUANTITY, resultOf } from '../steps/idempotency.ts'
import { buy, BUYS_VOUCHERS, orderIdOf, type Bought } from '../steps/orders.ts'
import { finish } from '../steps/unhide/orders.ts'
import { codesIn, expectClear, reveal, vouchersOf } from '../steps/reading.ts'

export const severalCodes = check({
  id: 'reading.several-codes',
  title: 'an order of several pieces delivers as many vouchers, and unhide=true shows all in clear',
  requirements: ['ORD-03', 'UNHIDE-01'],
  needs: {
    ...BUYS_VOUCHERS,
    capabilities: ['shop', 'unhide'],
    roles: ['full'],
    selectors: ['getOrders.codes'],
    purchases: 3,
    waits: [{ orders: 2, product: 'voucher' }],
  },
  run: async (context) => {
    const { api, expect } = context
    const one = await buy(context)
    const { several, quantity } = await buySeveral(context)
    needDearer(one, several, quantity)
    const { orderId } = several
    const masked = needSuccess(await api.as('full').getOrders({ orderId }))
    const { exchange, codes } = await reveal(context, orderId)
    const clear = clearCodes(codes, codesIn(context, masked))
    context.revealed(clear)
    const count = vouchersOf(exchange)?.length
    if (count === undefined) context.leaveUndecided('ORD-03', 'the list keeps vouchers elsewhere')
    else
      expect('ORD-03').that(`an order of ${quantity} pieces has as many vouchers`, {
        holds: count >= quantity,
        expected: `${quantity} vouchers at least`,
        observed: `${count} vouchers`,
        exchanges: [several.exchange, exchange],
      })
    if (codes.length === 0) untested('no voucher was found where the target file says codes are')
    const exchanges = [masked, exchange]
    const statement = 'every code of an order of several pieces is in clear'
    expectClear(context, statement, { codes, clear, exchanges })
  },
})

/** More than a page of ten holds. They cost more, so only accounts that the target makes for checks buy as many. */
const MANY = 11

type Several = { readonly several: Bought; readonly quantity: number }

/** An order of many pieces that is delivered whole, or else of two: how many one order takes is not shown. */
async function buySeveral(context: CheckContext): Promise<Several> {
  const many = context.isFresh ? await deliveredMany(context) : undefined
  if (many) return { several: many, quantity: MANY }
  const several = await buy(context, { quantity: OTHER_QUANTITY })
  const status = await finish(context, 'voucher', several)
  if (status !== 'SUCCESS') untested(`the order did not end in SUCCESS: ${show(status)}`)
  return { several, quantity: OTHER_QUANTITY }
}

async function deliveredMany(context: CheckContext): Promise<Bought | undefined> {
  const referenceId = context.reference()
  const order = { product: 'voucher', quantity: MANY, referenceId } as const
  const exchange = await context.api.as('full').createOrder(order)
  const orderId = orderIdOf(exchange)
  if (!isAccepted(exchange) || orderId === undefined) return undefined
  const bought = { exchange, orderId, referenceId }
  return (await finish(context, 'voucher', bought)) === 'SUCCESS' ? bought : undefined
}

/** Where several pieces cost what one costs, the body template does not ask for several. */
function needDearer(one: Bought, several: Bought, quantity: number): void {
  const prices = [one, several].map(({ exchange }) => Number(asText(resultOf(exchange)[1])))
  const [first = Number.NaN, second = Number.NaN] = prices
  if (!(second > first))
    untested(`quantity ${quantity} does not cost more than one piece: ${show(prices)}`)
}
