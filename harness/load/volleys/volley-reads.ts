import type { OperationName } from '../../../contract/operations.ts'
import type { ReadStep } from '../../../load/protocol/arrivals.ts'
import type { VolleyFile, VolleyReads } from '../../../load/protocol/volleys.ts'
import type { Target } from '../../target/target.ts'
import { readSteps } from './read-steps.ts'

/** Where answers to orders, checkouts and reads hold what lanes look at, by the selectors of the target. */
export function volleyReads(target: Target): VolleyFile['reads'] {
  const total = stepsOf(target, 'createCart', 'totalPrice')
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
    listed: readsOf(target, 'getOrders', { items: 'items', state: 'statuses' }),
  }
}

/** What cannot be said in steps is not read. */
function readsOf(
  target: Target,
  operation: OperationName,
  names: Readonly<Partial<Record<keyof VolleyReads, string>>>,
): VolleyReads {
  return Object.fromEntries(
    Object.entries(names).flatMap(([read, name]) => {
      const steps = stepsOf(target, operation, name)
      return steps === undefined ? [] : [[read, steps]]
    }),
  )
}

function stepsOf(
  { operations }: Target,
  operation: OperationName,
  name: string,
): ReadStep[] | undefined {
  const selector = operations[operation].selectors[name]
  return selector === undefined ? undefined : readSteps(selector)
}
