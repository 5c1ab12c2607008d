import type { ProductAbility, Role } from '../../contract/capabilities.ts'
import type { CheckContext, Exchange, Needs, OrderRequest } from '../engine/kit.ts'
import { check, isAccepted, show, showAnswer } from '../engine/kit.ts'
import { BUYS_ESIMS } from '../steps/esim.ts'
import { buy, BUYS_VOUCHERS, orderIdOf, orderIdsOf } from '../steps/orders.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'
import { findUnder, needReferenceFilter, replay, replayOfSameOrder } from '../steps/idempotency.ts'

/** Orders that a reference finds for a key, by identifier where the target file tells how to read it. */
async function idsUnder(
  context: CheckContext,
  referenceId: string,
  role: Role,
): Promise<{ exchange: Exchange; count: number; ids: readonly unknown[] | undefined }> {
  const found = await findUnder(context, referenceId, role)
  return { ...found, ids: orderIdsOf(context, found.exchange) }
}

/** One kind of order under a reference that another key of the account uses again. */
function uniqueFor(
  id: string,
  needs: Needs,
  orderOf: (context: CheckContext) => Partial<OrderRequest> & { readonly product: ProductAbility },
): ReturnType<typeof check> {
  return check({
    id: `idempotency.${id}`,
    title: 'a referenceId that another key of the account uses again creates no second order',
    requirements: ['IDEM-10'],
    needs: { ...needs, roles: ['full', 'sibling'], purchases: 3 },
    run: async (context) => {
      const order = orderOf(context)
      await buy(context, order, { role: 'sibling' })
      const bought = await buy(context, order)
      await needReferenceFilter(context)
      await replayOfSameOrder(context, bought, order)
      const again = await replay(context, bought, { ...order, role: 'sibling' })
      const named = orderIdOf(again)
      const own = await idsUnder(context, bought.referenceId, 'full')
      const other = await idsUnder(context, bought.referenceId, 'sibling')
      // That the other key may find the first order is for GET-09; here only a second one counts.
      const foreign = (other.ids ?? []).filter((id) => id !== bought.orderId)
      context.expect('IDEM-10').that('the account has one order under the referenceId', {
        holds:
          own.count <= 1 &&
          foreign.length === 0 &&
          (named === undefined || named === bought.orderId),
        expected: `no order but ${bought.orderId}`,
        observed: `the other key got ${showAnswer(again)}; the first key finds ${own.count}, the other ${other.count} (${show(other.ids)})`,
        exchanges: [bought.exchange, again, own.exchange, other.exchange],
      })
      context.observe(
        'OPEN-39',
        `another key of the account got HTTP ${again.response?.status ?? 'none'}`,
        [again],
      )
    },
  })
}

export const uniqueInAccount = uniqueFor('unique-in-account', BUYS_VOUCHERS, () => ({
  product: 'voucher',
}))

export const topUpIsUnique = uniqueFor('top-up-unique-in-account', BUYS_TOP_UPS, (context) =>
  topUpOrder(context),
)

export const esimIsUnique = uniqueFor('esim-unique-in-account', BUYS_ESIMS, () => ({
  product: 'esim',
  kind: 'esim',
}))

export const freeInOtherAccount = check({
  id: 'idempotency.free-in-other-account',
  title: 'another account may use the same referenceId and gets an order of its own',
  requirements: ['IDEM-11'],
  needs: { ...BUYS_VOUCHERS, roles: ['full', 'stranger'], purchases: 3 },
  run: async (context) => {
    await buy(context, {}, { role: 'stranger' })
    await needReferenceFilter(context, 'stranger')
    const bought = await buy(context)
    const foreign = await replay(context, bought, { role: 'stranger' })
    const named = orderIdOf(foreign)
    context.expect('IDEM-11').that('the other account gets a fresh order', {
      holds: isAccepted(foreign) && named !== undefined && named !== bought.orderId,
      expected: `a success that names another order than ${bought.orderId}`,
      exchanges: [bought.exchange, foreign],
    })
    const found = await findUnder(context, bought.referenceId, 'stranger')
    context
      .expect('IDEM-11')
      .equal('orders that the other account finds under the referenceId', found.count, 1, [
        foreign,
        found.exchange,
      ])
  },
})
