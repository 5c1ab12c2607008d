import diagnosticsChannel from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { errors, type Dispatcher } from 'undici'
import type { Allowance } from './allowance.ts'
import { decode, type Decoded } from './decode.ts'
import type { HeaderList, SendHooks, WireResponse } from './exchange.ts'
import { isConnectionFailure } from './watchful-transport.ts'

type Controller = Dispatcher.DispatchController

const NOTHING: Decoded = { body: '', truncated: false }

/** undici starts a request and then names the socket on which it writes the head, in one go: the two belong together. */
let starting: ((socket: Socket) => void) | undefined

diagnosticsChannel.subscribe('undici:client:sendHeaders', (message) => {
  starting?.((message as { socket: Socket }).socket)
  starting = undefined
})

/** Addresses of a socket never change. */
const connections = new WeakMap<Socket, string>()

function connectionOf(socket: Socket): string {
  const known = connections.get(socket)
  if (known !== undefined) return known
  const connection = `${socket.localAddress}:${socket.localPort}`
  connections.set(socket, connection)
  return connection
}

/**
 * A server may close a connection that rests, at any time (RFC 9112, 9.3.1). One that carried requests without a pause did not rest: what
 * ends it ends the service.
 */
const REST_MS_MIN = 20

/**
 * A new connection rests too, where a busy machine writes to it late: some servers close one on which nothing comes for a second. It is
 * timed from the dispatch on, so this is longer than connections take.
 */
const REST_OF_NEW_MS_MIN = 500

/** When a connection's last answer was complete. */
const restingSinceMs = new WeakMap<Socket, number>()

/** undici tells when it has handed the body to the socket; the socket may still hold it. */
function afterFlush(socket: Socket, then: () => void): void {
  setImmediate(() => {
    if (socket.writableLength > 0 && !socket.destroyed) afterFlush(socket, then)
    else then()
  })
}

export type ReceptionOptions = {
  readonly allowance: Allowance
  /** Longest time from the request to the end of its answer: one that comes byte by byte never falls silent. */
  readonly answerTimeoutMs: number
}

/** Takes one answer in as undici hands it over: no stream, no listener, one promise. */
export class Reception implements Dispatcher.DispatchHandler {
  readonly #allowance: Allowance
  readonly #answerTimeoutMs: number
  #timer: NodeJS.Timeout | undefined
  readonly #hooks: SendHooks | undefined
  readonly #underWay: Set<Reception> | undefined
  readonly #result = Promise.withResolvers<WireResponse>()
  #isSettled = false
  #controller: Controller | undefined
  #socket: Socket | undefined
  readonly #dispatchedMs = performance.now()
  /** Whether the connection had rested when the head was written. */
  #hadRested = false
  #status = 0
  #headers: HeaderList = []
  /** Pieces of a body that came in more than one. */
  #pieces: Buffer[] = []
  #bytes = 0

  /** `underWay`: what it is taken out of when it has ended. */
  constructor(
    { allowance, answerTimeoutMs }: ReceptionOptions,
    hooks?: SendHooks,
    underWay?: Set<Reception>,
  ) {
    this.#allowance = allowance
    this.#answerTimeoutMs = answerTimeoutMs
    this.#hooks = hooks
    this.#underWay = underWay
    underWay?.add(this)
  }

  /** Rejects with undici's error, or with the reason for which it was given up. */
  get response(): Promise<WireResponse> {
    return this.#result.promise
  }

  /** Whether no answer began because the connection ended while it rested: the server did not read the request. */
  isLostAtRest(cause: unknown): boolean {
    const { code } = cause as { code?: unknown }
    const isBroken = typeof code === 'string' && isConnectionFailure(code)
    return isBroken && this.#status === 0 && this.#hadRested
  }

  /** Gives up: what was not sent is not sent any more, and the connection that carries it is closed. */
  abort(reason: Error): void {
    this.#fail(reason)
    this.#controller?.abort(reason)
  }

