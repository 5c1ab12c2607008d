/** Looks at the way to a host, layer by layer: names, connections, proxy, certificates. Sends no request of the interface. */
import { lookup } from 'node:dns/promises'
import net from 'node:net'
import tls from 'node:tls'
import { Client, type Dispatcher } from 'undici'
import type { Way } from '../client/undici-transport.ts'

export type Failure = { readonly code: string; readonly message: string }

export type AddressProbe = {
  readonly address: string
  readonly family: 4 | 6
  readonly connectMs?: number
  readonly failure?: Failure
}

export type CertificateProbe = {
  readonly protocol?: string
  readonly subject?: string
  readonly issuer?: string
  /** From the server's own to the last that was shown. */
  readonly chain?: readonly string[]
  readonly validTo?: string
  /** Why it is not trusted. */
  readonly distrust?: string
  readonly failure?: Failure
}

export type WayProbe = {
  readonly host: string
  readonly port: number
  /** The base URL holds an address, so no name is looked up. */
  readonly isAddress: boolean
  /** The one that --ipv4 or --ipv6 asks for. */
  readonly family?: 4 | 6 | undefined
  readonly lookupFailure?: Failure
  readonly addresses: readonly AddressProbe[]
  readonly proxy?: {
    readonly host: string
    readonly connectMs?: number
    readonly failure?: Failure
  }
  readonly certificate?: CertificateProbe
}

const TIMEOUT_MS = 3_000
/** Of each family; a name with more is reached by any of them. */
const ADDRESSES_MAX = 2

export async function probeWay(baseUrl: string, way: Way): Promise<WayProbe> {
  const url = new URL(baseUrl)
  const isTls = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (isTls ? 443 : 80)
  const target = { host, port, isAddress: net.isIP(host) > 0, family: way.family }
  const proxy = way.proxyFor?.(url.origin)
  if (proxy) {
    const through = await probeProxy(proxy, `${url.hostname}:${port}`, isTls)
    const { socket, ...told } = through
    const certificate = socket && isTls ? await probeTls(host, way, { socket }) : undefined
    return { ...target, addresses: [], proxy: told, ...(certificate && { certificate }) }
  }
  const found = await addressesOf(host, way.family)
  if ('failure' in found) return { ...target, addresses: [], lookupFailure: found.failure }
  const addresses = await Promise.all(found.map((each) => probeAddress(each, port)))
  const reached = addresses.find(({ failure }) => failure === undefined)
  const certificate =
    reached && isTls ? await probeTls(host, way, { host: reached.address, port }) : undefined
  return { ...target, addresses, ...(certificate && { certificate }) }
}

type Address = Pick<AddressProbe, 'address' | 'family'>

async function addressesOf(
  host: string,
  family: 4 | 6 | undefined,
): Promise<Address[] | { readonly failure: Failure }> {
  try {
    const found = await within(lookup(host, { all: true, family: family ?? 0 }))
    const distinct = new Map(found.map((each) => [each.address, each as Address]))
    return ([4, 6] as const).flatMap((version) =>
      [...distinct.values()].filter((each) => each.family === version).slice(0, ADDRESSES_MAX),
    )
  } catch (cause) {
    return { failure: failureOf(cause) }
  }
}

async function probeAddress({ address, family }: Address, port: number): Promise<AddressProbe> {
  const startedMs = performance.now()
  const socket = net.connect({ host: address, port, timeout: TIMEOUT_MS })
  try {
    await opened(socket, 'connect')
    return { address, family, connectMs: performance.now() - startedMs }
  } catch (cause) {
    return { address, family, failure: failureOf(cause) }
  } finally {
    socket.destroy()
  }
}

const PROXY_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }
const SOCKS_PORT = 1080

