import type { BurstFile } from '../../../load/protocol/bursts.ts'
import type { Target } from '../../target-file/target.ts'
import { readsOf } from './read-steps.ts'

/** Where answers to orders, checkouts and reads hold what scripts look at, by the selectors of the target. */
export function burstReads(target: Target): BurstFile['reads'] {
  const { total } = readsOf(target, 'createCart', { total: 'totalPrice' })
  return {
    order: readsOf(target, 'createOrder', {
      id: 'orderId',
      price: 'price',
      currency: 'currency',
      state: 'status',
    }),
    cart: {
      ...readsOf(target, 'createCart', { id: 'orderIds', price: 'totalPrice', state: 'status' }),
      // The currency of the total stands beside it (CheckoutResponse).
      ...(total && { currency: [...total.slice(0, -1), 'currency'] }),
    },
    listed: readsOf(target, 'getOrders', { items: 'items', price: 'prices', state: 'statuses' }),
  }
}
