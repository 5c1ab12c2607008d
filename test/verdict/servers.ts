/** Servers that a run is pointed at: the reference service behind a front that can lie, drop and count, and things that are none. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { demoEnvironment } from '../../reference/seed.ts'
import { listen } from '../../reference/server.ts'
import { createService, type ServiceOptions } from '../../reference/service.ts'
import { targetFile } from '../../reference/target.ts'

export type Answer = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

export type Passing = {
  readonly method: string
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

/** What a front does with a request: pass it on, answer in its place, or pass it on and lose or change the answer. */
export type Front = (request: Passing) => Decision | Promise<Decision>

type Decision = 'pass' | 'lose' | Partial<Answer> | { readonly change: (answer: Answer) => Answer }

export type FrontedService = AsyncDisposable & {
  readonly port: number
  readonly baseUrl: string
  readonly seen: { readonly request: Passing; readonly answer?: Answer }[]
}

/** The reference service with the demo keys, behind a front. */
export async function frontedService(
  front: Front = () => 'pass',
  options: ServiceOptions = {},
): Promise<FrontedService> {
  const behind = await listen(createService(options))
  const front_ = await frontOf(behind.baseUrl, front)
  return {
    ...front_,
    async [Symbol.asyncDispose]() {
      await front_[Symbol.asyncDispose]()
      await behind.close()
    },
  }
}

/** Passes requests on to another server on this machine and keeps them. */
export async function frontOf(
  origin: string,
  front: Front = () => 'pass',
): Promise<FrontedService> {
  const seen: { request: Passing; answer?: Answer }[] = []
  const server = http.createServer((incoming, outgoing) => {
    void passOn(origin, front, incoming, outgoing, seen).catch(() => outgoing.destroy())
  })
  const opened = await open(server)
  return { ...opened, seen }
}

async function passOn(
  origin: string,
  front: Front,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
  seen: { request: Passing; answer?: Answer }[],
): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming
  const body = (await buffer(incoming)).toString()
  const entry: { request: Passing; answer?: Answer } = { request: { method, url, headers, body } }
  seen.push(entry)
  const decision = await front(entry.request)
  if (typeof decision === 'object' && !('change' in decision)) {
    outgoing.writeHead(decision.status ?? 200, decision.headers ?? {})
    outgoing.end(decision.body ?? '')
    return
  }
  entry.answer = await exchange(`${origin}${url}`, { method, headers, body })
  if (decision === 'lose') {
    outgoing.destroy()
    return
  }
  if (typeof decision === 'object') {
    const changed = decision.change(entry.answer)
    const { 'content-length': _, ...headers } = changed.headers
    entry.answer = { ...changed, headers }
  }
  outgoing.writeHead(entry.answer.status, entry.answer.headers)
  outgoing.end(entry.answer.body)
}

async function exchange(
  url: string,
  { method, headers, body }: Omit<Passing, 'url'>,
): Promise<Answer> {
  const request = http.request(url, { method, headers }).end(body)
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const text = (await buffer(response)).toString()
  return { status: response.statusCode ?? 0, headers: response.headers, body: text }
}

type Opened = AsyncDisposable & { readonly port: number; readonly baseUrl: string }

async function open(server: net.Server): Promise<Opened> {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers every request in the same way. */
export function answering(handler: http.RequestListener): Promise<Opened> {
  return open(http.createServer(handler))
}

/** Talks, but no HTTP. */
export function talking(onConnection: (socket: net.Socket) => void): Promise<Opened> {
  return open(net.createServer(onConnection))
}

/** A port that nobody listens on, nor can: it is the near end of a connection of this process, which stays open. */
export async function closedPort(): Promise<number> {
  const server = net.createServer((socket) => socket.unref()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  server.unref()
  return socket.unref().localPort as number
}

export type TargetOnDisk = AsyncDisposable & {
  readonly file: string
  readonly env: Readonly<Record<string, string>>
}

/** A target file for the demo service at `baseUrl`, changed by `change`. */
export async function targetOnDisk(
  baseUrl: string,
  change: (file: Record<string, unknown>) => unknown = (file) => file,
): Promise<TargetOnDisk> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'verdict-target-'))
  const file = path.join(folder, 'demo.target.json')
  const content = change(targetFile(baseUrl) as Record<string, unknown>)
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return {
    file,
    env: demoEnvironment(),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A production target on disk, at an address that leads to this machine and is not recognised as such. */
export function productionTarget(
  { port }: Pick<FrontedService, 'port'>,
  change: (file: Record<string, unknown>) => object = (file) => file,
): Promise<TargetOnDisk> {
  return targetOnDisk(`http://0.0.0.0:${port}`, (file) => ({
    ...change(file),
    environment: 'production',
  }))
}

/** What the service debited for each order, in cents. A replay debits nothing. */
export function debitedBy({ seen }: Pick<FrontedService, 'seen'>): ReadonlyMap<string, number> {
  const cents = new Map<string, number>()
  for (const { request, answer } of seen) {
    if (request.method !== 'POST' || (answer?.status !== 200 && answer?.status !== 202)) continue
    const { data } = JSON.parse(answer.body) as { data?: { orderId?: string; price?: number } }
    if (data?.orderId === undefined) continue
    const price = Math.round(100 * (data.price ?? 0))
    cents.set(data.orderId, Math.max(cents.get(data.orderId) ?? 0, price))
  }
  return cents
}

/** An answer whose prices and totals are so many times as high. */
export function dearer(answer: Answer, factor: number): Answer {
  const body = answer.body.replaceAll(
    /"(price|totalPrice)":([0-9.]+)/g,
    (_, name: string, price: string) => `"${name}":${factor * Number(price)}`,
  )
  return { ...answer, body }
}
