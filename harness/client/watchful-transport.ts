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

/**
 * Tells when the target has stopped answering anything: what is still to be sent would be refused, or would wait without an answer, for
 * as long as its windows last.
 */
export function watchfulTransport(
  transport: Transport,
  { onLost, question, silenceMs = SILENCE_MS, replyMs = REPLY_MS }: Watch,
): Transport {
  let failures = 0
  let firstFailureMs = 0
  let isLost = false
  const waiting = new Set<object>()
  /** Since when nothing was answered that is waited for. */
  let silentSinceMs = performance.now()
  let isAsking = false

  const lose = (): void => {
    if (isLost) return
    isLost = true
    clearInterval(timer)
    onLost()
  }
  const hear = (): void => {
    failures = 0
    silentSinceMs = performance.now()
  }
  const count = (cause: unknown): void => {
    const { code, cause: inner } = cause as { code?: unknown; cause?: { code?: unknown } }
    const told = code ?? inner?.code
    if (typeof told !== 'string' || !isConnectionFailure(told)) return
    failures += 1
    if (failures === 1) firstFailureMs = performance.now()
    const seconds = (performance.now() - firstFailureMs) / 1000
    if (failures >= FAILURES_MIN && seconds >= SECONDS_MIN) lose()
  }
  const ask = async (): Promise<void> => {
    isAsking = true
    const askedMs = performance.now()
    try {
      await transport.send(question, {}, AbortSignal.timeout(replyMs))
      hear()
    } catch {
      // It may have answered something else meanwhile.
      if (silentSinceMs < askedMs && waiting.size > 0) lose()
    }
    isAsking = false
  }
  const timer = setInterval(() => {
    if (waiting.size === 0 || isAsking || performance.now() - silentSinceMs < silenceMs) return
    void ask()
  }, silenceMs / 10)
  timer.unref()

  return {
    async send(request, hooks, signal) {
      const wait = {}
      if (waiting.size === 0) silentSinceMs = performance.now()
      waiting.add(wait)
      try {
        const response = await transport.send(request, hooks, signal)
        hear()
        return response
      } catch (cause) {
        count(cause)
        throw cause
      } finally {
        waiting.delete(wait)
      }
    },
    close: () => {
      clearInterval(timer)
      return transport.close()
    },
  }
}
