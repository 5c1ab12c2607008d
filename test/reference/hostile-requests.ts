/** Generated requests that nobody sane would send, and many that are almost right. */
import fc from 'fast-check'
import { ORDERS } from './kit.ts'

export type HostileRequest = {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | Uint8Array
  readonly remoteAddress: string
}

const path = fc.oneof(
  { weight: 3, arbitrary: fc.constant(ORDERS) },
  fc.constantFrom('/carts', '/dtu/validation', '/api/v1/items/lookup'),
  fc.constantFrom('/api/v1/services', '/whoami', '/rate-limits', '/api/v1/balance'),
  fc.constantFrom('/api/v1/platform-gifts/quotes', '/api/v1/services/svc-arcade/items/%E0%A4%A'),
  fc.constantFrom('', '//', '/..%2f..%2f', '/api/v1/orders/', '*', 'http://elsewhere.example/'),
  fc.string({ unit: 'binary' }).map((text) => `/${text}`),
)

const parameter = fc.tuple(
  fc.constantFrom('limit', 'offset', 'type', 'search', 'orderId', 'referenceId', 'unhide'),
  fc.oneof(
    fc.constantFrom('true', 'false', 'TRUE', '1e9', '-1', '%', '%00', '9'.repeat(400), '__proto__'),
    fc.string(),
  ),
)

const query = fc.oneof(
  fc.constant(''),
  fc.string().map((text) => `?${text}`),
  fc
    .array(parameter, { maxLength: 4 })
    .map((all) => `?${all.map(([name, value]) => `${name}=${value}`).join('&')}`),
)

const FIELDS = [
  'ordersType',
  'referenceId',
  'serviceId',
  'itemId',
  'quantity',
  'amount',
  'topUp',
  'checkOnly',
  'gifts',
  'quoteToken',
  'positions',
  'items',
  'isLongOrder',
  'editionId',
  'recipientRegion',
  '__proto__',
  'constructor',
  'toString',
  '',
]

const TEMPTING = [
  'shop',
  'dtu',
  'esim',
  'platform-gift',
  'svc-arcade',
  'arcade-1',
  'svc-crystals',
  'a.b',
  0,
  1,
  -1,
  0.1,
  1e308,
  Number.MAX_SAFE_INTEGER,
  true,
  false,
  null,
  '',
  '\u0000',
  '\uD800',
]

const value = fc.oneof(
  fc.constantFrom(...TEMPTING),
  fc.anything({ maxDepth: 2 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Orders that were right before one field was changed. */
const VALID = [
  { ordersType: 'shop', serviceId: 'svc-arcade', itemId: 'arcade-1', quantity: 1 },
  {
    ordersType: 'shop',
    serviceId: 'svc-bulk',
    itemId: 'bulk-card',
    quantity: 5,
    isLongOrder: true,
  },
  { ordersType: 'esim', serviceId: 'svc-esim-europe', itemId: 'esim-europe-1gb' },
  {
    ordersType: 'dtu',
    serviceId: 'svc-mobile',
    itemId: 'mobile-open',
    amount: 5,
    topUp: { account: 'player-1' },
  },
  { items: [{ serviceId: 'svc-arcade', itemId: 'arcade-1' }] },
  { positions: [{ ordersType: 'shop', serviceId: 'svc-arcade', itemId: 'arcade-1' }] },
  { editionId: 'edition-lantern', recipientRegion: 'EU' },
]

const reference = fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.uuid())

const almost = fc
  .tuple(fc.constantFrom(...VALID), reference, fc.constantFrom(...FIELDS), value)
  .map(([valid, referenceId, field, changed]) => ({ ...valid, referenceId, [field]: changed }))

const right = fc
  .tuple(fc.constantFrom(...VALID), reference)
  .map(([valid, referenceId]) => ({ ...valid, referenceId }))

/** JSON has no undefined, and some values refuse to be written at all. */
function textOf(body: unknown): string {
  try {
    return JSON.stringify(body) ?? ''
  } catch {
    return '{'
  }
}

const body = fc.oneof(
  { weight: 4, arbitrary: right.map(textOf) },
  { weight: 4, arbitrary: almost.map(textOf) },
  fc.dictionary(fc.constantFrom(...FIELDS), value).map(textOf),
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.uint8Array(),
  fc.constantFrom('['.repeat(50_000), '{"a":'.repeat(20_000), '\uFEFF{}', '"', 'null', '1e999'),
)

const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  fc.constantFrom('application/json;', 'APPLICATION/JSON ; charset=x', 'text/html', '', '\u0000'),
)

const address = fc.oneof(
  fc.constantFrom('127.0.0.1', '::1', '::ffff:10.0.0.1', '', '999.1.1.1', 'fe80::1%eth0'),
  fc.string(),
)

/** Requests of which most carry the given key. */
export function hostileRequests(key: string): fc.Arbitrary<HostileRequest> {
  const keys = fc.oneof(
    { weight: 9, arbitrary: fc.constant([['X-API-Key', key] as const]) },
    fc.string().map((text) => [['X-API-Key', text] as const]),
    fc.constant([]),
    fc.constant([['x-api-key', key] as const, ['X-Api-Key', key] as const]),
  )
  const more = fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 3 })
  const headers = fc
    .tuple(keys, contentType, more)
    .map(([own, type, others]) => [...own, ['Content-Type', type] as const, ...others])
  return fc.record({
    method: fc.constantFrom(
      'GET',
      'POST',
      'POST',
      'POST',
      'POST',
      'PUT',
      'DELETE',
      'TRACE',
      '',
      'get',
    ),
    url: fc.tuple(path, query).map((parts) => parts.join('')),
    headers,
    body,
    remoteAddress: address,
  })
}
