import { expect, test } from 'vitest'
import { createService } from './service.ts'
import { ORDERS, Peer, bench, shopOrder } from '../test/reference/kit.ts'

const SERVICES = '/api/v1/services'

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

test.each(['limit=0', 'limit=501', 'offset=-1', 'limit=1e2', 'limit=', 'type=vouchers'])(
  'a listing of %s is refused',
  async (query) => {
    expect((await bench().peer().get(`${SERVICES}?${query}`)).status).toBe(422)
  },
)

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
