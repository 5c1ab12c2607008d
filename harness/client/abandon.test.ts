import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { RealClock } from '../clock.ts'
import { Client, type Call } from './client.ts'
import type { Exchange } from './exchange.ts'
import { History } from './history.ts'
import { UndiciTransport } from './undici-transport.ts'

const BODY = JSON.stringify({ filler: 'x'.repeat(200_000) })

type Served = { readonly body: string; readonly peerLeft: Promise<unknown> }

/** Serves one abandoned call: what the server read, and when the peer left. */
async function abandonOne(
  answer: (response: ServerResponse) => void,
): Promise<{ exchange: Exchange; served: Served }> {
  const served = Promise.withResolvers<Served>()
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<Served> => {
    const peerLeft = once(response, 'close')
    const body = await readAll(request)
    answer(response)
    return { body, peerLeft }
  }
  const server = createServer((request, response) => {
    serve(request, response).then(served.resolve, served.reject)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const transport = new UndiciTransport()
  const client = new Client({
    transport,
    clock: new RealClock(),
    history: new History(),
    pacer: { admit: () => Promise.resolve(), settle: () => {} },
  })
  try {
    const exchange = await client.call(callTo((server.address() as AddressInfo).port))
    return { exchange, served: await served.promise }
  } finally {
    await transport.close()
    server.close()
    server.closeAllConnections()
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function callTo(port: number): Call {
  return {
    check: 'test',
    operation: 'raw',
    role: 'none',
    account: 'none',
    method: 'POST',
    url: `http://127.0.0.1:${port}/`,
    headers: [['content-type', 'application/json']],
    body: BODY,
    abandon: true,
  }
}

test('an abandoned call delivers its whole body, leaves, and reads no answer', async () => {
  const { exchange, served } = await abandonOne(() => {})
  expect(served.body).toBe(BODY)
  expect(exchange.error?.code).toBe('ABANDONED')
  expect(exchange.response).toBeUndefined()
  await served.peerLeft
})

test('an answer that comes all the same counts as lost', async () => {
  const { exchange } = await abandonOne((response) => response.end('{}'))
  expect(exchange.error?.code).toBe('ABANDONED')
  expect(exchange.response).toBeUndefined()
})
