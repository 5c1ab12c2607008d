/** Which orders a request for GET /orders means, and what it may see of them. */
import type { ApiKey } from '../auth/accounts.ts'
import type { Context } from '../context.ts'
import { invalid } from '../http/answer.ts'
import type { FieldError } from '../http/answer.ts'
import { queryBoolean } from '../http/query.ts'
import type { Order } from './order.ts'

export type OrderFilter = {
  readonly orderId: string | undefined
  readonly referenceId: string | undefined
  readonly unhide: boolean
}

/** Throws the 422 of an `unhide` that is neither true nor false. */
export function readFilter(query: URLSearchParams): OrderFilter {
  const errors: FieldError[] = []
  const unhide = queryBoolean(query, 'unhide', errors) ?? false
  if (errors.length > 0) throw invalid(errors)
  return {
    orderId: query.get('orderId') ?? undefined,
    referenceId: query.get('referenceId') ?? undefined,
    unhide,
  }
}

export function isFiltered({ orderId, referenceId }: OrderFilter): boolean {
  return orderId !== undefined || referenceId !== undefined
}

/** The orders that a filter selects, of those that the key created. */
export function selectOrders(context: Context, key: ApiKey, filter: OrderFilter): Order[] {
  const { faults } = context
  return candidates(context, key, filter).filter(
    (order) =>
      isVisible(context, order, key, filter) &&
      (filter.orderId === undefined || order.id === filter.orderId) &&
      (filter.referenceId === undefined ||
        order.referenceId === filter.referenceId ||
        faults.has('orders-filter-reference-ignored')),
  )
}

function candidates(
  { faults, orders }: Context,
  key: ApiKey,
  { orderId, referenceId }: OrderFilter,
): readonly Order[] {
  if (orderId !== undefined) {
    const order = orders.byId(orderId)
    return order === undefined ? [] : [order]
  }
  if (faults.has('orders-filter-reference-ignored'))
    return orders.newest(key, { limit: 50, offset: 0 })
  return orders.purchase(key, referenceId ?? '')?.orders ?? []
}

function isVisible({ faults }: Context, order: Order, key: ApiKey, filter: OrderFilter): boolean {
  if (order.key === key || faults.has('orders-visible-to-everyone')) return true
  const isShown =
    faults.has('orders-visible-to-account') ||
    (filter.orderId === undefined && faults.has('orders-visible-to-account-by-reference'))
  return isShown && order.key.account === key.account
}
