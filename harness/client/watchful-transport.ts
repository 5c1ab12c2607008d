import type { Transport } from './exchange.ts'

/** What undici and Node say when the connection failed, not the answer. */
const CONNECTION_FAILED =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_SOCKET|UND_ERR_CONNECT_TIMEOUT)$/

/** So many failures in a row, over so long, with no answer between them, are no mishap of single connections. */
const FAILURES_MIN = 5
const SECONDS_MIN = 1.5

/** Whether a request failed because there was no connection. */
export function isConnectionFailure(code: string): boolean {
  return CONNECTION_FAILED.test(code)
}

/**
 * Calls `onLost` once when the target has stopped answering anything: what is still to be sent would only knock at a closed door,
 * for as long as its windows last.
 */
export function watchfulTransport(transport: Transport, onLost: () => void): Transport {
  let failures = 0
  let firstFailureMs = 0
  let isLost = false
  const count = (cause: unknown): void => {
    const { code, cause: inner } = cause as { code?: unknown; cause?: { code?: unknown } }
    const told = code ?? inner?.code
    if (typeof told !== 'string' || !isConnectionFailure(told)) return
    failures += 1
    if (failures === 1) firstFailureMs = performance.now()
    const seconds = (performance.now() - firstFailureMs) / 1000
    if (isLost || failures < FAILURES_MIN || seconds < SECONDS_MIN) return
    isLost = true
    onLost()
  }
  return {
    async send(request, hooks, signal) {
      try {
        const response = await transport.send(request, hooks, signal)
        failures = 0
        return response
      } catch (cause) {
        count(cause)
        throw cause
      }
    },
    close: () => transport.close(),
  }
}
