import {
  type CheckContext,
  type CheckDefinition,
  type Exchange,
  type Needs,
  check,
  needSuccess,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { buy, orderIdOf, type Bought } from '../steps/orders.ts'
import { OTHER_KINDS, type Kind } from '../steps/kinds.ts'
import { topUpOrder } from '../steps/top-ups.ts'
import {
  findUnder,
  needReferenceFilter,
  replay,
  replayOfSameOrder,
  resultOf,
} from '../steps/idempotency.ts'

const BUYS_BOTH = {
  capabilities: ['shop', 'dtu'],
  roles: ['full'],
  products: ['voucher', 'dtu'],
  orderKinds: ['shop', 'dtu'],
} as const satisfies Needs

export const otherKindGivesOriginal = check({
  id: 'idempotency.other-kind-gives-original',
  title: 'a top-up under the reference of a voucher order gives that order and buys nothing',
  requirements: ['IDEM-06', 'IDEM-08'],
  needs: { ...BUYS_BOTH, purchases: 3 },
  run: async (context) => {
    const topUp = topUpOrder(context)
    const bought = await buy(context)
    await needReferenceFilter(context)
    await replayOfSameOrder(context, bought)
    // The same body under a reference of its own is sold.
    needSuccess(await replay(context, { referenceId: context.reference() }, topUp))
    const again = await replay(context, bought, topUp)
    await expectOriginal(context, bought, again, {
      used: 'a top-up under a used reference has orderId, price and currency of the first answer',
      found: 'orders that the referenceId finds after a top-up under it',
    })
  },
})

/** One kind of purchase under whose reference a voucher order is sent. */
function voucherAfter({ name, what, needs, begin }: Kind): CheckDefinition {
  return check({
    id: `idempotency.voucher-after-${name}`,
    title: `a voucher order under the reference of ${what} gives what was bought, and buys nothing`,
    requirements: ['IDEM-06', 'IDEM-08'],
    needs: {
      capabilities: [...new Set(['shop', ...(needs.capabilities ?? [])] as const)],
      roles: ['full'],
      products: ['voucher', ...(needs.products ?? [])],
      orderKinds: [...new Set(['shop', ...(needs.orderKinds ?? [])] as const)],
      purchases: 4,
    },
    run: async (context) => {
      // The same body under a reference of its own is sold.
      await buy(context)
      const referenceId = context.reference()
      const send = await begin(context, 'full', referenceId)
      const exchange = needSuccess(await send())
      const bought = { exchange, referenceId, orderId: orderIdOf(exchange) ?? '' }
      await needReferenceFilter(context)
      const plain = await send()
      if (orderIdOf(plain) !== bought.orderId)
        untested(`the second request did not give the original order: ${showAnswer(plain)}`)
      const again = await replay(context, bought)
      await expectOriginal(context, bought, again, {
        used: `a voucher order under a used reference has orderId, price and currency of ${what}`,
        found: 'orders that the referenceId finds after a voucher order under it',
      })
    },
  })
}

export const voucherAfterTopUp = voucherAfter(OTHER_KINDS.topUp)
export const voucherAfterEsim = voucherAfter(OTHER_KINDS.esim)
export const voucherAfterLater = voucherAfter(OTHER_KINDS.later)

/** What was sent again as another kind gives the original, and made no second order. */
async function expectOriginal(
  context: CheckContext,
  bought: Bought,
  again: Exchange,
  statements: { readonly used: string; readonly found: string },
): Promise<void> {
  const { expect } = context
  const exchanges = [bought.exchange, again]
  expect('IDEM-06').equal(statements.used, resultOf(again), resultOf(bought.exchange), exchanges)
  const { exchange, count } = await findUnder(context, bought.referenceId)
  expect('IDEM-08').equal(statements.found, count, 1, [...exchanges, exchange])
}
