import { itemOf } from '../steps/catalog-listing.ts'
import type { CheckContext, Exchange, Needs, OrderRequest } from '../engine/kit.ts'
import { check, isAccepted, isOffered, showAnswer, untested } from '../engine/kit.ts'
import { isRefusedForBody } from '../steps/order-refusal.ts'
import { BUYS_VOUCHERS } from '../steps/orders.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'

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

/** An order may come later once by chance, but not each time, and never without the flag. */
const TRIES = 2

export const longOrderElsewhere = check({
  id: 'orders.long-order-elsewhere',
  title: 'isLongOrder makes no long order of what supports none',
  requirements: ['LONG-03'],
  needs: { roles: ['full'], purchases: ELSEWHERE.length * 2 * TRIES },
  run: async (context) => {
    let judged = 0
    for (const elsewhere of ELSEWHERE)
      if (isOffered(context.target, elsewhere.needs)) {
        const order = await elsewhere.order(context)
        if (order && (await judge(context, elsewhere.what, order))) judged++
      }
    if (judged === 0) untested('nothing that supports no long orders is sold at once')
  },
})

/** Whether it was decided: only what is sold at once otherwise shows that it became a long order. */
async function judge(
  { api, reference, expect }: CheckContext,
  what: string,
  order: Omit<OrderRequest, 'referenceId'>,
): Promise<boolean> {
  const exchanges: Exchange[] = []
  for (let tried = 1; tried <= TRIES; tried++) {
    const plain = await api.as('full').createOrder({ ...order, referenceId: reference() })
    if (plain.response?.status !== 200) return false
    const long = await api.as('full').createOrder({
      ...order,
      referenceId: reference(),
      overrides: { isLongOrder: true },
    })
    exchanges.push(plain, long)
    if (!isAccepted(long) && !isRefusedForBody(long)) return false
    if (long.response?.status !== 202) break
  }
  const last = exchanges.at(-1) as Exchange
  expect('LONG-03').that(`isLongOrder for ${what}`, {
    holds: last.response?.status !== 202,
    expected: 'a refusal for the body, or HTTP 200 as without isLongOrder',
    observed: showAnswer(last),
    exchanges,
  })
  return true
}
