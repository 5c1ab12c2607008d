/** Rate-limit buckets and their default budgets (interface, Limits). Facts only. */
import { OPERATIONS, type OperationName } from './operations.ts'

/** One fixed window: at most `count` requests in each window of `windowSeconds`. */
export type WindowLimit = { readonly count: number; readonly windowSeconds: number }

/**
 * The buckets by their names in the harness's own words, and what the interface calls them (Limits, both tables). `default` holds for every
 * endpoint without a bucket of its own, each endpoint counted apart.
 */
export const BUCKET_TITLES = {
  default: 'default',
  'orders.check': 'POST /orders (check)',
  'orders.list': 'GET /orders',
  'orders.filtered': 'GET /orders (filtered)',
  'orders.unhide.pending': 'GET /orders (unhide pending)',
  'orders.unhide.completed': 'GET /orders (unhide completed)',
  'orders.unhide.admission': 'GET /orders (unhide admission)',
} as const
export type Bucket = keyof typeof BUCKET_TITLES
export const BUCKETS = Object.keys(BUCKET_TITLES) as Bucket[]

/** The window of one endpoint that the bucket `default` covers: it may be tighter or looser (Limits, row Default). */
export type OwnLimit = `operations.${Exclude<OperationName, 'getOrders'>}`
export const OWN_LIMITS = (Object.keys(OPERATIONS) as OperationName[])
  .filter((operation) => operation !== 'getOrders')
  .map((operation): OwnLimit => `operations.${operation}`)

export function operationOf(name: OwnLimit): OperationName {
  return name.slice('operations.'.length) as OperationName
}

/** Whatever can have a budget that is reported or stated. */
export type LimitName = Bucket | OwnLimit
export const LIMIT_NAMES: readonly LimitName[] = [...BUCKETS, ...OWN_LIMITS]

/** Budgets with which a service starts when no rule is configured (interface, Limits, both tables). */
export const DEFAULT_LIMITS: Readonly<Record<Bucket, WindowLimit>> = {
  default: { count: 1000, windowSeconds: 60 },
  'orders.check': { count: 120, windowSeconds: 60 },
  'orders.list': { count: 2, windowSeconds: 60 },
  'orders.filtered': { count: 60, windowSeconds: 60 },
  'orders.unhide.pending': { count: 60, windowSeconds: 60 },
  'orders.unhide.completed': { count: 1, windowSeconds: 60 },
  'orders.unhide.admission': { count: 61, windowSeconds: 60 },
}

/** Without rules of their own these fall back to the global default, whatever that is (GET /orders, rule 1). */
export const FALLING_BACK: ReadonlySet<Bucket> = new Set<Bucket>(['orders.list', 'orders.filtered'])

/** In a message that names the check bucket, whatever it calls it: the interface shows no text (Limits, row POST /orders (check) bucket). */
export const CHECK_BUCKET_NAMED = /check/i

/** The longest Retry-After of the check bucket: its whole window, in seconds, and one second more for a service that rounds up. */
export function checkWaitSecondsMax(windowSeconds: number): number {
  return Math.ceil(windowSeconds) + 1
}
