import { USER_AGENTS } from '../../../contract/wire.ts'
import type { CallOptions, WindowNeed } from '../../engine/kit.ts'

/** Counters of the account in the role full, for checks that hold one alone. */
export const SERVICES_OF_FULL = {
  bucket: 'default',
  role: 'full',
  operation: 'listServices',
} as const satisfies WindowNeed
export const ORDERS_OF_FULL = {
  bucket: 'default',
  role: 'full',
  operation: 'createOrder',
} as const satisfies WindowNeed
export const LISTING_OF_FULL = {
  bucket: 'orders.list',
  role: 'full',
  operation: 'getOrders',
} as const satisfies WindowNeed
export const FILTERED_OF_FULL = {
  bucket: 'orders.filtered',
  role: 'full',
  operation: 'getOrders',
} as const satisfies WindowNeed

/** Orders must be seen finishing in time, where accounts are shared: polls that queue behind other checks would come too late. */
export const POLLS_IN_TIME = { ...FILTERED_OF_FULL, units: 6 } as const satisfies WindowNeed

/** The same key in the hands of a client of another name: no counter is kept by that. */
export const AS_ANOTHER_CLIENT = {
  headers: { 'user-agent': USER_AGENTS[1] },
} as const satisfies CallOptions