  /** Right before the head is written. */
  onRequestStart(controller: Controller): void {
    if (this.#isSettled) {
      controller.abort(new Error('given up before it was sent'))
      return
    }
    this.#controller = controller
    this.#timer = setTimeout(() => this.#giveUp(), this.#answerTimeoutMs)
    starting = (socket) => {
      this.#socket = socket
      const sinceMs = restingSinceMs.get(socket)
      const restedMs = performance.now() - (sinceMs ?? this.#dispatchedMs)
      this.#hadRested = restedMs >= (sinceMs === undefined ? REST_OF_NEW_MS_MIN : REST_MS_MIN)
    }
    this.#hooks?.onSent?.()
  }

  onRequestSent(): void {
    const onBodySent = this.#hooks?.onBodySent
    if (onBodySent && this.#socket) afterFlush(this.#socket, onBodySent)
  }

  onResponseStart({ rawHeaders }: Controller, status: number): void {
    // What comes before the answer is no answer (RFC 9110, 15.2).
    if (status < 200) return
    this.#status = status
    this.#headers = pairs((rawHeaders ?? []) as readonly (Buffer | string)[])
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#isSettled) return
    const taken = this.#allowance.take(this.#bytes, chunk.length)
    this.#bytes += taken
    this.#pieces.push(taken < chunk.length ? chunk.subarray(0, taken) : chunk)
    if (taken === chunk.length) return
    this.#succeed(true)
    controller.abort(new Error(`the body is longer than ${this.#bytes} bytes`))
  }

  onResponseEnd(): void {
    this.#succeed(false)
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#fail(error)
  }

  #succeed(truncated: boolean): void {
    if (this.#isSettled) return
    this.#end()
    if (this.#socket) restingSinceMs.set(this.#socket, performance.now())
    const [first, ...others] = this.#pieces
    const bytes = others.length > 0 ? Buffer.concat(this.#pieces) : first
    // What was cut off is not looked at, and need not decode.
    const decoded =
      bytes === undefined || truncated
        ? NOTHING
        : decode(bytes, this.#headers, this.#allowance.bytesMax)
    // What it was unpacked to is kept as well.
    this.#allowance.keep(Math.max(0, decoded.body.length - this.#bytes))
    this.#result.resolve({
      status: this.#status,
      headers: this.#headers,
      ...decoded,
      ...(truncated && { body: bytes?.toString('utf8') ?? '', truncated }),
      ...(this.#socket && { connection: connectionOf(this.#socket) }),
    })
  }

  #fail(error: Error): void {
    if (this.#isSettled) return
    this.#end()
    this.#result.reject(error)
  }

  #giveUp(): void {
    const seconds = this.#answerTimeoutMs / 1000
    this.abort(new errors.BodyTimeoutError(`the answer was not whole within ${seconds} s`))
  }

  #end(): void {
    this.#isSettled = true
    clearTimeout(this.#timer)
    this.#underWay?.delete(this)
  }
}

/** Most answers of a run carry the same headers: each is kept once, whatever the number of exchanges that hold it. */
const fields = new Map<string, readonly [name: string, value: string]>()
const FIELDS_MAX = 2_000

/** Raw headers come flat: name, value, name, value. */
function pairs(raw: readonly (Buffer | string)[]): HeaderList {
  const list: (readonly [string, string])[] = []
  for (let index = 0; index + 1 < raw.length; index += 2)
    list.push(fieldOf(text(raw[index]), text(raw[index + 1])))
  return list
}

function fieldOf(name: string, value: string): readonly [name: string, value: string] {
  const line = `${name}: ${value}`
  const known = fields.get(line)
  if (known) return known
  if (fields.size >= FIELDS_MAX) fields.clear()
  const field = [name, value] as const
  fields.set(line, field)
  return field
}

function text(value: Buffer | string | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '')
}
