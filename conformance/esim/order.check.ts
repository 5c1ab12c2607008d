import { plural } from '../../harness/text.ts'
import { isTerminal } from '../../contract/wire.ts'
import { formatMoney, parseMoney } from '../../harness/money.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import {
  check,
  inconclusive,
  isAccepted,
  needSuccess,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { isPriceOfOne } from '../steps/buyer.ts'
import { findUnder, needReferenceFilter } from '../steps/idempotency.ts'
import { buy, dataOf, orderIdOf } from '../steps/orders.ts'
import { BUYS_ESIMS, orderSaying, patienceSeconds, payloadOf, pollEsim } from '../steps/esim.ts'

export const oneEsim = check({
  id: 'esim.one-per-order',
  title: 'an order for one eSIM is accepted, and no order delivers more',
  requirements: ['ESIM-01'],
  needs: { ...BUYS_ESIMS, purchases: 3, waits: [{ orders: 1, product: 'esim' }] },
  run: async (context) => {
    const referenceId = context.reference()
    const one = await orderSaying(context, referenceId, 1)
    // A refusal counts only where the same order without the quantity is accepted.
    if (!isAccepted(one)) needSuccess(await orderSaying(context, context.reference(), undefined))
    context.expect('ESIM-01').that('an eSIM order with quantity 1 is accepted', {
      holds: isAccepted(one),
      expected: 'success',
      exchanges: [one],
    })
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
  const last = (await pollEsim(context, bought, { seconds: patienceSeconds(context) })).at(-1)
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

export const noFurtherScope = check({
  id: 'esim.scopes',
  title: 'a key that buys vouchers buys eSIMs',
  requirements: ['SCOPE-17'],
  needs: {
    ...BUYS_ESIMS,
    capabilities: ['esim', 'shop'],
    products: ['esim', 'voucher'],
    orderKinds: ['esim', 'shop'],
    purchases: 2,
  },
  run: async (context) => {
    const voucher = await buy(context)
    const esim = await context.api
      .as('full')
      .createOrder({ product: 'esim', kind: 'esim', referenceId: context.reference() })
    // Another refusal than 403 is not about scopes.
    if (esim.response?.status !== 403) needSuccess(esim)
    context.expect('SCOPE-17').that('the scopes of a voucher purchase suffice for an eSIM', {
      holds: isAccepted(esim),
      expected: 'success, with the key that has just bought a voucher',
      exchanges: [voucher.exchange, esim],
    })
  },
})
