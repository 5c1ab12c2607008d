/** What arrives over a socket and is no proper HTTP, or no quick one. */
import { type Socket, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoKey } from './seed.ts'
import { type RunningServer, listen } from './server.ts'
import { type Service, createService } from './service.ts'
import type { Envelope } from '../test/reference/kit.ts'

/** Short, but longer than a busy machine keeps this process waiting: requests that come at once must not be told 408. */
const PATIENCE = { headersMs: 1_000, requestMs: 1_200, silenceMs: 1_500, checkMs: 50 }

let service: Service
let server: RunningServer

beforeAll(async () => {
  service = createService()
  server = await listen(service, { patience: PATIENCE })
})
afterAll(() => server.close())

function open(): Socket {
  const { port, hostname } = new URL(server.baseUrl)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  return socket
}

/** Also when it ends by an error, which is as good an end as any. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
  })
}

/** All that the server sends until it closes; or until the client leaves, where nothing says that the server will. */
async function answerTo(bytes: string, left: Promise<void> = Promise.race([])): Promise<string> {
  const socket = open()
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  socket.write(bytes)
  await Promise.race([closed(socket), left])
  socket.destroy()
  return received
}

function envelopesIn(received: string): Envelope[] {
  return received
    .split(/(?=HTTP\/1\.1 \d)/)
    .filter((answer) => answer !== '')
    .map((answer) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Envelope)
}

const KEY = `X-API-Key: ${demoKey('full')}`

async function isAlive(): Promise<boolean> {
  const request = `GET /whoami HTTP/1.1\r\nHost: x\r\n${KEY}\r\nConnection: close\r\n\r\n`
  return (await answerTo(request)).startsWith('HTTP/1.1 200')
}

describe.concurrent('a slow client', () => {
  test.each([
    ['that never ends its headers', 'GET /whoami HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    [
      'that never ends its body',
      'POST /carts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{',
    ],
    [
      'that never ends its chunks',
      'POST /carts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
    ],
  ])('%s is told 408 and let go', async (_title, bytes) => {
    const received = await answerTo(bytes)
    expect(received).toMatch(/^HTTP\/1\.1 408 /)
    expect(envelopesIn(received)).toMatchObject([{ status: 'CANCELLED', statusCode: 10 }])
  })

  test('that sends its headers byte by byte is let go all the same', async () => {
    const socket = open()
    const end = closed(socket)
    const drip = setInterval(() => socket.write('a'), 10)
    socket.write('GET /whoami HTTP/1.1\r\nX-Slow: ')
    socket.resume()
    await end
    clearInterval(drip)
  })

  test('that reads nothing of its answers is let go', async () => {
    const socket = open()
    const end = closed(socket)
    socket.pause()
    const request = `GET /api/v1/services HTTP/1.1\r\nHost: x\r\n${KEY}\r\n\r\n`
    // Who reads nothing learns of the end by writing only.
    const more = setInterval(() => socket.write(request.repeat(500)), 50)
    await end
    clearInterval(more)
    expect(await isAlive()).toBe(true)
  })

  test('that says nothing holds nobody up', async () => {
    const silent = Array.from({ length: 50 }, open)
    expect(await isAlive()).toBe(true)
    for (const socket of silent) socket.destroy()
  })
})

/** Connections that are tried side by side. */
const AT_ONCE = 150
/** An answer keeps its connection open for another request. */
const LEFT_MS = 2_000

async function expectEnvelopes(bytes: string): Promise<void> {
  const received = (await answerTo(bytes, wait(LEFT_MS))).replaceAll(
    /HTTP\/1\.1 100 .*\r\n\r\n/g,
    '',
  )
  for (const { statusCode } of envelopesIn(received))
    expect([0, 2, 3, 5, 7, 9, 10]).toContain(statusCode)
}

describe('malformed HTTP', () => {
  const post = 'POST /carts HTTP/1.1\r\nHost: x\r\n'
  test.each([
    ['a method that does not exist', 'BREW / HTTP/1.1\r\n\r\n'],
    ['a version that does not exist', 'GET / HTTP/9.9\r\n\r\n'],
    ['a negative length', `${post}Content-Length: -1\r\n\r\n`],
    ['a length that is no number', `${post}Content-Length: ten\r\n\r\n`],
    ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    [
      'a length and chunks',
      `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['chunks of no size', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['a header with a blank in its name', 'GET / HTTP/1.1\r\nA b: c\r\n\r\n'],
    ['a header with a NUL', 'GET / HTTP/1.1\r\nA: \u0000\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001'],
  ])('%s is told 400 in the envelope', async (_title, bytes) => {
    const received = await answerTo(bytes)
    expect(received).toMatch(/^HTTP\/1\.1 400 /)
    expect(envelopesIn(received)).toMatchObject([{ status: 'CANCELLED' }])
  })

  test('bytes of every kind get an envelope or a closed connection', async () => {
    const piece = fc.oneof(
      fc.constantFrom('GET ', 'POST ', '/carts', ' HTTP/1.1', '\r\n', '\r\n\r\n', '\n', ':', KEY),
      fc.constantFrom('Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n', '0\r\n\r\n'),
      fc.constantFrom('Content-Type: application/json\r\n', '{"a":1}', 'Expect: 100-continue\r\n'),
      fc.string({ unit: 'binary' }),
    )
    const bytes = fc.array(piece, { maxLength: 12 }).map((pieces) => `${pieces.join('')}\r\n\r\n`)
    const texts = fc.sample(bytes, { numRuns: 300, seed: 7 })
    for (let from = 0; from < texts.length; from += AT_ONCE)
      await Promise.all(texts.slice(from, from + AT_ONCE).map(expectEnvelopes))
    expect(await isAlive()).toBe(true)
    expect(service.stats().internalErrors).toBe(0)
  })

  test('what a request expects of the server is heard', async () => {
    const request = `GET /whoami HTTP/1.1\r\nHost: x\r\n${KEY}\r\nConnection: close\r\nexpect: `
    expect(await answerTo(`${request}100-continue\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/,
    )
    expect(await answerTo(`${request}wonders\r\n\r\n`)).toMatch(/^HTTP\/1\.1 417 /)
  })

  test('requests in one packet are answered in their order', async () => {
    const known = `GET /whoami HTTP/1.1\r\nHost: x\r\n${KEY}\r\n\r\n`
    const last = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const envelopes = envelopesIn(await answerTo(known + known + last))
    expect(envelopes.map((envelope) => envelope.statusCode)).toEqual([0, 0, 5])
  })
})
