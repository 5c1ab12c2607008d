import type { Exchange } from '../../harness/client/exchange.ts'
import { itemOf } from '../catalog/listing.ts'
import { check, type CheckContext, type Needs } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { untested } from '../engine/undecided.ts'

const NEEDS = {
  capabilities: ['catalog', 'shop', 'long-orders'],
  roles: ['full'],
  products: ['voucher-long'],
  orderKinds: ['shop'],
  selectors: ['listServices.services', 'listServices.items'],
} as const satisfies Needs

/** The smallest quantity of a long order, where the item states one. */
async function smallestQuantity(context: CheckContext): Promise<number | undefined> {
  const { item } = await itemOf(context, 'voucher-long')
  const quantity = item['minQtyToLongOrder']
  return Number.isSafeInteger(quantity) ? (quantity as number) : undefined
}

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

export const longOrderIsAccepted = check({
  id: 'orders.long-order',
  title: 'a product that supports long orders can be bought as one',
  requirements: ['LONG-01'],
  needs: { ...NEEDS, purchases: 2 },
  run: async (context) => {
    const smallest = (await smallestQuantity(context)) ?? 0
    const exchange = await orderLong(context, smallest + 1)
    context.expect('LONG-01').status(exchange, 200, 202)
  },
})

export const smallestLongOrder = check({
  id: 'orders.long-order-minimum',
  title: 'a long order of exactly minQtyToLongOrder is accepted',
  requirements: ['LONG-02'],
  needs: { ...NEEDS, purchases: 4 },
  run: async (context) => {
    const smallest = await smallestQuantity(context)
    if (smallest === undefined)
      untested('the item of product "voucher-long" has no minQtyToLongOrder')
    // A larger one must work, or the quantity is not what decides.
    needSuccess(await order(context, smallest + 1, { isLongOrder: true }))
    context.expect('LONG-02').status(await orderLong(context, smallest), 200, 202)
    if (smallest < 2) return
    const below = await order(context, smallest - 1, { isLongOrder: true })
    const status = below.response?.status ?? 'none'
    context.observe('OPEN-67', `one below the smallest quantity: HTTP ${status}`, [below])
  },
})
