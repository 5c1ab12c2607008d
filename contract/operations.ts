import type { Capability } from './capabilities.ts'
import type { Scope } from './wire.ts'

/** One operation of the interface. `path` is as written there; undefined where the interface does not show it (the target file then must). */
export type Operation = {
  readonly method: 'GET' | 'POST'
  readonly path?: string
  /** Scope that the interface names for it; undefined where it names none. */
  readonly scope?: Scope
  /** The optional part of the interface that it belongs to. */
  readonly part?: Capability
  /** Whether an accepted call may create an order or move money. */
  readonly purchases?: true
}

/** Every operation that the interface names (Endpoints), by the harness's own name for it. */
export const OPERATIONS = {
  whoami: { method: 'GET', path: '/whoami' },
  listServices: { method: 'GET', path: '/api/v1/services', scope: 'product:read' },
  lookupItems: { method: 'POST', scope: 'product:read', part: 'item-lookup' },
  getItem: { method: 'GET', scope: 'product:read', part: 'item-lookup' },
  createGiftQuote: {
    method: 'POST',
    path: '/api/v1/platform-gifts/quotes',
    part: 'platform-gift',
  },
  createOrder: { method: 'POST', path: '/api/v1/orders', scope: 'orders:write', purchases: true },
  getOrders: { method: 'GET', path: '/api/v1/orders', scope: 'orders:read' },
  createCart: {
    method: 'POST',
    path: '/carts',
    scope: 'orders:write',
    part: 'cart',
    purchases: true,
  },
  validateDtu: { method: 'POST', path: '/dtu/validation', part: 'dtu-validation' },
  rateLimits: { method: 'GET', path: '/rate-limits', part: 'rate-limits' },
  getBalance: { method: 'GET', scope: 'funds:read', part: 'funds' },
  getLedger: { method: 'GET', scope: 'funds:read', part: 'funds' },
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof OPERATIONS

export function partOf(operation: OperationName): Capability | undefined {
  return (OPERATIONS[operation] as Operation).part
}

/** Whether an accepted call of it may create an order. */
export function isPurchase(operation: string): operation is 'createOrder' | 'createCart' {
  return (
    Object.hasOwn(OPERATIONS, operation) && 'purchases' in OPERATIONS[operation as OperationName]
  )
}

/** Operations that the interface writes without the version. Read with "the versioned prefix is /api/v1", they may stand below it. */
export const UNVERSIONED = ['whoami', 'createCart', 'validateDtu', 'rateLimits'] as const

/** Where such an operation stands if the prefix holds for it too. */
export function prefixedPath(operation: (typeof UNVERSIONED)[number]): string {
  return `/api/v1${OPERATIONS[operation].path}`
}
