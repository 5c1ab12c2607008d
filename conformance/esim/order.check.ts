import { plural } from '../../harness/text.ts'
import { isTerminal } from '../../contract/wire.ts'
import { formatMoney, parseMoney } from '../../harness/money.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, inconclusive, isAccepted, isOffered, showAnswer, untested } from '../engine/kit.ts'
import { isPriceOfOne } from '../steps/buyer.ts'
import { findUnder, needReferenceFilter } from '../steps/idempotency.ts'
import { buy, BUYS_VOUCHERS, dataOf, orderIdOf } from '../steps/orders.ts'
import { BUYS_ESIMS, orderSaying, payloadOf, pollEsim } from '../steps/esim.ts'

export const oneEsim = check({
  id: 'esim.one-per-order',
  formerIds: ['answers.esim', 'esim.scopes'],
  title:
    'an order for one eSIM is accepted, without a scope of its own, and no order delivers more',
  requirements: ['ESIM-01', 'SCOPE-17'],
  needs: { ...BUYS_ESIMS, purchases: 4, waits: [{ orders: 1, product: 'esim' }] },
  run: async (context) => {
    const referenceId = context.reference()
    const one = await orderSaying(context, referenceId, 1)
    context.expect('ESIM-01').that('an eSIM order with quantity 1 is accepted', {
      holds: isAccepted(one),
      expected: 'success',
      exchanges: [one],
    })
    await judgeScope(context, one)
    if (!isAccepted(one)) return
    await needReferenceFilter(context)
    await expectOne(context, one, referenceId)
    const secondReference = context.reference()
    const two = await orderSaying(context, secondReference, 2)
    context.observe('OPEN-66', `quantity 2 is answered HTTP ${two.response?.status ?? 'none'}`, [
      two,
    ])
    if (!isAccepted(two)) return
    expectChargedOnce(context, one, two)
    await expectOne(context, two, secondReference)
  },
})

/** Only a 403 is about scopes: the same key must then be seen buying vouchers. */
async function judgeScope(context: CheckContext, esim: Exchange): Promise<void> {
  const isClosed = esim.response?.status === 403
  if (!isAccepted(esim) && !(isClosed && isOffered(context.target, BUYS_VOUCHERS)))
    return context.leaveUndecided('SCOPE-17', `the eSIM order was refused: ${showAnswer(esim)}`)
  const voucher = isClosed ? [(await buy(context)).exchange] : []
  context.expect('SCOPE-17').that('the scopes of a voucher purchase suffice for an eSIM', {
    holds: !isClosed,
    expected: 'success, with a key that buys vouchers',
    exchanges: [...voucher, esim],
  })
}

/** Where an order for two is accepted, it is an order for one all the same: the quantity is always 1. */
function expectChargedOnce(
  { expect, leaveUndecided }: CheckContext,
  one: Exchange,
  two: Exchange,
): void {
  const [price, asked] = [one, two].map((exchange) => parseMoney(dataOf(exchange)['price']))
  if (price === undefined || asked === undefined || price <= 0n) {
    leaveUndecided(
      'ESIM-01',
      'an eSIM order has no price, so whether two were charged is not known',
    )
    return
  }
  expect('ESIM-01').that('an eSIM order that asks for two is charged for one', {
    holds: isPriceOfOne(asked, price),
    expected: `less than twice the ${formatMoney(price)} of an order with quantity 1`,
    observed: formatMoney(asked),
    exchanges: [one, two],
  })
}

async function expectOne(
  context: CheckContext,
  exchange: Exchange,
  referenceId: string,
): Promise<void> {
  const orderId = orderIdOf(exchange)
  if (orderId === undefined) untested(`the order has no data.orderId: ${showAnswer(exchange)}`)
  const { exchange: found, count } = await findUnder(context, referenceId)
  if (count === 0) untested('the order is not found by its referenceId, which ASYNC-04 decides')
  const bought = { exchange, orderId, referenceId }
  const last = (await pollEsim(context, bought)).at(-1)
  if (!last || !isTerminal(last.item['status']))
    inconclusive('the eSIM order did not finish in time, so what it delivers was not seen')
  const payload = payloadOf(last.item['result'])
  context.expect('ESIM-01').that('an eSIM order delivers one eSIM', {
    holds: count === 1 && !(Array.isArray(payload) && payload.length > 1),
    expected: 'one order under its referenceId, and no list of activations',
    observed: `${plural(count, 'order')}; ${Array.isArray(payload) ? `a list of ${payload.length}` : 'no list'}`,
    exchanges: [exchange, found, last.exchange],
  })
}
