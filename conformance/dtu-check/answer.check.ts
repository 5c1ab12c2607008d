import { amountOf } from '../../harness/client/bodies.ts'
import type { CheckContext, Exchange, OrderRequest } from '../engine/kit.ts'
import { check, isAccepted, isOffered, needSuccess } from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import { buy, BUYS_VOUCHERS, findsNothing, itemsOf } from '../steps/orders.ts'
import { OTHER_KINDS } from '../steps/kinds.ts'
import { envelopeStatusOf } from '../steps/states.ts'
import {
  askForCheck,
  CHECKS_TOP_UPS,
  expectFree,
  needAdmittedKey,
  needReadable,
} from '../steps/dtu-check.ts'

export const validTopUp = check({
  id: 'dtu-check.valid',
  title: 'the check of a valid top-up succeeds, and its answer is the outcome',
  requirements: ['CHECK-01', 'CHECK-03'],
  needs: CHECKS_TOP_UPS,
  run: async (context) => {
    const exchange = needAdmittedKey(await askForCheck(context))
    const status = exchange.response?.status ?? 0
    context.expect('CHECK-01').that('the check of a valid top-up is answered by a success', {
      holds: isAccepted(exchange),
      expected: 'success',
      exchanges: [exchange],
    })
    needSuccess(exchange)
    context.expect('CHECK-03').that('the answer of the check is the outcome', {
      holds: status !== 202 && envelopeStatusOf(exchange) !== 'IN_PROGRESS',
      expected: 'neither HTTP 202 nor status IN_PROGRESS',
      exchanges: [exchange],
    })
  },
})

/** Other products, and a check that is not the first: none buys anything. */
const OTHERS = ['dtu', 'quantity', 'dtu-slow'] as const

export const leavesNoOrder = check({
  id: 'dtu-check.no-order',
  formerIds: ['dtu-check.others-no-order'],
  title: 'a check creates no order, whatever it is about and however often it is sent',
  requirements: ['CHECK-02'],
  needs: {
    ...CHECKS_TOP_UPS,
    capabilities: ['dtu-check', 'dtu'],
    orderKinds: ['dtu-check', 'dtu'],
    // Two are wanted; a faulty service would make more, and checkOnly on a voucher may buy it.
    purchases: 4 + 2 * OTHERS.length,
    waits: [{ seconds: 1, reason: 'a provider that is silent at first' }],
  },
  run: async (context) => {
    const { api, expect, isFresh, reference } = context
    const full = api.as('full')
    const referenceId = reference()
    const exchange = needSuccess(await askForCheck(context, { referenceId }))
    const found = needReadable(await full.getOrders({ referenceId }))
    expect('CHECK-02').that('the referenceId of a check finds nothing', {
      holds: findsNothing(found),
      expected: 'no order',
      exchanges: [exchange, found],
    })
    // The same top-up as a purchase can be found.
    const order = { product: 'dtu', kind: 'dtu', ...amountOf(context.target, 'dtu') } as const
    const bought = await buy(context, order)
    const control = needSuccess(await full.getOrders({ referenceId: bought.referenceId }))
    if (isFresh) await expectOnlyOrder(context, [exchange, bought.exchange, control])
    await expectFree(context, 'CHECK-02', referenceId, exchange)
    for (const product of OTHERS)
      if (context.target.products[product] !== undefined) await judgeOther(context, product)
    await aside(() => observeOtherKind(context))
  },
})

type Checked = (typeof OTHERS)[number]

async function judgeOther(context: CheckContext, product: Checked): Promise<void> {
  const full = context.api.as('full')
  const amount = await checkedAmount(context, product)
  for (const referenceId of [context.reference(), context.reference()]) {
    const order = { product, kind: 'dtu-check', ...amount, referenceId } as const
    const exchange = await full.createOrder(order)
    const found = needReadable(await full.getOrders({ referenceId }))
    context.expect('CHECK-02').that(`the referenceId of a check of ${product}`, {
      holds: findsNothing(found),
      expected: 'no order',
      exchanges: [exchange, found],
    })
    if (product !== 'dtu') await expectFree(context, 'CHECK-02', referenceId, exchange)
  }
}

async function checkedAmount(
  context: CheckContext,
  product: Checked,
): Promise<Pick<OrderRequest, 'amount'>> {
  const isOfUnits = product === 'quantity' && isOffered(context.target, OTHER_KINDS.units.needs)
  if (!isOfUnits) return amountOf(context.target, product)
  const { amount } = await OTHER_KINDS.units.order(context, 'full')
  return amount === undefined ? {} : { amount }
}

/** What checkOnly does on an order of another kind (OPEN-53): at worst it is bought. */
async function observeOtherKind(context: CheckContext): Promise<void> {
  if (!isOffered(context.target, BUYS_VOUCHERS)) return
  const full = context.api.as('full')
  const referenceId = context.reference()
  const overrides = { checkOnly: true }
  const exchange = await full.createOrder({ product: 'voucher', referenceId, overrides })
  const found = await full.getOrders({ referenceId })
  context.observe(
    'OPEN-53',
    `checkOnly on a voucher: HTTP ${exchange.response?.status ?? 'none'}, ${findsNothing(found) ? 'no' : 'an'} order`,
    [exchange, found],
  )
}

/** On an account of our own the purchase is the only order. */
async function expectOnlyOrder(
  { api, expect }: CheckContext,
  exchanges: readonly [Exchange, Exchange, Exchange],
): Promise<void> {
  const listing = needSuccess(await api.as('full').getOrders())
  const wanted = itemsOf(exchanges[2])?.length ?? 0
  // A listing that lacks the purchase is the matter of GET-07.
  expect('CHECK-02').that('the account has the purchase and nothing else', {
    holds: (itemsOf(listing)?.length ?? 0) <= wanted,
    expected: `${wanted} order at most`,
    exchanges: [...exchanges, listing],
  })
}
