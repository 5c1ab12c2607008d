import type { ProductAbility } from '../../contract/capabilities.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Clock } from '../clock.ts'
import type {
  Exchange,
  HeaderList,
  Transport,
  TransportError,
  WireRequest,
  WireResponse,
} from './exchange.ts'
import type { Purchase } from '../purchases/purchase.ts'
import type { History } from './history.ts'
import { readJson } from './read-json.ts'

/** One request as a check wants it sent. */
export type Call = {
  readonly check: string
  readonly operation: OperationName | 'raw'
  readonly role: Exchange['role']
  readonly account: string
  readonly keyVariable?: string | undefined
  readonly method: string
  readonly url: string
  readonly headers: HeaderList
  readonly body?: string | undefined
  readonly localAddress?: string | undefined
  /** Names the order whose unhide budget the call spends, where it does. */
  readonly order?: string
  readonly filtered?: boolean
  readonly unhide?: boolean
  /** Until when the order may not be found: it was announced by a 202 and was not seen yet. */
  readonly awaitedUntilMs?: number | undefined
  readonly checkOnly?: boolean
  readonly products?: readonly ProductAbility[] | undefined
  readonly template?: string | undefined
  readonly units?: number | undefined
  /** Sent without waiting for quota: the check means to reach the limit. */
  readonly unpaced?: boolean | undefined
  /** A purchase that may meet others of its key: the check wants to see what comes of it. */
  readonly meets?: boolean | undefined
  /** Orders that it asks for: reserved before it is sent. */
  readonly purchases?: readonly Purchase[] | undefined
  /** Finds out what a purchase cost, while no other may be made. */
  readonly confirms?: boolean | undefined
  /** Hears of the answer before anything else is sent. What it returns has to end before another purchase. */
  readonly settled?: ((exchange: Exchange) => Promise<void> | undefined) | undefined
  /** The client goes away as soon as the last byte of the request has left: its answer is lost. */
  readonly abandon?: boolean | undefined
}

/** Decides when a call may be sent, so that checks do not throttle each other. */
export interface Pacer {
  /** Undefined: at once. */
  admit(call: Call, signal?: AbortSignal): Promise<void> | undefined
  /** `confirmed`: ends when it is known what the purchase cost; undefined: at once. */
  settle(call: Call, exchange: Exchange, confirmed?: Promise<void>): void
}

/** Requests in flight at most: above it a call waits here, before its time starts. */
export const IN_FLIGHT_MAX = 128

/** Where the way is long, more are on it at once, up to so many times: what waited here too long would come too late for its check. */
const BRISK_MS = 250
const LONG_WAY_MAX = 3

/** Turns calls into exchanges. Never follows a redirect, never retries, never judges. */
export class Client {
  readonly #transport: Transport
  readonly #clock: Clock
  readonly #history: History
  readonly #pacer: Pacer
  readonly #signal: AbortSignal | undefined
  #inFlight = 0
  /** The quickest answer so far, which a service that is busy does not make slower. */
  #quickestMs = Infinity
  readonly #waiting: (() => void)[] = []

  constructor(options: {
    transport: Transport
    clock: Clock
    history: History
    pacer: Pacer
    signal?: AbortSignal
  }) {
    this.#transport = options.transport
    this.#clock = options.clock
    this.#history = options.history
    this.#pacer = options.pacer
    this.#signal = options.signal
  }

  async call(call: Call): Promise<Exchange> {
    const waiting = this.#pacer.admit(call, this.#signal)
    if (waiting) await waiting
    while (this.#inFlight >= this.#inFlightMax())
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#inFlight += 1
    try {
      // Within: whoever waits must hear about it, too.
      this.#signal?.throwIfAborted()
      const exchange = await this.#exchange(call)
      if (exchange.response)
        this.#quickestMs = Math.min(this.#quickestMs, exchange.receivedAtMs - exchange.sentAtMs)
      this.#history.add(exchange)
      this.#pacer.settle(call, exchange, call.settled?.(exchange))
      return exchange
    } finally {
      this.#inFlight -= 1
      this.#waiting.shift()?.()
    }
  }

  #inFlightMax(): number {
    const times = this.#quickestMs === Infinity ? 1 : this.#quickestMs / BRISK_MS
    return Math.floor(IN_FLIGHT_MAX * Math.min(LONG_WAY_MAX, Math.max(1, times)))
  }

  async #exchange(call: Call): Promise<Exchange> {
    const { check, operation, role, account, keyVariable, products, template, units } = call
    const request = wireRequestOf(call)
    let sentAtMs = this.#clock.nowMs()
    const sentAtWallMs = this.#clock.wallMs()
    const onSent = (): void => {
      sentAtMs = this.#clock.nowMs()
    }
    const outcome = await (call.abandon
      ? this.#abandon(request, onSent)
      : this.#transport.send(request, { onSent }, this.#signal).then(received, failed))
    // We went away ourselves: that is no answer of the target's, and nothing may be concluded from it.
    if (outcome.error) this.#signal?.throwIfAborted()
    const exchange = {
      id: this.#history.nextId(),
      check,
      operation,
      role,
      account,
      keyVariable,
      products,
      template,
      units,
      request,
      sentAtMs,
      receivedAtMs: this.#clock.nowMs(),
      sentAtWallMs,
    }
    return Object.assign(exchange, outcome)
  }

  /** Sends and goes away. An answer that comes all the same counts as lost. */
  async #abandon(request: WireRequest, onSent: () => void): Promise<Outcome> {
    const gone = new AbortController()
    const signal = this.#signal ? AbortSignal.any([this.#signal, gone.signal]) : gone.signal
    const leaving = new Promise<void>((resolve) => {
      gone.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    const sending = this.#transport
      .send(request, { onSent, onBodySent: () => gone.abort() }, signal)
      .then(received, failed)
    const outcome = await Promise.race([sending, leaving])
    return outcome === undefined || gone.signal.aborted ? { error: ABANDONED } : outcome
  }
}

/** Written out: spreading would cost more than all else here. */
function wireRequestOf({ method, url, headers, body, localAddress }: Call): WireRequest {
  if (localAddress === undefined)
    return body === undefined ? { method, url, headers } : { method, url, headers, body }
  return { method, url, headers, ...(body === undefined ? {} : { body }), localAddress }
}

type Outcome = Pick<Exchange, 'response' | 'json' | 'error'>

const ABANDONED: TransportError = {
  code: 'ABANDONED',
  message: 'the client went away after the last byte of the request, as the check wanted',
}

function received(response: WireResponse): Outcome {
  const { json, isTooMuch } = readJson(response.body)
  if (isTooMuch) return { response: { ...response, truncated: true } }
  return json === undefined ? { response } : { response, json }
}

function failed(cause: unknown): Outcome {
  const error = cause as {
    code?: unknown
    name?: string
    message?: unknown
    cause?: { code?: unknown }
  }
  const code = error.code ?? error.cause?.code
  return {
    error: {
      // undici's parser errors have a name and no code.
      code: typeof code === 'string' ? code : (error.name ?? 'UNKNOWN'),
      message: messageOf(typeof error.message === 'string' ? error.message : String(cause)),
    },
  }
}

/** What undici says of a 100 Continue that no request asked for, which it does not read past. */
function messageOf(told: string): string {
  return told === 'bad response'
    ? 'the service sent 100 Continue, which the request did not ask for and this client cannot read past'
    : told
}
