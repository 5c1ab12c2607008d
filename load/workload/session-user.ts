import { md5 } from 'k6/crypto'
import exec from 'k6/execution'
import http from 'k6/http'
import { sleep } from 'k6'
import type { OpenModelFile } from '../protocol/open-model.ts'
import { SessionLines } from './session-lines.ts'
import { SessionWire } from './session-wire.ts'
import type { WireRequest } from './script-wire.ts'
import { withOwnHeaders } from './own-headers.ts'
import { isPriceBound, requirePrice } from './price-bound.ts'
import { nextMillisecond, testMs } from './requests.ts'
import type { SessionAnswer, SessionRequest, SessionIo, SessionStart } from './session-io.ts'

export type SessionUserOptions = {
  readonly plan: OpenModelFile
  readonly keys: readonly string[]
  counted(): void
  answered(request: SessionRequest, answer: SessionAnswer): void
}

/** A longer wait lets what was written be seen. */
const QUIET_MS = 100
const DIGEST_LETTERS = 10

/** One virtual user: sends the requests of its sessions, one after the other, over a connection of its own. */
export class SessionUser implements SessionIo {
  readonly lines: SessionLines
  readonly #options: SessionUserOptions
  readonly #wire: SessionWire
  /** Time 0 of the schedule, in milliseconds of the test. */
  readonly #zeroMs: number
  #session: SessionStart | undefined
  /** What the purchase of the session may cost at most; undefined before it. */
  #priceMax: number | undefined

  constructor(options: SessionUserOptions) {
    this.#options = options
    const { plan, keys } = options
    this.#wire = new SessionWire({
      plan,
      keys,
      digest: (text) => md5(text, 'hex').slice(0, DIGEST_LETTERS),
    })
    const unixMs = nextMillisecond()
    const nowMs = testMs()
    this.#zeroMs = nowMs + exec.scenario.startTime + plan.leadMs - unixMs
    this.lines = new SessionLines({ unixMs, testMs: nowMs, zeroMs: this.#zeroMs })
    this.#warm(exec.vu.idInTest % keys.length)
  }

  /** What follows belongs to this session. */
  take(session: SessionStart): void {
    this.#session = session
    this.#priceMax = undefined
  }

  nowMs(): number {
    return testMs() - this.#zeroMs
  }

  sleepUntilMs(atMs: number): void {
    const leftMs = atMs - this.nowMs()
    if (leftMs > QUIET_MS) this.lines.flush()
    if (leftMs > 0) sleep(leftMs / 1000)
  }

  random(): number {
    return Math.random()
  }

  send(request: SessionRequest): SessionAnswer {
    const session = this.#session
    if (!session) throw new Error('A request was sent outside of any session.')
    const { answer, connection } = this.#exchange(
      this.#wire.request(session, request),
      request.operation,
    )
    this.lines.exchange(session, request, answer, connection)
    if (isPriceBound()) this.#requirePrice(request, answer)
    this.#options.counted()
    this.#options.answered(request, answer)
    return answer
  }

  /** Of a purchase, and of later readings of it: a price may rise when an order ends. */
  #requirePrice({ operation }: SessionRequest, { prices, total }: SessionAnswer): void {
    if (operation === 'order' || operation === 'cart')
      this.#priceMax = this.#options.plan.pricesMax?.[operation]
    if (this.#priceMax === undefined) return
    const sum = prices.reduce((all, price) => all + Number(price), 0)
    // What is written down of it must be there when the test ends.
    this.lines.flush()
    requirePrice(Math.max(sum, Number(total ?? 0)), this.#priceMax)
  }

  /** Opens the connection. What is answered does not matter. */
  #warm(key: number): void {
    const { plan, keys } = this.#options
    const headers = { 'X-API-Key': keys[key] ?? '', Accept: 'application/json' }
    this.#exchange({ method: 'GET', url: plan.warmUrl, headers }, 'warm')
  }

  #exchange(
    { method, url, headers, body }: WireRequest,
    name: SessionRequest['operation'] | 'warm',
  ): { readonly answer: SessionAnswer; readonly connection: 'n' | 'r' } {
    const timeout = this.#options.plan.requestTimeoutSeconds * 1000
    const params = { headers: withOwnHeaders(headers), redirects: 0, timeout, tags: { name } }
    const sentMs = this.nowMs()
    const response = http.request(method, url, body ?? null, params)
    const receivedMs = this.nowMs()
    const { status, error_code: errorCode, timings } = response
    const retryAfter = status === 0 ? undefined : response.headers['Retry-After']
    const wire = {
      status,
      body: response.body,
      retryAfter,
      errorCode,
      sentMs,
      receivedMs,
      durationMs: timings.duration,
    }
    return {
      answer: this.#wire.answer(name, wire),
      connection: timings.connecting > 0 ? 'n' : 'r',
    }
  }
}
