/** Every route of the service: method, path, scope and handler. */
import { OPERATIONS, type OperationName } from '../contract/operations.ts'
import type { Scope } from '../contract/wire.ts'
import { getItem, lookupItems } from './catalog/lookup.ts'
import { listServices } from './catalog/services.ts'
import { getBalance, getLedger } from './funds/handlers.ts'
import { createGiftQuote } from './gifts/handlers.ts'
import { effectiveLimits, reportOf } from './model/effective-limits.ts'
import { createCart } from './orders/carts.ts'
import { validateDtu } from './orders/check.ts'
import { createOrder } from './orders/create.ts'
import { getOrders } from './orders/read.ts'
import { type Answer, notFound, success } from './http/answer.ts'
import type { Call, Handler, Route } from './model/call.ts'

/** Paths that the interface does not show (CHOICES.md). */
const CHOSEN_PATHS: Readonly<Partial<Record<OperationName, string>>> = {
  lookupItems: '/api/v1/items/lookup',
  getItem: '/api/v1/services/{serviceId}/items/{itemId}',
  getBalance: '/api/v1/balance',
  getLedger: '/api/v1/ledger',
}

/** Scopes that the interface does not show (CHOICES.md). */
const CHOSEN_SCOPES: Readonly<Partial<Record<OperationName, Scope>>> = {
  createGiftQuote: 'orders:write',
  validateDtu: 'orders:write',
}

function whoami({ callerAddress, context, key }: Call): Answer {
  return success({
    callerAddress: context.faults.has('whoami-other-address') ? '0.0.0.0' : callerAddress,
    ...(context.variants.has('whoami-shows-allowlist') && { allowlist: key.allowlistText }),
  })
}

function rateLimits({ key, nowMs, context: { faults, variants } }: Call): Answer {
  if (variants.has('rate-limits-absent')) throw notFound('Limits are not shown.')
  const isOfDefaults =
    faults.has('rate-limits-report-defaults') ||
    faults.hasWhileBusy('busy-report-of-defaults', nowMs)
  const limits = isOfDefaults ? effectiveLimits({}, faults) : key.account.limits
  return success({ limits: reportOf(limits, faults) })
}

const HANDLERS: Readonly<Record<OperationName, Handler>> = {
  whoami,
  listServices,
  lookupItems,
  getItem,
  createGiftQuote,
  createOrder,
  getOrders,
  createCart,
  validateDtu,
  rateLimits,
  getBalance,
  getLedger,
}

function routeOf(operation: OperationName): Route {
  const facts: { method: 'GET' | 'POST'; path?: string; scope?: Scope } = OPERATIONS[operation]
  const path = facts.path ?? CHOSEN_PATHS[operation]
  if (path === undefined) throw new Error(`No path is chosen for the operation ${operation}.`)
  const scope = facts.scope ?? CHOSEN_SCOPES[operation]
  return {
    operation,
    method: facts.method,
    path,
    ...(scope !== undefined && { scope }),
    checksAllowlist: operation !== 'whoami',
    handler: HANDLERS[operation],
  }
}

export const ROUTES: readonly Route[] = (Object.keys(HANDLERS) as OperationName[]).map(routeOf)
