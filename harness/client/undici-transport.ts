import diagnosticsChannel from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import type { HeaderList, SendHooks, Transport, WireRequest, WireResponse } from './exchange.ts'

export type UndiciTransportOptions = {
  readonly connectTimeoutMs?: number
  /** Longest wait for the response's head, and between two pieces of its body. */
  readonly responseTimeoutMs?: number
  /** A longer body is cut off, and the response marked truncated. */
  readonly bodyBytesMax?: number
}

const DEFAULTS = {
  connectTimeoutMs: 10_000,
  responseTimeoutMs: 30_000,
  bodyBytesMax: 4 * 1024 * 1024,
}

/** What undici's diagnostics tell about one request: when its head was written, and on which socket. */
type Sending = { hooks: SendHooks | undefined; connection?: string; socket?: Socket }

/** undici names the request object when it creates it, synchronously inside dispatch, and again when it writes its head. */
const sendings = new WeakMap<object, Sending>()
let creating: Sending | undefined

diagnosticsChannel.subscribe('undici:request:create', (message) => {
  if (creating) sendings.set((message as { request: object }).request, creating)
})

diagnosticsChannel.subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as { request: object; socket: Socket }
  const sending = sendings.get(request)
  if (!sending) return
  sending.socket = socket
  sending.connection = `${socket.localAddress}:${socket.localPort}`
  sending.hooks?.onSent?.()
})

diagnosticsChannel.subscribe('undici:request:bodySent', (message) => {
  const { hooks, socket } = sendings.get((message as { request: object }).request) ?? {}
  if (hooks?.onBodySent && socket) afterFlush(socket, hooks.onBodySent)
})

/** undici tells when it has handed the body to the socket; the socket may still hold it. */
function afterFlush(socket: Socket, then: () => void): void {
  setImmediate(() => {
    if (socket.writableLength > 0 && !socket.destroyed) afterFlush(socket, then)
    else then()
  })
}

/** The one HTTP client: HTTP/1.1 over undici, no redirects, no retries, one request a connection at a time. */
export class UndiciTransport implements Transport {
  readonly #options: Required<UndiciTransportOptions>
  readonly #agents = new Map<string, Agent>()

  constructor(options: UndiciTransportOptions = {}) {
    this.#options = { ...DEFAULTS, ...options }
  }

  async send(request: WireRequest, hooks?: SendHooks, signal?: AbortSignal): Promise<WireResponse> {
    const sending: Sending = { hooks }
    const response = await this.#dispatch(request, sending, signal)
    const { text, truncated } = await readBody(response.body, this.#options.bodyBytesMax)
    return {
      status: response.statusCode,
      headers: pairs(response.headers as unknown as Buffer[] | string[]),
      body: text,
      truncated,
      ...(sending.connection === undefined ? {} : { connection: sending.connection }),
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()))
    this.#agents.clear()
  }

  #dispatch(
    request: WireRequest,
    sending: Sending,
    signal?: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { origin, pathname, search } = new URL(request.url)
    creating = sending
    try {
      return this.#agent(request.localAddress).request({
        origin,
        path: pathname + search,
        method: request.method,
        headers: request.headers.flat(),
        responseHeaders: 'raw',
        body: request.body ?? null,
        ...(signal ? { signal } : {}),
      })
    } finally {
      creating = undefined
    }
  }

  #agent(localAddress = ''): Agent {
    const known = this.#agents.get(localAddress)
    if (known) return known
    const { connectTimeoutMs, responseTimeoutMs } = this.#options
    const agent = new Agent({
      allowH2: false,
      pipelining: 1,
      headersTimeout: responseTimeoutMs,
      bodyTimeout: responseTimeoutMs,
      connect: { timeout: connectTimeoutMs },
      ...(localAddress === '' ? {} : { localAddress }),
    })
    this.#agents.set(localAddress, agent)
    return agent
  }
}

/** Raw headers come flat: name, value, name, value. */
function pairs(raw: readonly (Buffer | string)[]): HeaderList {
  const list: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2)
    list.push([text(raw[index]), text(raw[index + 1])])
  return list
}

function text(value: Buffer | string | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '')
}

async function readBody(
  body: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<{ text: string; truncated: boolean }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytesMax) {
      chunks.push(chunk.subarray(0, chunk.length - (bytes - bytesMax)))
      return { text: Buffer.concat(chunks).toString('utf8'), truncated: true }
    }
    chunks.push(chunk)
  }
  return { text: Buffer.concat(chunks).toString('utf8'), truncated: false }
}
