import { once } from 'node:events'
import { createServer as createRaw } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { UndiciTransport } from './undici-transport.ts'

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
  socket: { write(piece: string | Buffer, then: () => void): unknown },
  pieces: readonly (string | Buffer)[],
): Promise<void> {
  for (const piece of pieces) {
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

describe('UndiciTransport', () => {
  it('joins a body that comes in pieces, also within one character', async () => {
    const body = Buffer.from('{"name":"Käse"}')
    const url = await answering(
      `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`,
      body.subarray(0, 11),
      body.subarray(11),
    )
    expect((await transport().send(request(url))).body).toBe('{"name":"Käse"}')
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
})
