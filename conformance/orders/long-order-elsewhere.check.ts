import { itemOf } from '../steps/catalog-listing.ts'
import type { CheckContext, Needs, OrderRequest } from '../engine/kit.ts'
import { check, inapplicable, offeredOf, untested } from '../engine/kit.ts'
import { BUYS_VOUCHERS } from '../steps/orders.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'
import { expectNotLong, TRIES } from '../steps/not-long.ts'

/** What isLongOrder is not for. */
type Elsewhere = {
  readonly what: string
  readonly needs: Needs
  readonly order: (context: CheckContext) => Promise<Omit<OrderRequest, 'referenceId'> | undefined>
}

const ELSEWHERE: readonly Elsewhere[] = [
  {
    what: 'an item that supports no long orders',
    needs: {
      ...BUYS_VOUCHERS,
      capabilities: ['shop', 'catalog'],
      selectors: ['listServices.services', 'listServices.items'],
    },
    order: async (context) => {
      const { item } = await itemOf(context, 'voucher')
      return item['isLongOrder'] === true ? undefined : { product: 'voucher' }
    },
  },
  {
    what: 'a top-up',
    needs: BUYS_TOP_UPS,
    order: (context) => Promise.resolve(topUpOrder(context)),
  },
]

export const longOrderElsewhere = check({
  id: 'orders.long-order-elsewhere',
  title: 'isLongOrder makes no long order of what supports none',
  requirements: ['LONG-03'],
  needs: { roles: ['full'], purchases: ELSEWHERE.length * 2 * TRIES },
  run: async (context) => {
    const judged: string[] = []
    for (const { what, order: orderOf } of offeredOf(context.target, ELSEWHERE)) {
      const order = await orderOf(context)
      if (order) judged.push(await expectNotLong(context, 'LONG-03', what, order))
    }
    if (judged.includes('decided')) return
    if (judged.includes('later'))
      inapplicable('nothing that supports no long orders is sold at once, so none can be delayed')
    untested('nothing that supports no long orders is sold')
  },
})
