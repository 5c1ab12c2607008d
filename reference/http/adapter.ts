/** From sockets to `handle` and back, over node:http. Whatever a peer sends, it gets an envelope or a closed connection. */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ServiceRequest, ServiceResponse } from '../types.ts'

export type Handler = {
  handle(request: ServiceRequest): Promise<ServiceResponse>
  refuse(httpStatus: 400 | 408 | 413 | 431, message: string): ServiceResponse
}

export type Listening = { readonly baseUrl: string; close(): Promise<void> }

export type ListenOptions = {
  readonly host: string
  readonly port: number
  readonly patience?: Patience
}

/** How long a peer may take, in milliseconds. */
export type Patience = {
  /** For the headers of a request. */
  readonly headersMs: number
  /** For the whole request. */
  readonly requestMs: number
  /** Between two bytes of either direction, while anything is under way. */
  readonly silenceMs: number
  /** How often that is looked at. */
  readonly checkMs: number
}

const PATIENCE: Patience = {
  headersMs: 10_000,
  requestMs: 15_000,
  silenceMs: 60_000,
  checkMs: 1_000,
}

export const BODY_BYTES_MAX = 256 * 1024
export const HEADER_BYTES_MAX = 16 * 1024
const KEEP_ALIVE_TIMEOUT_MS = 30_000

/** Resolves once the port is open; rejects when it cannot be. */
export async function listenHttp(handler: Handler, options: ListenOptions): Promise<Listening> {
  const { patience = PATIENCE } = options
  const server = createServer({
    maxHeaderSize: HEADER_BYTES_MAX,
    requestTimeout: patience.requestMs,
    headersTimeout: patience.headersMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: patience.checkMs,
    // Node would answer a request without Host by itself, outside of the envelope.
    requireHostHeader: false,
  })
  // A peer that reads nothing of its answer is let go, with what waits for it.
  server.setTimeout(patience.silenceMs, (socket: Socket) => socket.destroy())
  server.on('request', (request, response) => void serve(handler, request, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseSocket(handler, error, socket),
  )
  await open(server, options)
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return { baseUrl: `http://${host}:${port}`, close: () => close(server) }
}

function open(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
    server.closeAllConnections()
  })
}

async function serve(
  handler: Handler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = hasBody(request) ? await readBody(request) : NO_BODY
  if (body === 'aborted') return
  if (body === 'too-large') {
    const refused = handler.refuse(413, `The body is larger than ${BODY_BYTES_MAX} bytes.`)
    send(response, { ...refused, headers: [...refused.headers, ['Connection', 'close']] })
    // The rest of the body is not read; the peer may still be writing it.
    request.unpipe()
    response.once('finish', () => request.destroy())
    return
  }
  send(response, await handler.handle(requestOf(request, response, body.bytes)))
}

function requestOf(
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array,
): ServiceRequest {
  return {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers: pairsOf(request.rawHeaders),
    body,
    remoteAddress: request.socket.remoteAddress ?? '',
    isGone: () => response.destroyed,
  }
}

function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''])
  return pairs
}

type Body = { readonly bytes: Uint8Array } | 'too-large' | 'aborted'

const NO_BODY: Body = { bytes: new Uint8Array() }

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

function readBody(request: IncomingMessage): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > BODY_BYTES_MAX) resolve('too-large')
      else chunks.push(chunk)
    })
    request.on('end', () => resolve({ bytes: joined(chunks) }))
    // Comes also when the connection ends before the body does.
    request.on('error', () => resolve('aborted'))
  })
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
}

function send(response: ServerResponse, answer: ServiceResponse): void {
  const { status, headers, body, bodyBytes = Buffer.byteLength(body) } = answer
  if (response.destroyed) return
  const flat: string[] = []
  for (const [name, value] of headers) flat.push(name, value)
  flat.push('Content-Length', String(bodyBytes))
  response.writeHead(status, flat)
  response.end(body)
}

const REFUSALS_BY_ERROR: Readonly<Record<string, readonly [408 | 431, string]>> = {
  HPE_HEADER_OVERFLOW: [431, `The headers are larger than ${HEADER_BYTES_MAX} bytes.`],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
}

/** Answers what is no HTTP request, or none in time, and closes the connection. */
function refuseSocket(handler: Handler, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = REFUSALS_BY_ERROR[error.code ?? ''] ?? [400, 'This is not HTTP.']
  const { headers, body } = handler.refuse(status, message)
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  const head = [
    `HTTP/1.1 ${status} Refused`,
    ...lines,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`)
}
