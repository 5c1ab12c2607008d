import type { CheckContext, Exchange, Needs } from '../engine/kit.ts'
import { check, isAccepted, needSuccess, untested } from '../engine/kit.ts'
import { smallestLongQuantity } from '../steps/smallest-long-quantity.ts'
import { expectNotLong, TRIES } from '../steps/not-long.ts'

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

export const longOrderIsAccepted = check({
  id: 'orders.long-order',
  title: 'a product that supports long orders can be bought as one',
  requirements: ['LONG-01'],
  needs: { ...NEEDS, purchases: 2 },
  run: async (context) => {
    const smallest = (await smallestLongQuantity(context)) ?? 0
    const exchange = await orderLong(context, smallest + 1)
    expectAccepted(context, 'LONG-01', smallest + 1, exchange)
  },
})

export const smallestLongOrder = check({
  id: 'orders.long-order-minimum',
  title:
    'a long order of exactly minQtyToLongOrder is accepted, and one of fewer pieces is no long order',
  requirements: ['LONG-02'],
  needs: { ...NEEDS, purchases: 4 + 2 * TRIES },
  run: async (context) => {
    const smallest = await smallestLongQuantity(context)
    if (smallest === undefined)
      untested('the item of product "voucher-long" has no minQtyToLongOrder')
    // A larger one must work, or the quantity is not what decides.
    needSuccess(await order(context, smallest + 1, { isLongOrder: true }))
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
