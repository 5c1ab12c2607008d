import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BODY_BYTES_MAX } from './http/adapter.ts'
import { demoKey } from './seed.ts'
import { type RunningServer, listen } from './server.ts'
import { createService } from './service.ts'
import { type Envelope, shopOrder } from '../test/reference/kit.ts'

let server: RunningServer

beforeAll(async () => {
  server = await listen(createService(), { controlPort: 0 })
})
afterAll(() => server.close())

type Sent = { readonly method?: string; readonly body?: string; readonly headers?: object }

async function send(url: string, { method = 'GET', body, headers = {} }: Sent = {}) {
  const outgoing = request(url, {
    method,
    agent: false,
    headers: { 'x-api-key': demoKey('full'), 'content-type': 'application/json', ...headers },
  })
  outgoing.on('error', () => undefined)
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const json = JSON.parse(await text(response)) as Envelope & Record<string, unknown>
  return { status: response.statusCode, headers: response.headers, json }
}

async function raw(bytes: string): Promise<string> {
  const { port, hostname } = new URL(server.baseUrl)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  return text(socket)
}

test('a purchase over a socket', async () => {
  const bought = await send(`${server.baseUrl}/api/v1/orders`, {
    method: 'POST',
    body: JSON.stringify(shopOrder('socket-1')),
  })
  expect(bought.status).toBe(200)
  expect(bought.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(bought.json.data).toMatchObject({ referenceId: 'socket-1', status: 'SUCCESS' })
  const whoami = await send(`${server.baseUrl}/whoami`)
  expect(whoami.json.data).toEqual({ callerAddress: '127.0.0.1' })
})

describe('what is no proper request gets an envelope', () => {
  test('a body that is too large', async () => {
    const refused = await send(`${server.baseUrl}/api/v1/orders`, {
      method: 'POST',
      body: ' '.repeat(BODY_BYTES_MAX + 1),
    })
    expect([refused.status, refused.json.status]).toEqual([413, 'CANCELLED'])
  })

  test('a body of the largest size is read', async () => {
    const refused = await send(`${server.baseUrl}/api/v1/orders`, {
      method: 'POST',
      body: ' '.repeat(BODY_BYTES_MAX),
    })
    expect(refused.status).toBe(422)
  })

  test.each([
    ['headers that are too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['bytes that are no HTTP', 'hello\r\n\r\n', 400],
  ])('%s', async (_title, bytes, status) => {
    const answer = await raw(bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    const [, body = ''] = answer.split('\r\n\r\n')
    expect((JSON.parse(body) as Envelope).status).toBe('CANCELLED')
  })

  test('a request without Host', async () => {
    const answer = await raw('GET /whoami HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(answer).toContain('"statusCode":3')
  })
})

test('a client that leaves in the middle of a body does no harm', async () => {
  const { port, hostname } = new URL(server.baseUrl)
  const socket = connect(Number(port), hostname)
  socket.write('POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
  await once(socket, 'connect')
  socket.destroy()
  expect((await send(`${server.baseUrl}/whoami`)).status).toBe(200)
})

function call(path: string, body: unknown): ReturnType<typeof send> {
  return send(`${server.controlBaseUrl}${path}`, { method: 'POST', body: JSON.stringify(body) })
}

describe('the control side', () => {
  test('makes accounts, tells facts, changes keys and faults', async () => {
    const created = await call('/accounts', {
      keys: { capped: { scopes: ['orders:write'], transactionLimit: '5.00' } },
    })
    expect(created.status).toBe(200)
    const { key } = (created.json['keys'] as { capped: { key: string } }).capped
    const bought = await send(`${server.baseUrl}/api/v1/orders`, {
      method: 'POST',
      body: JSON.stringify(shopOrder('a', 2)),
      headers: { 'x-api-key': key },
    })
    expect(bought.status).toBe(200)
    expect((await call('/keys/facts', { key })).json).toMatchObject({ transactionUsed: '2.00' })
    const { account } = created.json
    expect((await call('/orders', { account })).json).toMatchObject({
      orders: [{ referenceId: 'a', role: 'capped', status: 'SUCCESS', price: '2.00' }],
    })
    expect((await call('/balance', { account })).json).toEqual({ balance: '999998.00' })
    expect((await call('/shop-limit', { account, count: 0, retryAfterSeconds: 1 })).status).toBe(
      200,
    )
    await call('/keys/change', { key, status: 'revoked', transactionLimit: null })
    const facts = (await call('/keys/facts', { key })).json
    expect(facts['status']).toBe('revoked')
    expect(facts).not.toHaveProperty('transactionLimit')
    await call('/faults', { names: ['cap-answers-429'] })
    const faults = await send(`${server.controlBaseUrl}/faults`)
    expect(faults.json).toEqual({ names: ['cap-answers-429'] })
    await call('/faults', { names: [] })
    const stats = await send(`${server.controlBaseUrl}/stats`)
    expect(stats.json).toMatchObject({ internalErrors: 0 })
  })

  test.each([
    ['/accounts', {}, /keys/],
    ['/accounts', { keys: { full: { scopes: ['everything'] } } }, /scope/],
    ['/accounts', { keys: { full: { scopes: [], allowlist: ['2001:*'] } } }, /IPv6 wildcards/],
    ['/accounts', { keys: { full: { scopes: [], transactionLimit: '1,00' } } }, /decimal/],
    ['/accounts', { keys: {}, limits: { default: { count: 0, windowSeconds: 1 } } }, /count 0/],
    ['/accounts', { keys: {}, account: 'demo-main' }, /exists already/],
    ['/faults', { names: ['nothing'] }, /does not exist/],
    ['/keys/facts', { key: 'invented' }, /does not exist/],
    ['/orders', { account: 'nobody' }, /does not exist/],
  ])('%s refuses %j and says why', async (path, body, message) => {
    const refused = await call(path, body)
    expect(refused.status).toBe(400)
    expect(refused.json['error']).toMatch(message)
  })

  test('a refused specification leaves no account behind', async () => {
    const bad = { account: 'twice', keys: { full: { scopes: [], allowlist: ['nowhere'] } } }
    expect((await call('/accounts', bad)).status).toBe(400)
    expect((await call('/accounts', { account: 'twice', keys: {} })).status).toBe(200)
  })

  test('takes no plain form, and knows no other path', async () => {
    const form = { 'content-type': 'text/plain' }
    const refused = await send(`${server.controlBaseUrl}/faults`, {
      method: 'POST',
      body: '{"names":[]}',
      headers: form,
    })
    expect(refused.status).toBe(415)
    expect((await send(`${server.controlBaseUrl}/whoami`)).status).toBe(404)
  })
})

describe('the control side refuses', () => {
  const listFaults = '/faults'

  test.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    '192.0.2.1',
    'localhost.evil',
  ])('a call under the name %j, which no caller on this machine has', async (host) => {
    const refused = await send(`${server.controlBaseUrl}${listFaults}`, { headers: { host } })
    expect([refused.status, refused.json['error']]).toEqual([403, expect.stringContaining('Host')])
  })

  test.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '127.1.2.3:80', '[::1]', '[::1]:8081'])(
    'no call under the name %j',
    async (host) => {
      const { status } = await send(`${server.controlBaseUrl}${listFaults}`, { headers: { host } })
      expect(status).toBe(200)
    },
  )

  test.each([
    ['application/jsonx', 415],
    ['application/json-patch+json', 415],
    ['text/plain; x=application/json', 415],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
  ])('%s: %i', async (type, status) => {
    const answer = await send(`${server.controlBaseUrl}/faults`, {
      method: 'POST',
      body: '{"names":[]}',
      headers: { 'content-type': type },
    })
    expect(answer.status).toBe(status)
  })

  test.each(['constructor', 'toString', '__proto__'])('no role named %s', async (role) => {
    const answer = await call('/accounts', JSON.parse(`{"keys":{"${role}":{"scopes":[]}}}`))
    expect(answer.status).toBe(200)
    const keys = answer.json['keys'] as Record<string, { key: string }>
    expect(Object.hasOwn(keys, role) && keys[role]?.key).toMatch(/^ref_/)
  })

  test('whoever has not the token that is asked for', async () => {
    const guarded = await listen(createService(), {
      controlPort: 0,
      controlToken: 'token-0123456789',
    })
    try {
      const ask = (headers: object): Promise<number | undefined> =>
        send(`${guarded.controlBaseUrl}/faults`, { headers }).then(({ status }) => status)
      expect(await ask({})).toBe(401)
      expect(await ask({ authorization: 'Bearer token-0123456780' })).toBe(401)
      expect(await ask({ authorization: 'Bearer token-0123456789', host: 'any.example' })).toBe(200)
    } finally {
      await guarded.close()
    }
  })

  test('to listen beyond this machine without a token', async () => {
    const open = listen(createService(), { controlPort: 0, controlHost: '0.0.0.0' })
    await expect(open).rejects.toThrow(/0\.0\.0\.0 without a token/)
  })
})

test('a port that is taken rejects, and leaves nothing open', async () => {
  const port = Number(new URL(server.baseUrl).port)
  await expect(listen(createService(), { port })).rejects.toThrow(/EADDRINUSE/)
  const controlPort = Number(new URL(server.controlBaseUrl ?? '').port)
  await expect(listen(createService(), { controlPort })).rejects.toThrow(/EADDRINUSE/)
})
