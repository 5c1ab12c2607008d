/** Two variants that speak of everything not shown in other words: requests are translated on arrival, answers on their way out. */
import type { OperationName } from '../../contract/operations.ts'
import { type JsonObject, isJsonObject, peekJson } from '../http/body.ts'
import type { Answer } from '../http/answer.ts'
import type { ServiceRequest } from '../base/types.ts'
import type { VariantSet } from '../base/variants.ts'

/** Paths that the interface writes without the version, with it. */
export const PREFIXED = {
  whoami: '/api/v1/whoami',
  createCart: '/api/v1/carts',
  validateDtu: '/api/v1/dtu/validation',
  rateLimits: '/api/v1/rate-limits',
} as const

/** Paths that the interface does not show, in other words. */
export const FOREIGN_PATHS = {
  lookupItems: '/api/v1/catalog/query',
  getItem: '/api/v1/catalog/{serviceId}/{itemId}',
  getBalance: '/api/v1/money',
  getLedger: '/api/v1/money/movements',
} as const

const PREFIXED_PATHS: readonly string[] = Object.values(PREFIXED)

/** A request as this service understands it. */
export function understand(variants: VariantSet, request: ServiceRequest): ServiceRequest {
  if (variants.size === 0) return request
  const isStranger = variants.has('stranger')
  if (!isStranger && !variants.has('prefix-everywhere')) return request
  const mark = request.url.indexOf('?')
  const path = mark < 0 ? request.url : request.url.slice(0, mark)
  const query = mark < 0 ? '' : request.url.slice(mark)
  const ownPath = isStranger ? fromForeign(path) : fromPrefixed(path)
  const url = ownPath + query
  return isStranger
    ? { ...request, url, body: bodyFrom(ownPath, request.body) }
    : { ...request, url }
}

function fromPrefixed(path: string): string {
  if (PREFIXED_PATHS.includes(path)) return path.slice('/api/v1'.length)
  return PREFIXED_PATHS.includes(`/api/v1${path}`) ? '/nowhere' : path
}

const FIXED: Readonly<Record<string, string>> = {
  [FOREIGN_PATHS.lookupItems]: '/api/v1/items/lookup',
  [FOREIGN_PATHS.getBalance]: '/api/v1/balance',
  [FOREIGN_PATHS.getLedger]: '/api/v1/ledger',
}

function fromForeign(path: string): string {
  const fixed = FIXED[path]
  if (fixed !== undefined) return fixed
  const single = /^\/api\/v1\/catalog\/([^/]+)\/([^/]+)$/.exec(path)
  if (single !== null) return `/api/v1/services/${single[1]}/items/${single[2]}`
  return Object.values(FIXED).includes(path) ? '/nowhere' : path
}

const BODIES: Readonly<Record<string, (body: JsonObject) => JsonObject>> = {
  '/api/v1/items/lookup': ({ wanted, ...body }) => ({ ...body, items: entries(wanted, placed) }),
  '/api/v1/orders': placed,
  '/dtu/validation': placed,
  '/carts': ({ lines, ...body }) => ({ ...body, positions: entries(lines, placed) }),
}

function entries(value: unknown, change: (entry: JsonObject) => JsonObject): unknown {
  if (!Array.isArray(value)) return value
  return value.map((entry: unknown) => (isJsonObject(entry) ? change(entry) : entry))
}

/** `product` and `player` in place of the fields of this service. */
function placed({ product, player, presents, ...body }: JsonObject): JsonObject {
  return {
    ...body,
    ...(isJsonObject(product) && { serviceId: product['line'], itemId: product['code'] }),
    ...(player !== undefined && { topUp: { account: player } }),
    ...(presents !== undefined && { gifts: presents }),
  }
}

function bodyFrom(path: string, body: string | Uint8Array): string | Uint8Array {
  const change = BODIES[path]
  const json = change && peekJson(body)
  return change === undefined || json === undefined ? body : JSON.stringify(change(json))
}

/** An answer in the words of the variants. */
export function translated(variants: VariantSet, operation: OperationName, answer: Answer): Answer {
  const change = variants.has('stranger') ? DATA[operation] : undefined
  const { data } = answer
  return change === undefined || data === undefined
    ? answer
    : { ...answer, data: change(data as JsonObject) }
}

const DATA: Readonly<Partial<Record<OperationName, (data: JsonObject) => JsonObject>>> = {
  whoami: ({ callerAddress }) => ({ caller: { ip: callerAddress } }),
  listServices: ({ services, ...data }) => ({
    ...data,
    catalog: entries(services, foreignService),
  }),
  getOrders: ({ page }) => ({ page: foreignPage(page as JsonObject) }),
  rateLimits: ({ limits }) => ({ rules: entries(limits, foreignLimit) }),
  getBalance: ({ balance, currency }) => ({ money: { amount: balance, currency } }),
  getLedger: ({ entries: list }) => ({ movements: list }),
  validateDtu: ({ valid }) => ({ outcome: { accepted: valid } }),
}

function foreignService({ id, name, items, ...service }: JsonObject): JsonObject {
  return { ...service, key: id, title: name, offers: items }
}

function foreignPage({ items, ...page }: JsonObject): JsonObject {
  return { ...page, items: entries(items, foreignOrder) }
}

function foreignOrder(order: JsonObject): JsonObject {
  const { orderId, referenceId, price, result, status, createdAt } = order
  return {
    number: orderId,
    reference: referenceId,
    cost: { value: price },
    ...(result !== undefined && { delivered: result }),
    status,
    createdAt,
  }
}

function foreignLimit({ bucket, count, windowSeconds, source }: JsonObject): JsonObject {
  return { name: bucket, budget: { requests: count, seconds: windowSeconds }, origin: source }
}
