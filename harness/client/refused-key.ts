import type { Transport, WireRequest, WireResponse } from './exchange.ts'

/** So many refusals of a key in a row, on more than one path and over so long, are no matter of scopes. */
const REFUSALS_MIN = 20
const PATHS_MIN = 2
const SECONDS_MIN = 2

/** So long an answer to the question is waited for. */
const REPLY_MS = 10_000

export type KeyWatch = {
  readonly header: string
  readonly key: string
  /** HTTP statuses that refuse a key. */
  readonly refusals: readonly number[]
  /** Asks with the key for what any live key gets. */
  readonly question: WireRequest
  /** Called once, when the target refuses the key that it took before. */
  readonly onRefused: () => void
}

/**
 * Reports a key that the target took before and now refuses on everything: no later request with it decides anything. One question
 * confirms it first.
 */
export function keyWatchingTransport(
  transport: Transport,
  { header, key, refusals, question, onRefused }: KeyWatch,
): Transport {
  let [isTaken, isAsking, isTold] = [false, false, false]
  let [count, firstMs] = [0, 0]
  const paths = new Set<string>()
  const reset = (): void => {
    count = 0
    paths.clear()
  }
  const ask = async (): Promise<void> => {
    isAsking = true
    reset()
    const answer = await transport
      .send(question, {}, AbortSignal.timeout(REPLY_MS))
      .catch(() => undefined)
    isAsking = false
    if (!answer || !refusals.includes(answer.status)) return
    isTold = true
    onRefused()
  }
  const countRefusal = ({ url }: WireRequest): void => {
    if (count === 0) firstMs = performance.now()
    count += 1
    paths.add(new URL(url).pathname)
    const seconds = (performance.now() - firstMs) / 1000
    if (count >= REFUSALS_MIN && paths.size >= PATHS_MIN && seconds >= SECONDS_MIN) void ask()
  }
  const look = (request: WireRequest, { status }: WireResponse): void => {
    if (isTold || isAsking || !hasKey(request, header, key)) return
    if (!refusals.includes(status)) {
      isTaken = true
      reset()
    } else if (isTaken) countRefusal(request)
  }
  return {
    async send(request, ...more) {
      const response = await transport.send(request, ...more)
      look(request, response)
      return response
    },
    close: () => transport.close(),
  }
}

function hasKey({ headers }: WireRequest, header: string, key: string): boolean {
  return headers.some(([name, value]) => value === key && name.toLowerCase() === header)
}
