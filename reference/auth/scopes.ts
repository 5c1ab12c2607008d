/** The third check of a key: whether its scopes cover the endpoint. */
import type { OperationName } from '../../contract/operations.ts'
import type { Scope } from '../../contract/wire.ts'
import type { Behaviour } from '../model/behaviour.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
import { type Refusal, refusal } from '../http/answer.ts'
import type { Route } from '../model/call.ts'
import { CODES } from '../http/status-codes.ts'
import type { ApiKey } from '../model/accounts.ts'

const FUNDS: readonly OperationName[] = ['getBalance', 'getLedger']
const LOOKUP: readonly OperationName[] = ['lookupItems', 'getItem']
const ORDER_SCOPES: readonly Scope[] = ['orders:write', 'orders:read']

/** Scopes that faults ask for beside the documented one. */
const NEEDLESS: readonly (readonly [FaultName, readonly OperationName[], Scope])[] = [
  ['services-need-orders-read', ['listServices'], 'orders:read'],
  ['lookup-needs-orders-read', LOOKUP, 'orders:read'],
  ['orders-need-funds-read', ['createOrder'], 'funds:read'],
  ['carts-need-funds-read', ['createCart'], 'funds:read'],
  ['carts-need-product-read', ['createCart'], 'product:read'],
  ['carts-need-orders-read', ['createCart'], 'orders:read'],
  ['reading-needs-orders-write', ['getOrders'], 'orders:write'],
  ['funds-need-product-read', FUNDS, 'product:read'],
]

/** Calls that faults let pass: to every key, or to keys with one of the given scopes. */
const FORGIVEN: readonly (readonly [FaultName, readonly OperationName[], (readonly Scope[])?])[] = [
  ['scope-forgotten-on-services', ['listServices']],
  ['scope-forgotten-on-lookup', LOOKUP],
  ['scope-forgotten-on-orders-write', ['createOrder']],
  ['scope-forgotten-on-funds', FUNDS],
  ['scope-write-implies-read', ['getOrders'], ['orders:write']],
  ['scope-read-implies-write', ['createOrder'], ['orders:read']],
  ['scope-product-implies-orders', ['getOrders'], ['product:read']],
  ['scope-orders-imply-product', ['listServices'], ORDER_SCOPES],
  ['scope-orders-imply-funds', FUNDS, ['orders:read']],
  ['scope-funds-reads-orders', ['getOrders'], ['funds:read']],
  ['scope-funds-writes-orders', ['createOrder'], ['funds:read']],
  ['scope-funds-checks-out', ['createCart'], ['funds:read']],
  ['scope-funds-lists', ['listServices'], ['funds:read']],
]

/** Throws the 403 of a key whose scopes do not cover the route. */
export function requireScope(
  key: ApiKey,
  { operation, scope }: Route,
  { faults, variants }: Behaviour,
): void {
  const isReport = operation === 'rateLimits' && variants.has('rate-limits-need-funds-read')
  if (isReport && !key.scopes.has('funds:read')) throw scopeMissing('funds:read', faults)
  if (scope === undefined) return
  const buysFromCatalog = operation === 'createOrder' && variants.has('orders-need-product-read')
  if (buysFromCatalog && !key.scopes.has('product:read')) throw scopeMissing('product:read', faults)
  if (key.scopes.has(scope) && !lacksNeedless(key, operation, faults)) return
  if (isForgiven(key, operation, faults)) return
  const call = `${key.id}|${operation}`
  if (faults.hasNoted('forbidden-cured-by-repeating', call)) return
  faults.note('forbidden-cured-by-repeating', call)
  throw scopeMissing(scope, faults)
}

function lacksNeedless(key: ApiKey, operation: OperationName, faults: FaultSet): boolean {
  if (faults.isEmpty) return false
  return NEEDLESS.some(
    ([name, operations, needed]) =>
      faults.has(name) && operations.includes(operation) && !key.scopes.has(needed),
  )
}

function isForgiven(key: ApiKey, operation: OperationName, faults: FaultSet): boolean {
  return FORGIVEN.some(
    ([name, operations, scopes]) =>
      faults.has(name) &&
      operations.includes(operation) &&
      (scopes === undefined || scopes.some((scope) => key.scopes.has(scope))),
  )
}

export function scopeMissing(scope: Scope, faults: FaultSet): Refusal {
  const message = `Forbidden: the scopes of this API key do not cover ${scope}.`
  const httpStatus = faults.has('scope-answers-404') ? 404 : 403
  return refusal(httpStatus, forbiddenCode(faults), message, { errorCode: 'scope_missing' })
}

export function forbiddenCode(faults: FaultSet): number {
  return faults.has('forbidden-named-code') ? CODES.apiKeyLimitExceeded : CODES.forbidden
}
