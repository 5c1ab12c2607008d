import { isIP } from 'node:net'
import { Pool, ProxyAgent, type Dispatcher } from 'undici'
import { signedBy } from '../../contract/wire.ts'
import { Allowance } from './allowance.ts'
import type { HeaderList, SendHooks, Transport, WireRequest, WireResponse } from './exchange.ts'
import { Reception } from './reception.ts'

export type UndiciTransportOptions = {
  readonly connectTimeoutMs?: number
  /** Longest wait for the response's head, and between two pieces of its body. The whole may take twice as long. */
  readonly responseTimeoutMs?: number
  /** A longer body is cut off, and the response marked truncated. */
  readonly bodyBytesMax?: number
  readonly way?: Way
  /** Named in the User-Agent of every request. */
  readonly runId?: string
}

/** How a URL's host is reached. */
export type Way = {
  /** Only addresses of this family. */
  readonly family?: 4 | 6
  /** PEM texts of a certificate that is shown, and of its key. */
  readonly certificate?: { readonly cert: string; readonly key: string }
  /** The proxy for a URL; undefined where requests go there directly. `host` is what may be shown of it. */
  proxyFor?(url: string): { readonly url: string; readonly host: string } | undefined
}

const DEFAULTS = {
  connectTimeoutMs: 10_000,
  responseTimeoutMs: 30_000,
  bodyBytesMax: 16 * 1024 * 1024,
  way: {} as Way,
}

/**
 * Longest rest of a connection that is used again, where the server does not say how long it keeps one. Shorter than servers wait
 * before they hang up: a request would meet the end of its connection, and nobody could tell whether it was served (RFC 9112, 9.3.1).
 * Where the server says so, undici stays two seconds below.
 */
const REST_MS_MAX = 100

/** Connections that may have ended while they rested: a busy machine hears of that late. */
const RESENDS_MAX = 5

/**
 * The one HTTP client: HTTP/1.1 over undici, no redirects, one request a connection at a time. Only what met the end of a resting
 * connection is sent again: no server had read it.
 */
export class UndiciTransport implements Transport {
  readonly #options: Required<Omit<UndiciTransportOptions, 'runId'>>
  readonly #runId: string | undefined
  readonly #allowance: Allowance
  readonly #pools = new Map<string, Dispatcher>()
  /** What is under way, by the signal that would end it: one listener each, however much that is. */
  readonly #underWay = new WeakMap<AbortSignal, Set<Reception>>()

  constructor(options: UndiciTransportOptions = {}) {
    const { runId, ...others } = options
    this.#options = { ...DEFAULTS, ...others }
    this.#runId = runId
    this.#allowance = new Allowance(this.#options.bodyBytesMax)
  }

  async send(request: WireRequest, hooks?: SendHooks, signal?: AbortSignal): Promise<WireResponse> {
    for (let resends = 0; ; resends++) {
      const reception = this.#carry(request, hooks, signal)
      try {
        return await (this.#options.way.proxyFor
          ? this.#told(request, reception)
          : reception.response)
      } catch (cause) {
        const isOver = resends === RESENDS_MAX || signal?.aborted === true
        if (isOver || !reception.isLostAtRest(cause)) throw cause
      }
    }
  }

  #carry(request: WireRequest, hooks?: SendHooks, signal?: AbortSignal): Reception {
    const underWay = signal && this.#underWayOf(signal)
    const answerTimeoutMs = 2 * this.#options.responseTimeoutMs
    const options = { allowance: this.#allowance, answerTimeoutMs }
    const reception = new Reception(options, hooks, underWay)
    try {
      signal?.throwIfAborted()
      this.#dispatch(request, reception)
    } catch (cause) {
      reception.abort(cause as Error)
    }
    return reception
  }

  /** Whoever reads that a connection failed looks for the fault at the target. */
  async #told({ url }: WireRequest, reception: Reception): Promise<WireResponse> {
    try {
      return await reception.response
    } catch (cause) {
      const proxy = this.#options.way.proxyFor?.(split(url).origin)
      if (proxy && cause instanceof Error) cause.message += ` (through the proxy ${proxy.host})`
      throw cause
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
    this.#pools.clear()
  }

  #dispatch({ url, localAddress, ...request }: WireRequest, reception: Reception): void {
    const { origin, path } = split(url)
    this.#pool(origin, localAddress).dispatch(
      {
        origin,
        path,
        method: request.method,
        headers: signed(request.headers, this.#runId).flat(),
        body: request.body ?? null,
      },
      reception,
    )
  }

  #underWayOf(signal: AbortSignal): Set<Reception> {
    const known = this.#underWay.get(signal)
    if (known) return known
    const underWay = new Set<Reception>()
    this.#underWay.set(signal, underWay)
    const abortAll = (): void => {
      for (const reception of underWay) reception.abort(signal.reason as Error)
    }
    signal.addEventListener('abort', abortAll, { once: true })
    return underWay
  }

  #pool(origin: string, localAddress = ''): Dispatcher {
    const key = `${localAddress} ${origin}`
    const known = this.#pools.get(key)
    if (known) return known
    const pool = this.#open(origin, localAddress)
    this.#pools.set(key, pool)
    return pool
  }

  #open(origin: string, localAddress: string): Dispatcher {
    const { connectTimeoutMs, responseTimeoutMs, way } = this.#options
    const settings = {
      allowH2: false,
      pipelining: 1,
      headersTimeout: responseTimeoutMs,
      bodyTimeout: responseTimeoutMs,
      keepAliveTimeout: REST_MS_MAX,
    } as const
    const { certificate } = way
    // An address of ours reaches no address of the other family.
    const family = localAddress === '' ? way.family : localAddress.includes(':') ? 6 : 4
    const connect = {
      timeout: connectTimeoutMs,
      ...(family === undefined ? {} : { family, autoSelectFamily: false }),
    }
    const proxy = way.proxyFor?.(origin)
    if (!proxy)
      return new Pool(origin, {
        ...settings,
        connect: { ...connect, ...certificate },
        ...(localAddress === '' ? {} : { localAddress }),
      })
    return new ProxyAgent({
      uri: proxy.url,
      ...settings,
      // Plain requests are handed to the proxy as Go does it; only TLS needs a tunnel.
      proxyTunnel: false,
      proxyTls: connect,
      requestTls: { timeout: connectTimeoutMs, ...certificate, ...serverNameOf(origin) },
      factory: (to: URL | string, opened: object) => new Pool(to, { ...opened, ...settings }),
    })
  }
}

/** An address is no server name (RFC 6066, 3). */
function serverNameOf(origin: string): { readonly servername?: string } {
  const { hostname } = new URL(origin)
  return isIP(hostname.replace(/^\[|\]$/g, '')) > 0 ? {} : { servername: hostname }
}

/** With a User-Agent that names the run, beside the name that a check chose. */
function signed(headers: HeaderList, runId: string | undefined): HeaderList {
  const index = headers.findIndex(([name]) => name.toLowerCase() === 'user-agent')
  const [name, chosen] = headers[index] ?? ['user-agent']
  const signature = [name, signedBy(runId, chosen)] as const
  return index < 0 ? [...headers, signature] : headers.with(index, signature)
}

/** Origin, and what stands on the request line. The URL is normal already, so it is not parsed again. */
function split(url: string): { readonly origin: string; readonly path: string } {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (start < 0) return { origin: url, path: '/' }
  const fragment = url.indexOf('#', start)
  return {
    origin: url.slice(0, start),
    path: url.slice(start, fragment < 0 ? undefined : fragment),
  }
}
