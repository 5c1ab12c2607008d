import { plural } from '../../harness/text.ts'
import { type CheckContext, check, isAccepted, show, showAnswer, untested } from '../engine/kit.ts'
import { needReferenceFilter, findUnder } from '../steps/idempotency.ts'
import {
  checkout,
  checkoutOfThree,
  CHECKS_OUT,
  idsOf,
  lackingIn,
  needIds,
  POSITIONS,
  referenceOf,
  sendCart,
  standsUnder,
  type SentCheckout,
  THREE_LINES,
} from '../steps/cart.ts'

export const oneReference = check({
  id: 'cart.one-reference',
  title: 'the reference in the answer to a checkout finds all of its orders',
  requirements: ['CART-02'],
  needs: { ...CHECKS_OUT, purchases: POSITIONS },
  run: async (context) => {
    const done = await checkout(context)
    const { exchange } = done
    const referenceId = referenceOf(exchange)
    if (referenceId === undefined)
      untested('the answer to the checkout has no referenceId, which CART-03 decides')
    const ids = needIds(done)
    await needReferenceFilter(context)
    const under = await findUnder(context, referenceId)
    const lacking = lackingIn(under, ids)
    if (lacking.length > 0 && (await areAll('there', context, lacking, referenceId)))
      untested(`${show(lacking)} stand under the reference, but it does not find them: GET-05`)
    context.expect('CART-02').that('the reference finds every order of the checkout', {
      holds: lacking.length === 0,
      expected: show(ids),
      observed: show(under.ids ?? plural(under.count, 'order')),
      exchanges: [exchange, under.exchange],
    })
  },
})

/** Whether all of these orders say themselves that they stand under the reference, or all that they do not. */
async function areAll(
  where: 'there' | 'elsewhere',
  context: CheckContext,
  orderIds: readonly string[],
  referenceId: string,
): Promise<boolean> {
  for (const orderId of orderIds) {
    const stands = await standsUnder(context, orderId, referenceId)
    if (stands === undefined || stands.isThere !== (where === 'there')) return false
  }
  return true
}

export const selectsItsOrders = check({
  id: 'cart.reference-selects',
  title:
    'the reference of a checkout selects all of its orders and none of another, and stays its own after that one',
  requirements: ['CART-04', 'GET-05'],
  needs: { ...CHECKS_OUT, purchases: 2 * POSITIONS + THREE_LINES.length },
  run: async (context) => {
    const checkouts = [await checkoutOfThree(context), await checkout(context)] as const
    const ids = checkouts.map(needIds)
    await needReferenceFilter(context)
    for (const [index, { exchange, referenceId }] of checkouts.entries()) {
      const own = ids[index] ?? []
      const others = ids[1 - index] ?? []
      const under = await findUnder(context, referenceId)
      const lacking = lackingIn(under, own)
      if (lacking.length > 0 && (await areAll('elsewhere', context, lacking, referenceId)))
        untested(`${show(lacking)} stand under another reference, which CART-02 decides`)
      const foreign = under.ids
        ? others.filter((id) => under.ids?.includes(id))
        : Array.from({ length: Math.max(0, under.count - own.length) }, () => 'one too many')
      context.expect('GET-05').that('the reference selects the orders of its checkout alone', {
        holds: lacking.length === 0 && foreign.length === 0,
        expected: `${show(own)}, and none of ${show(others)}`,
        observed: show(under.ids ?? plural(under.count, 'order')),
        exchanges: [exchange, under.exchange],
      })
    }
    await expectKept(context, checkouts[0], ids[0] ?? [])
  },
})

/** A checkout that is sent again after another one is the same still. */
async function expectKept(
  context: CheckContext,
  { exchange, sent }: SentCheckout,
  own: readonly string[],
): Promise<void> {
  const again = await sendCart(context, sent)
  if (!isAccepted(again)) untested(`the first cart, sent again, was refused: ${showAnswer(again)}`)
  const named = idsOf(again)
  context.expect('CART-04').that('the first of two carts, sent again after the second', {
    holds: named.every((id) => own.includes(id)),
    expected: `no order but ${show(own)}`,
    observed: show(named),
    exchanges: [exchange, again],
  })
}

export const selectsOneOrder = check({
  id: 'cart.reference-and-order-id',
  title: 'the reference of a checkout with the orderId of one of its orders selects that one',
  requirements: ['GET-06'],
  needs: { ...CHECKS_OUT, purchases: THREE_LINES.length },
  run: async (context) => {
    const done = await checkoutOfThree(context)
    const { referenceId } = done
    const ids = needIds(done)
    const all = await findUnder(context, referenceId)
    if (lackingIn(all, ids).length > 0)
      untested('the reference alone does not find all orders, which CART-02 and GET-05 decide')
    for (const orderId of ids) {
      const alone = await findUnder(context, { orderId })
      if (alone.count !== 1)
        untested(
          `orderId alone finds ${plural(alone.count, 'order')}, which GET-03 and GET-07 decide`,
        )
      const one = await findUnder(context, { referenceId, orderId })
      context.expect('GET-06').that('reference and orderId together select one order', {
        holds: one.count === 1 && (one.ids === undefined || one.ids[0] === orderId),
        expected: show([orderId]),
        observed: show(one.ids ?? plural(one.count, 'order')),
        exchanges: [all.exchange, one.exchange],
      })
    }
  },
})

export const eachByItself = check({
  id: 'cart.order-id-alone',
  title: 'an order of a checkout is found by its orderId alone',
  requirements: ['GET-03'],
  needs: { ...CHECKS_OUT, purchases: THREE_LINES.length },
  run: async (context) => {
    const done = await checkoutOfThree(context)
    for (const orderId of needIds(done)) {
      const alone = await findUnder(context, { orderId })
      context.expect('GET-03').that('orderId selects the order of a checkout', {
        holds: alone.count === 1 && (alone.ids === undefined || alone.ids[0] === orderId),
        expected: show([orderId]),
        observed: show(alone.ids ?? plural(alone.count, 'order')),
        exchanges: [done.exchange, alone.exchange],
      })
    }
  },
})
