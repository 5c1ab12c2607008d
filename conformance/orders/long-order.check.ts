import type { CheckContext, Exchange, Needs, OrderRequest } from '../engine/kit.ts'
import {
  check,
  inapplicable,
  isAccepted,
  needSuccess,
  offeredOf,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { itemOf, smallestLongQuantity } from '../steps/catalog-listing.ts'
import { OTHER_KINDS } from '../steps/kinds.ts'
import { isRefusedForBody } from '../steps/order-refusal.ts'
import { BUYS_VOUCHERS } from '../steps/orders.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'

const NEEDS = {
  capabilities: ['catalog', 'shop', 'long-orders'],
  roles: ['full'],
  products: ['voucher-long'],
  orderKinds: ['shop'],
  selectors: ['listServices.services', 'listServices.items'],
} as const satisfies Needs

async function order(
  { api, reference }: CheckContext,
  quantity: number,
  overrides: Readonly<Record<string, unknown>>,
): Promise<Exchange> {
  const referenceId = reference()
  return api.as('full').createOrder({ product: 'voucher-long', quantity, referenceId, overrides })
}

/** Positive control: the same number can be bought as a plain order. */
async function orderLong(context: CheckContext, quantity: number): Promise<Exchange> {
  needSuccess(await order(context, quantity, {}))
  return order(context, quantity, { isLongOrder: true })
}

function expectAccepted(
  { expect }: CheckContext,
  requirement: 'LONG-01' | 'LONG-02',
  quantity: number,
  exchange: Exchange,
): void {
  expect(requirement).that(`a long order of ${quantity} is accepted`, {
    holds: isAccepted(exchange),
    expected: 'success, as without isLongOrder',
    exchanges: [exchange],
  })
}

/**
 * An order may come later by chance, but hardly each time with the flag and never without. Where every second order does, that is one
 * chance in 260,000.
 */
const TRIES = 9

/** `later`: not decided, since only what is sold at once otherwise shows that it became a long order. */
async function expectNotLong(
  { api, reference, expect }: CheckContext,
  requirement: 'LONG-02' | 'LONG-03',
  what: string,
  sold: Omit<OrderRequest, 'referenceId'>,
): Promise<'decided' | 'later' | 'refused'> {
  const exchanges: Exchange[] = []
  for (let tried = 1; tried <= TRIES; tried++) {
    const plain = await api.as('full').createOrder({ ...sold, referenceId: reference() })
    if (plain.response?.status !== 200) return isAccepted(plain) ? 'later' : 'refused'
    const long = await api.as('full').createOrder({
      ...sold,
      referenceId: reference(),
      overrides: { isLongOrder: true },
    })
    exchanges.push(plain, long)
    if (!isAccepted(long) && !isRefusedForBody(long)) return 'refused'
    if (long.response?.status !== 202) break
  }
  const last = exchanges.at(-1) as Exchange
  expect(requirement).that(`isLongOrder for ${what}`, {
    holds: last.response?.status !== 202,
    expected: 'a refusal for the body, or HTTP 200 as without isLongOrder',
    observed: showAnswer(last),
    exchanges,
  })
  return 'decided'
}

export const longOrders = check({
  id: 'orders.long-order',
  formerIds: ['orders.long-order-minimum'],
  title:
    'a product that supports long orders can be bought as one, of minQtyToLongOrder pieces too, and fewer are no long order',
  requirements: ['LONG-01', 'LONG-02'],
  needs: { ...NEEDS, purchases: 5 + 2 * TRIES },
  run: async (context) => {
    const smallest = await smallestLongQuantity(context)
    const larger = (smallest ?? 0) + 1
    const long = await orderLong(context, larger)
    expectAccepted(context, 'LONG-01', larger, long)
    if (smallest === undefined)
      return context.leaveUndecided(
        'LONG-02',
        'the item of product "voucher-long" has no minQtyToLongOrder',
      )
    // A larger one must work, or the quantity is not what decides.
    needSuccess(long)
    expectAccepted(context, 'LONG-02', smallest, await orderLong(context, smallest))
    if (smallest < 2) return
    const below = await order(context, smallest - 1, { isLongOrder: true })
    const status = below.response?.status ?? 'none'
    context.observe('OPEN-67', `one below the smallest quantity: HTTP ${status}`, [below])
    if (status !== 202) return
    const fewer = { product: 'voucher-long', quantity: smallest - 1 } as const
    await expectNotLong(context, 'LONG-02', `${smallest - 1} of at least ${smallest} pieces`, fewer)
  },
})

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
  ...[OTHER_KINDS.units, OTHER_KINDS.esim].map(({ what, needs, order: orderOf }) => ({
    what,
    needs,
    order: (context: CheckContext) => orderOf(context, 'full'),
  })),
]

export const longOrderElsewhere = check({
  id: 'orders.long-order-elsewhere',
  title: 'isLongOrder makes no long order of what supports none',
  requirements: ['LONG-03'],
  needs: { roles: ['full'], purchases: ELSEWHERE.length * 2 * TRIES },
  run: async (context) => {
    const judged: string[] = []
    for (const { what, order: orderOf } of offeredOf(context.target, ELSEWHERE)) {
      const sold = await orderOf(context)
      if (sold) judged.push(await expectNotLong(context, 'LONG-03', what, sold))
    }
    if (judged.includes('decided')) return
    if (judged.includes('later'))
      inapplicable('nothing that supports no long orders is sold at once, so none can be delayed')
    untested('nothing that supports no long orders is sold')
  },
})
