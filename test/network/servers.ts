/** A forwarding proxy and a TLS front, on ports of this machine: what stands between a partner and the service. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import tls from 'node:tls'

const CERTIFICATES = path.join(import.meta.dirname, 'certificates')
/** Its certificates are for this name, which no resolver knows: only through the proxy is it reached. */
export const HOST = 'orders.partner.test'

export const certificate = (name: string): string => path.join(CERTIFICATES, `${name}.pem`)

type Opened = AsyncDisposable & { readonly port: number }

async function open(server: net.Server): Promise<Opened> {
  const sockets = new Set<net.Socket>()
  const keep = (socket: net.Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  server
    .on('connection', keep)
    .on('secureConnection', keep)
    .on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type ProxyServer = Opened & {
  readonly url: string
  /** What it was asked for: `GET http://host/path` or `CONNECT host:port`. */
  readonly asked: string[]
}

export type ProxyOptions = {
  /** Where the names lie that only the proxy knows. */
  readonly port: number
  /** `user:password` that it asks for. */
  readonly login?: string
  /** Answers every tunnel so. */
  readonly refuses?: number
}

/** Takes absolute requests and CONNECT, and leads all of them to one port of this machine. */
export async function forwardingProxy(options: ProxyOptions): Promise<ProxyServer> {
  const asked: string[] = []
  const mayPass = ({ headers }: http.IncomingMessage): boolean =>
    options.login === undefined ||
    headers['proxy-authorization'] === `Basic ${Buffer.from(options.login).toString('base64')}`
  const server = http.createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    if (!mayPass(incoming)) return void outgoing.writeHead(407).end()
    const { pathname, search } = new URL(incoming.url ?? '')
    const { method, headers } = incoming
    const to = { host: '127.0.0.1', port: options.port, path: pathname + search, method, headers }
    const request = http.request(to, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(outgoing)
    })
    request.on('error', () => outgoing.destroy())
    incoming.pipe(request)
  })
  server.on('connect', (incoming: http.IncomingMessage, socket: net.Socket) => {
    asked.push(`CONNECT ${incoming.url}`)
    const refusal = mayPass(incoming) ? options.refuses : 407
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`)
    const onward = net.connect(options.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy())
  })
  const opened = await open(server)
  return { ...opened, url: `http://127.0.0.1:${opened.port}`, asked }
}

const read = (file: string): string => readFileSync(path.join(CERTIFICATES, file), 'utf8')

/** TLS before a port of this machine. `wantsClient`: it asks for a certificate of our authority. */
export function tlsFront(
  port: number,
  { name = 'service', wantsClient = false } = {},
): Promise<Opened> {
  const settings = {
    cert: read(`${name}.pem`),
    key: read(`${name}.key.pem`),
    // Chosen where a client speaks it too; the port behind does not.
    ALPNProtocols: ['h2', 'http/1.1'],
    ...(wantsClient && { requestCert: true, ca: read('authority.pem') }),
  }
  return open(
    tls.createServer(settings, (socket) => {
      const onward = net.connect(port, '127.0.0.1')
      onward.on('error', () => socket.destroy())
      socket.on('error', () => onward.destroy()).on('close', () => onward.destroy())
      socket.pipe(onward).pipe(socket)
    }),
  )
}
