import { describe, expect, test } from 'vitest'
import type { KeySpec } from './model/accounts.ts'
import { createService } from './service.ts'
import { ORDERS, Peer, type Reply, bench, shopOrder } from '../test/reference/kit.ts'

const SERVICES = '/api/v1/services'

/** What a key can break, in the order in which it is decided, and the answer that is bound to it. */
const VIOLATIONS = {
  revoked: { spec: { status: 'revoked' }, answer: [401, 'api_key_revoked'] },
  scope: { spec: { scopes: [] }, answer: [403, 'scope_missing'] },
  allowlist: { spec: { allowlist: ['203.0.113.7'] }, answer: [403, 'caller_not_in_allowlist'] },
  window: { spec: {}, answer: [429, 'limit_reached'] },
} as const satisfies Record<string, { spec: Partial<KeySpec>; answer: [number, string] }>
type Violation = keyof typeof VIOLATIONS
const ORDER = Object.keys(VIOLATIONS) as Violation[]

async function replyTo(violations: readonly Violation[]): Promise<Reply> {
  const { peers } = bench({ limits: { default: { count: 1, windowSeconds: 60 } } })
  const spec = Object.assign({}, ...violations.map((name) => VIOLATIONS[name].spec)) as KeySpec
  const { good, bad } = peers({ good: {}, bad: spec })
  if (violations.includes('window')) await good.get(SERVICES)
  return bad.get(SERVICES)
}

describe('the checks of a key run in the documented order', () => {
  test('a key that violates nothing passes', async () => {
    expect((await replyTo([])).status).toBe(200)
  })

  const combinations = Array.from({ length: 15 }, (_, index) =>
    ORDER.filter((_violation, bit) => (index + 1) & (1 << bit)),
  )
  test.each(combinations.map((violations) => [violations.join(' and '), violations] as const))(
    '%s: the first decides',
    async (_title, violations) => {
      const { status, body } = await replyTo(violations)
      const [first] = violations
      expect([status, body.errorCode]).toEqual(first && VIOLATIONS[first].answer)
    },
  )

  test('a key that does not exist, is missing or comes twice is refused alike everywhere', async () => {
    const { service, peer } = bench()
    const invented = new Peer(service, 'invented')
    for (const url of [SERVICES, ORDERS, '/whoami', '/rate-limits'])
      expect((await invented.get(url)).status).toBe(401)
    expect((await new Peer(service, '').get(SERVICES)).status).toBe(401)
    const { key } = peer()
    const twice = await new Peer(service, key).get(SERVICES, { headers: [['x-api-key', key]] })
    expect(twice.status).toBe(401)
  })

  test('refusals before the window count nothing', async () => {
    const { peers } = bench({ limits: { default: { count: 1, windowSeconds: 60 } } })
    const { good, unscoped } = peers({ good: {}, unscoped: { scopes: [] } })
    for (let sent = 0; sent < 5; sent++) await unscoped.get(SERVICES)
    expect((await good.get(SERVICES)).status).toBe(200)
  })
})

test('whoami answers callers outside the allowlist, with the address that the 403 names', async () => {
  const caller = bench().peer({ allowlist: ['10.0.0.1'] })
  const from = {
    remoteAddress: '::ffff:192.0.2.44',
    headers: [['X-Forwarded-For', '10.0.0.1']] as const,
  }
  expect((await caller.get('/whoami', from)).body.data).toEqual({ callerAddress: '192.0.2.44' })
  const refused = await caller.get(SERVICES, from)
  expect(refused.body.statusMessage).toBe(
    "Forbidden: caller IP 192.0.2.44 is not in this API key's allowlist",
  )
})

test.each([
  ['GET', '/nowhere', 404],
  ['GET', `${SERVICES}/`, 404],
  ['GET', '/api/v1/whoami', 404],
  ['PUT', ORDERS, 405],
  ['HEAD', SERVICES, 405],
  ['GET', '/carts', 405],
  ['GET', `${SERVICES}/%ff/items/x`, 404],
] as const)('%s %s is answered by an envelope with %i', async (method, url, status) => {
  const reply = await bench().peer().send(method, url, '')
  expect([reply.status, reply.body.status]).toEqual([status, 'CANCELLED'])
  expect(reply.body.traceId).toMatch(/^[\da-f]{32}$/)
  if (status === 405) expect(reply.headers['allow']).toBeTruthy()
})

describe('the services listing', () => {
  test('paging by limit shows what the complete listing has', async () => {
    const caller = bench().peer()
    const complete = (await caller.get(SERVICES)).body.data
    expect(Object.keys(complete ?? {})).toEqual(['services'])
    const paged: unknown[] = []
    for (let offset = 0; ; offset += 4) {
      const { data } = (await caller.get(`${SERVICES}?limit=4&offset=${offset}`)).body
      paged.push(...(data?.['services'] as unknown[]))
      if (offset + 4 >= Number(data?.['total'])) break
    }
    expect(paged).toEqual(complete?.['services'])
  })

  test('search ignores case beyond ASCII, and filters combine', async () => {
    const caller = bench().peer()
    const found = await caller.get(`${SERVICES}?search=${encodeURIComponent('étoile')}&offset=0`)
    expect(found.body.data).toMatchObject({ total: 1, services: [{ name: 'ÉTOILE Music Card' }] })
    const none = await caller.get(`${SERVICES}?search=arcade&type=esim&limit=5`)
    expect(none.body.data).toMatchObject({ total: 0, services: [] })
  })

  test.each(['limit=0', 'limit=501', 'offset=-1', 'limit=1e2', 'limit=', 'type=vouchers'])(
    '%s is refused',
    async (query) => {
      expect((await bench().peer().get(`${SERVICES}?${query}`)).status).toBe(422)
    },
  )
})

test('rate limits are reported as they are enforced, for each account', async () => {
  const { peer } = bench({ limits: { 'orders.unhide.pending': { count: 12, windowSeconds: 90 } } })
  const own = peer({}, { limits: { 'orders.unhide.completed': { count: 2, windowSeconds: 60 } } })
  expect((await own.get('/rate-limits')).body.data?.['limits']).toContainEqual({
    bucket: 'GET /orders (unhide admission)',
    count: 14,
    windowSeconds: 30,
    source: 'rule',
  })
})

test('an internal error becomes an envelope, is counted and is told', async () => {
  const told: unknown[] = []
  const service = createService({
    demoAccounts: false,
    clock: {
      nowMs: () => 0,
      wallMs: () => Number.NaN,
      sleep: () => Promise.reject(new Error('no time')),
    },
    onInternalError: (error) => told.push(error),
  })
  const { keys } = service.control.createAccount({ keys: { full: { scopes: ['orders:write'] } } })
  const reply = await new Peer(service, keys['full']?.key ?? '').post(ORDERS, shopOrder('a'))
  expect([reply.status, reply.body.errorCode]).toEqual([500, 'internal'])
  expect(service.stats().internalErrors).toBe(1)
  expect(told).toEqual([new Error('no time')])
})
