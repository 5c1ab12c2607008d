import type { CheckContext, CheckDefinition, Exchange } from '../engine/kit.ts'
import { check, showAnswer, untested } from '../engine/kit.ts'
import { buy, orderIdOf, type Bought } from '../steps/orders.ts'
import { buyOnce, OTHER_KINDS, type Kind } from '../steps/kinds.ts'
import {
  findUnder,
  needReferenceFilter,
  replay,
  replayOfSameOrder,
  resultOf,
} from '../steps/idempotency.ts'

/** A voucher order and another kind of purchase, each sent under the reference of the other. */
function otherKind(kind: Kind, formerIds: readonly string[]): CheckDefinition {
  const { name, what, needs } = kind
  return check({
    id: `idempotency.other-kind-${name}`,
    formerIds,
    title: `a voucher order under the reference of ${what}, or the reverse, gives what was bought and buys nothing`,
    requirements: ['IDEM-06', 'IDEM-08'],
    needs: {
      capabilities: [...new Set(['shop', ...(needs.capabilities ?? [])] as const)],
      roles: ['full'],
      products: ['voucher', ...(needs.products ?? [])],
      orderKinds: [...new Set(['shop', ...(needs.orderKinds ?? [])] as const)],
      purchases: 4,
    },
    run: async (context) => {
      // Each of the two bodies is sold under a reference of its own.
      const voucher = await buy(context)
      const { referenceId, send, first } = await buyOnce(context, kind)
      const other = { exchange: first, referenceId, orderId: orderIdOf(first) ?? '' }
      await needReferenceFilter(context)
      await replayOfSameOrder(context, voucher)
      const plain = await send()
      if (orderIdOf(plain) !== other.orderId)
        untested(`the second request did not give the original order: ${showAnswer(plain)}`)
      await expectOriginal(context, other, await replay(context, other), `that of ${what}`)
      const reverse = await kind.begin(context, 'full', voucher.referenceId)
      await expectOriginal(context, voucher, await reverse(), 'that of a voucher order')
    },
  })
}

export const otherKindTopUp = otherKind(OTHER_KINDS.topUp, [
  'idempotency.other-kind-gives-original',
  'idempotency.voucher-after-top-up',
])
export const otherKindEsim = otherKind(OTHER_KINDS.esim, ['idempotency.voucher-after-esim'])
export const otherKindLater = otherKind(OTHER_KINDS.later, ['idempotency.voucher-after-later'])

/** What was sent again as another kind gives the original, and made no second order. */
async function expectOriginal(
  context: CheckContext,
  bought: Bought,
  again: Exchange,
  used: string,
): Promise<void> {
  const { expect } = context
  const exchanges = [bought.exchange, again]
  expect('IDEM-06').equal(
    `another kind under a used reference, ${used}, has its orderId, price and currency`,
    resultOf(again),
    resultOf(bought.exchange),
    exchanges,
  )
  const { exchange, count } = await findUnder(context, bought.referenceId)
  expect('IDEM-08').equal(`orders that the reference finds after that, ${used}`, count, 1, [
    ...exchanges,
    exchange,
  ])
}
