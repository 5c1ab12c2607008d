import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer as createRaw } from 'node:net'
import { createServer } from 'node:http'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { UndiciTransport } from './undici-transport.ts'

/** In place of a piece: the server closes the connection. */
const END = ''

const cleanups: (() => unknown)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

/** A server that writes these pieces, each in a packet of its own, as the answer to every connection's first bytes. */
async function answering(...pieces: readonly (string | Buffer)[]): Promise<string> {
  const server = createRaw((socket) => {
    socket.on('error', () => {})
    socket.setNoDelay(true)
    socket.once('data', () => void write(socket, pieces))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function write(
  socket: Pick<Socket, 'end'> & { write(piece: string | Buffer, then: () => void): unknown },
  pieces: readonly (string | Buffer)[],
): Promise<void> {
  for (const piece of pieces) {
    if (piece === END) return void socket.end()
    await new Promise<void>((resolve) => socket.write(piece, resolve))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function transport(): UndiciTransport {
  const made = new UndiciTransport()
  cleanups.push(() => made.close())
  return made
}

const request = (url: string) => ({ method: 'GET', url, headers: [] })

/** A server that answers the first request of each connection, and ends the connection at the second one. */
async function endingAfterOne(): Promise<string> {
  const server = createRaw((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      socket.once('data', () => socket.destroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Ends a connection on which nothing comes for 100 ms. */
const IMPATIENT = `
  const { createServer } = require('node:net')
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.setTimeout(100, () => socket.destroy())
    socket.on('data', () => socket.end('HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n'))
  })
  server.listen(0, '127.0.0.1', () =>
    require('node:worker_threads').parentPort.postMessage(server.address().port))
`

describe('UndiciTransport', () => {
  it('sends again what met the end of a connection that rested', async () => {
    const sent = { ...request(await endingAfterOne()), method: 'POST', body: '{}' }
    const client = transport()
    const first = await client.send(sent)
    // So long a connection rests at least; where it rests longer than is allowed, a new one is opened.
    await new Promise((resolve) => setTimeout(resolve, 30))
    const second = await client.send(sent)
    expect(second.status).toBe(200)
    expect(second.connection).not.toBe(first.connection)
  })

  it('sends nothing again on a new connection that ends without an answer', async () => {
    let requests = 0
    const server = createRaw((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        requests += 1
        socket.destroy()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanups.push(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await expect(transport().send(request(url))).rejects.toThrow()
    expect(requests).toBe(1)
  })

  it('sends again what came late to a new connection, which the server had ended meanwhile', async () => {
    const impatient = new Worker(IMPATIENT, { eval: true })
    cleanups.push(() => impatient.terminate())
    const [port] = (await once(impatient, 'message')) as [number]
    const answer = transport().send(request(`http://127.0.0.1:${port}`))
    // undici opens the connection in what it has still to do now; the process is then busy, and writes to it late.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
    expect((await answer).status).toBe(200)
  })

  it('reaches no IPv4 address of a name from an address of IPv6', async () => {
    const url = await answering('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    const byName = request(url.replace('127.0.0.1', 'localhost'))
    expect((await transport().send(byName)).status).toBe(200)
    await expect(transport().send({ ...byName, localAddress: '::' })).rejects.toThrow()
  })

  it('joins a body that comes in pieces, also within one character', async () => {
    const body = Buffer.from('{"name":"Käse"}')
    const url = await answering(
      `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`,
      body.subarray(0, 11),
      body.subarray(11),
    )
    expect((await transport().send(request(url))).body).toBe('{"name":"Käse"}')
  })

  it('gives an answer up that comes byte by byte and never ends', async () => {
    const url = await answering(
      'HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n',
      ...Array.from({ length: 8000 }, () => 'a'),
    )
    const hasty = new UndiciTransport({ responseTimeoutMs: 50 })
    cleanups.push(() => hasty.close())
    await expect(hasty.send(request(url))).rejects.toThrow('the answer was not whole within 0.1 s')
  })

  it('keeps every header in its order and writing, and takes nothing of an interim answer', async () => {
    const url = await answering(
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
      'HTTP/1.1 404 Not Found\r\nX-Twice: a\r\nx-twice: b\r\nContent-Length: 0\r\n\r\n',
    )
    const { status, headers, body } = await transport().send(request(url))
    expect([status, body]).toEqual([404, ''])
    expect(headers).toEqual([
      ['X-Twice', 'a'],
      ['x-twice', 'b'],
      ['Content-Length', '0'],
    ])
  })

  it('rejects with the reason of its signal, before and after it has sent', async () => {
    const url = await answering()
    const stop = new AbortController()
    const sent = Promise.withResolvers<void>()
    const waiting = transport().send(request(url), { onSent: sent.resolve }, stop.signal)
    await sent.promise
    stop.abort(new Error('interrupted'))
    await expect(waiting).rejects.toThrow('interrupted')
    await expect(transport().send(request(url), {}, stop.signal)).rejects.toThrow('interrupted')
  })

  it('rejects what is no URL', async () => {
    await expect(transport().send(request('nowhere'))).rejects.toThrow(/URL/)
  })

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['Zstd', zstdCompressSync],
    ['identity', (text: string) => Buffer.from(text)],
  ])('reads a body of the content coding %s, which nobody asked for', async (coding, encode) => {
    const body = encode('{"name":"Käse"}')
    const url = await answering(encoded(coding, body), body)
    const response = await transport().send(request(url))
    expect([response.body, response.flaw]).toEqual(['{"name":"Käse"}', undefined])
  })

  it('undoes several content codings in the order in which they were put on', async () => {
    const body = brotliCompressSync(gzipSync('{}'))
    const url = await answering(encoded('gzip, br', body), body)
    expect((await transport().send(request(url))).body).toBe('{}')
  })

  it.each([
    ['gzip', Buffer.from('{}'), /2 bytes that do not decode as gzip/],
    ['rot13', Buffer.from('{}'), /content coding rot13, which is not known/],
    [Array(9).fill('gzip').join(','), gzipSync('{}'), /in 9 content codings: the client reads 4/],
    ['identity', Buffer.from([0x7b, 0xe9, 0x7d]), /not UTF-8/],
  ])('tells what is wrong with bytes that it cannot read: %s', async (coding, body, flaw) => {
    const url = await answering(encoded(coding, body), body)
    expect((await transport().send(request(url))).flaw).toMatch(flaw)
  })

  it('cuts off what decodes to more than it reads', async () => {
    const body = gzipSync(Buffer.alloc(100_000))
    const url = await answering(encoded('gzip', body), body)
    const small = new UndiciTransport({ bodyBytesMax: 10_000 })
    cleanups.push(() => small.close())
    expect((await small.send(request(url))).truncated).toBe(true)
  })

  it.each([
    ['HTTP/1.0, ended by the connection', 'HTTP/1.0 200 OK\r\n\r\n{}'],
    [
      'a connection that is closed after each answer',
      'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}',
    ],
  ])('reads %s', async (_, answer) => {
    const url = await answering(answer, END)
    expect((await transport().send(request(url))).body).toBe('{}')
  })

  it('reads chunks with extensions and trailers', async () => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\nTrailer: X-Sum\r\n\r\n'
    const url = await answering(head, '2;size=2\r\n{}\r\n', '0\r\nX-Sum: 1\r\n\r\n')
    expect((await transport().send(request(url))).body).toBe('{}')
  })

  it('names the run in each request, also beside a name that a check chose', async () => {
    const named: unknown[] = []
    const server = createServer((incoming, response) => {
      named.push(incoming.headers['user-agent'])
      response.end('{}')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanups.push(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const signing = new UndiciTransport({ runId: '7' })
    cleanups.push(() => signing.close())
    await signing.send(request(url))
    await signing.send({ method: 'GET', url, headers: [['User-Agent', 'other']] })
    expect(named).toEqual(['ordering-harness run/7', 'other run/7'])
  })

  it('takes a new connection after a rest, which a server may have ended meanwhile', async () => {
    const server = createServer((_, response) => void response.end('{}'))
    // It tells nobody how long it keeps a connection.
    server.keepAliveTimeout = 0
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanups.push(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const resting = new UndiciTransport()
    cleanups.push(() => resting.close())
    const first = await resting.send(request(url))
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect((await resting.send(request(url))).connection).not.toBe(first.connection)
  })
})

/** The head of an answer of that content coding. */
function encoded(coding: string, body: Buffer): string {
  return `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`
}
