/** From sockets to `handle` and back, over node:http. Whatever a peer sends, it gets an envelope or a closed connection. */
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ServiceRequest, ServiceResponse } from '../base/types.ts'
import { pairsOf } from '../base/headers.ts'

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
  /** Between two bytes of either direction, while an answer is not taken. */
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

export const HEADER_BYTES_MAX = 16 * 1024
export const BODY_BYTES_MAX = 256 * 1024
/** Every answer tells it. */
export const KEEP_ALIVE_TIMEOUT_MS = 30_000

/** Resolves once the port is open; rejects when it cannot be. */
export async function listenHttp(handler: Handler, options: ListenOptions): Promise<Listening> {
  const { patience = PATIENCE } = options
  const serving = { handler, patience }
  const server = createServer({
    maxHeaderSize: HEADER_BYTES_MAX,
    requestTimeout: patience.requestMs,
    headersTimeout: patience.headersMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: patience.checkMs,
    // Node would answer a request without Host by itself, outside of the envelope.
    requireHostHeader: false,
  })
  server.on('request', (request, response) => void serve(serving, request, response))
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

type Serving = { readonly handler: Handler; readonly patience: Patience }

async function serve(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = hasBody(request) ? await bodyOf(request) : NO_BODY
  if (body === 'too-large') refuseBody(serving, request, response)
  else send(serving, response, await serving.handler.handle(requestOf(request, response, body)))
}

const NO_BODY = new Uint8Array()

/** Whether a request announces a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Never resolves for a request that ends too early. */
function bodyOf(request: IncomingMessage): Promise<Uint8Array | 'too-large'> {
  const chunks: Buffer[] = []
  let bytes = 0
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > BODY_BYTES_MAX) resolve('too-large')
      else chunks.push(chunk)
    })
    request.on('end', () => {
      const [first = NO_BODY] = chunks
      resolve(chunks.length > 1 ? Buffer.concat(chunks) : first)
    })
  })
}

function refuseBody(serving: Serving, request: IncomingMessage, response: ServerResponse): void {
  const refused = serving.handler.refuse(413, `The body is larger than ${BODY_BYTES_MAX} bytes.`)
  const headers = [...refused.headers, 'Connection', 'close']
  send(serving, response, { ...refused, headers })
  // The rest of the body is not read; the peer may still be writing it.
  response.once('finish', () => request.destroy())
}

function requestOf(
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array,
): ServiceRequest {
  return {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers: request.rawHeaders,
    body,
    remoteAddress: request.socket.remoteAddress ?? '',
    isGone: () => response.destroyed,
  }
}

function send({ patience }: Serving, response: ServerResponse, answer: ServiceResponse): void {
  const { status, headers, body } = answer
  if (response.destroyed) return
  response.writeHead(status, headers.concat('Content-Length', String(Buffer.byteLength(body))))
  response.end(body)
  // A peer that reads nothing of its answer is let go, with what waits for it.
  if (response.writableLength > 0) response.req.socket.setTimeout(patience.silenceMs)
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
  const lines = pairsOf(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [
    `HTTP/1.1 ${status} Refused`,
    ...lines,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`)
}
