import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createRaw } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { RealClock } from '../clock.ts'
import { Client, IN_FLIGHT_MAX, type Call, type Pacer } from './client.ts'
import type { Exchange } from './exchange.ts'
import { headerValues, retryAfterSeconds } from './headers.ts'
import { History } from './history.ts'
import { UndiciTransport } from './undici-transport.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()))
})

async function serve(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const FREE: Pacer = { admit: () => Promise.resolve(), settle: () => {} }

function clientWith(options: { pacer?: Pacer; signal?: AbortSignal; bodyBytesMax?: number } = {}): {
  client: Client
  history: History
} {
  const { pacer = FREE, signal, bodyBytesMax = 1_000_000 } = options
  const transport = new UndiciTransport({ bodyBytesMax, connectTimeoutMs: 1_000 })
  cleanups.push(() => transport.close())
  const history = new History()
  return {
    client: new Client({
      transport,
      clock: new RealClock(),
      history,
      pacer,
      ...(signal ? { signal } : {}),
    }),
    history,
  }
}

function call(url: string, overrides: Partial<Call> = {}): Call {
  return {
    check: 'a.check',
    operation: 'raw',
    role: 'full',
    account: 'main',
    method: 'GET',
    url,
    headers: [],
    ...overrides,
  }
}

describe('Client', () => {
  it('rejects all that wait when its signal aborts, however many there are', async () => {
    const url = await serve(() => {})
    const stop = new AbortController()
    const { client } = clientWith({ signal: stop.signal })
    const calls = Array.from({ length: 3 * IN_FLIGHT_MAX }, () => client.call(call(url)))
    setTimeout(() => stop.abort(new Error('enough')), 50)
    const ended = await Promise.allSettled(calls)
    expect(ended.every(({ status }) => status === 'rejected')).toBe(true)
  })

  it('turns a call into an exchange with both messages, times and connection', async () => {
    const url = await serve((request, response) => {
      response.writeHead(
        429,
        [
          ['Retry-After', '7'],
          ['X-Twice', 'a'],
          ['x-twice', 'b'],
        ].flat(),
      )
      response.end(JSON.stringify({ method: request.method, key: request.headers['x-api-key'] }))
    })
    const { client, history } = clientWith()
    const exchange = await client.call(call(`${url}/path?q=1`, { headers: [['X-API-Key', 'k']] }))
    expect(exchange).toMatchObject({
      id: 'x0001',
      check: 'a.check',
      json: { method: 'GET', key: 'k' },
    })
    expect(exchange.response).toMatchObject({ status: 429, truncated: false })
    expect(exchange.response?.connection).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(headerValues(exchange, 'X-TWICE')).toEqual(['a', 'b'])
    expect(retryAfterSeconds(exchange)).toBe(7)
    expect(exchange.receivedAtMs).toBeGreaterThanOrEqual(exchange.sentAtMs)
    expect(history.all()).toEqual([exchange])
  })

  it('follows no redirect and repeats nothing', async () => {
    let requests = 0
    const url = await serve((_request, response) => {
      requests += 1
      response.writeHead(requests === 1 ? 302 : 503, { location: '/elsewhere' }).end()
    })
    const { client } = clientWith()
    expect((await client.call(call(url))).response?.status).toBe(302)
    expect((await client.call(call(url))).response?.status).toBe(503)
    expect(requests).toBe(2)
  })

  it('records a transport error as such', async () => {
    const closed = await serve(() => {})
    await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()))
    const { client } = clientWith()
    const refused = await client.call(call(closed))
    expect(refused.response).toBeUndefined()
    expect(refused.error?.code).toBe('ECONNREFUSED')
    const cut = await serve((_request, response) => response.destroy())
    expect((await client.call(call(cut))).error?.code).toMatch(/UND_ERR_SOCKET|ECONNRESET/)
  })

  it('cuts a body that is longer than it reads, and says so', async () => {
    const url = await serve((_request, response) => response.end('x'.repeat(5_000)))
    const { client } = clientWith({ bodyBytesMax: 1_234 })
    const { response } = await client.call(call(url))
    expect([response?.body.length, response?.truncated]).toEqual([1_234, true])
  })

  it('sends from the address that is asked for', async () => {
    const url = await serve((request, response) =>
      response.end(JSON.stringify(request.socket.remoteAddress)),
    )
    const { client } = clientWith()
    expect((await client.call(call(url, { localAddress: '127.0.0.9' }))).json).toBe('127.0.0.9')
  })

  it('keeps requests in flight bounded, and their times free of the wait', async () => {
    let inFlight = 0
    let most = 0
    const url = await serve((_request, response) => {
      inFlight += 1
      most = Math.max(most, inFlight)
      setTimeout(() => {
        inFlight -= 1
        response.end('{}')
      }, 5)
    })
    const { client } = clientWith()
    const exchanges = await Promise.all(Array.from({ length: 400 }, () => client.call(call(url))))
    expect(most).toBeLessThanOrEqual(128)
    expect(exchanges.every(({ response }) => response?.status === 200)).toBe(true)
    expect(new Set(exchanges.map(({ id }) => id)).size).toBe(400)
  })

  it('asks the pacer before it sends and tells it afterwards', async () => {
    const log: string[] = []
    const url = await serve((_request, response) => {
      log.push('server')
      response.end('{}')
    })
    const pacer: Pacer = {
      admit: () => Promise.resolve(void log.push('admit')),
      settle: (_call: Call, exchange: Exchange) =>
        void log.push(`settle ${exchange.response?.status}`),
    }
    await clientWith({ pacer }).client.call(call(url))
    expect(log).toEqual(['admit', 'server', 'settle 200'])
  })

  it('sends nothing more once the run is interrupted', async () => {
    let requests = 0
    const url = await serve((_request, response) => {
      requests += 1
      response.end('{}')
    })
    const stop = new AbortController()
    const { client } = clientWith({ signal: stop.signal })
    await client.call(call(url))
    stop.abort(new Error('interrupted'))
    await expect(client.call(call(url))).rejects.toThrow('interrupted')
    expect(requests).toBe(1)
  })

  it('says of a 100 Continue that nobody asked for what it is', async () => {
    const url = await serve((_, response) => {
      response.writeContinue()
      response.end('{}')
    })
    const { error } = await clientWith().client.call(call(url))
    expect(error?.message).toMatch(/100 Continue/)
  })

  it('reads past a byte order mark in front of JSON', async () => {
    const url = await serve((_, response) => void response.end('\ufeff{"a":1}'))
    const { json, response } = await clientWith().client.call(call(url))
    expect(json).toEqual({ a: 1 })
    expect(response?.body.startsWith('\ufeff')).toBe(true)
  })

  it('survives a server that talks no HTTP', async () => {
    const raw = createRaw((socket) =>
      socket
        .resume()
        .on('error', () => {})
        .end('hello\r\n\r\n'),
    )
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => new Promise((resolve) => raw.close(resolve)))
    const { port } = raw.address() as AddressInfo
    const { client } = clientWith()
    expect((await client.call(call(`http://127.0.0.1:${port}`))).error?.code).toMatch(
      /HPE_|UND_ERR|HTTPParserError/,
    )
  })
})