/** A tunnel is asked for of a proxy that speaks HTTP alone: what SOCKS lets through shows in the first request. */
async function probeProxy(
  proxy: { readonly url: string; readonly host: string },
  target: string,
  isTls: boolean,
): Promise<NonNullable<WayProbe['proxy']> & { readonly socket?: net.Socket }> {
  const startedMs = performance.now()
  const url = new URL(proxy.url)
  try {
    if (!isTls || url.protocol === 'socks5:') {
      const port = Number(url.port) || (PROXY_PORTS[url.protocol] ?? SOCKS_PORT)
      const host = url.hostname.replace(/^\[|\]$/g, '')
      const socket = net.connect({ host, port, timeout: TIMEOUT_MS })
      await opened(socket, 'connect').finally(() => socket.destroy())
      return { host: proxy.host, connectMs: performance.now() - startedMs }
    }
    const { statusCode, socket } = await tunnel(url, target)
    const connectMs = performance.now() - startedMs
    if (statusCode === 200) return { host: proxy.host, connectMs, socket: socket as net.Socket }
    socket.on('error', () => {}).destroy()
    return { host: proxy.host, connectMs, failure: refusal(statusCode, target) }
  } catch (cause) {
    return { host: proxy.host, failure: failureOf(cause) }
  }
}

function tunnel(
  { username, password, origin }: URL,
  target: string,
): Promise<Dispatcher.ConnectData> {
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = `Basic ${Buffer.from(login).toString('base64')}`
  const headers = username === '' ? {} : { 'proxy-authorization': authorization }
  const client = new Client(origin, { connect: { timeout: TIMEOUT_MS } })
  return within(client.connect({ path: target, headers }))
}

function refusal(status: number, target: string): Failure {
  return { code: `HTTP ${status}`, message: `it refuses a tunnel to ${target}` }
}

async function probeTls(
  host: string,
  { certificate }: Way,
  to: { readonly socket: net.Socket } | { readonly host: string; readonly port: number },
): Promise<CertificateProbe> {
  // Not rejected here: why it is not trusted is what is asked for.
  const socket = tls.connect({
    ...to,
    ...certificate,
    rejectUnauthorized: false,
    timeout: TIMEOUT_MS,
    ...(net.isIP(host) > 0 ? {} : { servername: host }),
  })
  try {
    await opened(socket, 'secureConnect')
    const shown = socket.getPeerCertificate(true)
    const distrust =
      socket.authorizationError ?? tls.checkServerIdentity(host, shown)?.message.split('\n')[0]
    return {
      protocol: socket.getProtocol() ?? 'unknown',
      subject: nameOf(shown.subject),
      issuer: nameOf(shown.issuer),
      chain: chainOf(shown),
      validTo: new Date(shown.valid_to).toISOString(),
      ...(distrust ? { distrust: String(distrust) } : {}),
    }
  } catch (cause) {
    return { failure: failureOf(cause) }
  } finally {
    socket.destroy()
  }
}

function chainOf(first: tls.DetailedPeerCertificate): string[] {
  const names: string[] = []
  const seen = new Set<string>()
  for (let each = first; each?.fingerprint256 && !seen.has(each.fingerprint256);) {
    seen.add(each.fingerprint256)
    names.push(nameOf(each.subject))
    each = each.issuerCertificate
  }
  return names
}

function nameOf(name: tls.Certificate | undefined): string {
  const { CN, O: organisation } = name ?? {}
  return String(CN ?? organisation ?? 'without a name')
}

async function opened(socket: net.Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once(event, resolve).on('error', reject)
  socket.once('close', () => reject(coded('ECONNRESET', 'the connection was closed')))
  socket.once('timeout', () => reject(coded('ETIMEDOUT', `no answer within ${TIMEOUT_MS} ms`)))
  await promise
}

async function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = (): void => reject(coded('ETIMEDOUT', `no answer within ${TIMEOUT_MS} ms`))
  const timer = setTimeout(late, TIMEOUT_MS)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

function failureOf(cause: unknown): Failure {
  const { code, message } = cause as NodeJS.ErrnoException
  return { code: code ?? 'UNKNOWN', message }
}
