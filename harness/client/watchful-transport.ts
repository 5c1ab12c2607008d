import type { Transport, WireRequest } from './exchange.ts'

/** What undici and Node say when the connection failed, not the answer. */
const CONNECTION_FAILED =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_SOCKET|UND_ERR_CONNECT_TIMEOUT)$/

/** What undici says when a connection stays open and nothing comes. */
const TIMED_OUT = /^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/

/** So many failures in a row, over so long, with no answer between them, are no mishap of single connections. */
const FAILURES_MIN = 5
const SECONDS_MIN = 1.5

/** So long without any answer, while one is waited for, the target is asked whether it is there; so long it may take to say so. */
const SILENCE_MS = 10_000
const REPLY_MS = 10_000

/** Whether a request failed because there was no connection. */
export function isConnectionFailure(code: string): boolean {
  return CONNECTION_FAILED.test(code)
}

/** Whether a request failed because nothing was answered: no connection, or one on which nothing came. */
export function isUnanswered(code: string): boolean {
  return isConnectionFailure(code) || TIMED_OUT.test(code)
}

export type Watch = {
  /** Called once, when the target has stopped answering anything. */
  readonly onLost: () => void
  /** What any target answers at once, if only by a refusal. Sent when nothing else is answered. */
  readonly question: WireRequest
  readonly silenceMs?: number
  readonly replyMs?: number
}

/** Calls back once so many sends in a row failed for want of a connection, over so long. */
class FailureCount {
  readonly #onTooMany: () => void
  #failures = 0
  #firstMs = 0

  constructor(onTooMany: () => void) {
    this.#onTooMany = onTooMany
  }

  /** Something was answered. */
  reset(): void {
    this.#failures = 0
  }

  add(cause: unknown): void {
    const { code, cause: inner } = cause as { code?: unknown; cause?: { code?: unknown } }
    const told = code ?? inner?.code
    if (typeof told !== 'string' || !isConnectionFailure(told)) return
    this.#failures += 1
    if (this.#failures === 1) this.#firstMs = performance.now()
    const seconds = (performance.now() - this.#firstMs) / 1000
    if (this.#failures >= FAILURES_MIN && seconds >= SECONDS_MIN) this.#onTooMany()
  }
}

type SilenceOptions = {
  /** Rejects when the target does not answer the question. */
  readonly ask: () => Promise<unknown>
  readonly onLost: () => void
  readonly silenceMs: number
}

/** Asks the target whether it is there, once something was waited for so long without any answer. Calls back when it is not. */
class SilenceWatch {
  readonly #options: SilenceOptions
  readonly #waiting = new Set<object>()
  readonly #timer: NodeJS.Timeout
  /** Since when nothing was answered that is waited for. */
  #sinceMs = performance.now()
  #isAsking = false

  constructor(options: SilenceOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#look(), options.silenceMs / 10)
    this.#timer.unref()
  }

  /** An answer is waited for, until what this returns is called. */
  wait(): () => void {
    const wait = {}
    if (this.#waiting.size === 0) this.#sinceMs = performance.now()
    this.#waiting.add(wait)
    return () => void this.#waiting.delete(wait)
  }

  /** Something was answered. */
  hear(): void {
    this.#sinceMs = performance.now()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const isSilent = performance.now() - this.#sinceMs >= this.#options.silenceMs
    if (this.#waiting.size > 0 && !this.#isAsking && isSilent) void this.#ask()
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    const askedMs = performance.now()
    try {
      await this.#options.ask()
    } catch {
      // It may have answered something else meanwhile.
      if (this.#sinceMs < askedMs && this.#waiting.size > 0) this.#options.onLost()
    }
    this.#isAsking = false
  }
}

/**
 * Tells when the target has stopped answering anything: what is still to be sent would be refused, or would wait without an answer, for
 * as long as its windows last.
 */
export function watchfulTransport(
  transport: Transport,
  { onLost, question, silenceMs = SILENCE_MS, replyMs = REPLY_MS }: Watch,
): Transport {
  let isLost = false
  const lose = (): void => {
    if (isLost) return
    isLost = true
    silence.stop()
    onLost()
  }
  const failures = new FailureCount(lose)
  const send: Transport['send'] = async (...args) => {
    const response = await transport.send(...args)
    failures.reset()
    silence.hear()
    return response
  }
  const ask = (): Promise<unknown> => send(question, {}, AbortSignal.timeout(replyMs))
  const silence = new SilenceWatch({ ask, onLost: lose, silenceMs })
  return {
    async send(...args) {
      const done = silence.wait()
      try {
        return await send(...args)
      } catch (cause) {
        failures.add(cause)
        throw cause
      } finally {
        done()
      }
    },
    close: () => {
      silence.stop()
      return transport.close()
    },
  }
}
