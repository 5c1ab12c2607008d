import type { RetryPair } from './limiter-frames.ts'
import type { QuotaRequest } from './limiter-history.ts'

/** Seconds that a Retry-After header promises; undefined if it is missing or is not whole seconds. 0 is a promise too, and put to the test. */
export function parseRetryAfterSeconds(header: string | undefined): number | undefined {
  if (header === undefined || !/^\d+$/.test(header.trim())) return undefined
  const seconds = Number(header)
  return Number.isSafeInteger(seconds) ? seconds : undefined
}

/**
 * For each refused request, the last refusal whose promised wait had passed when it was sent, if there is one. Only the last
 * matters: the two are as near to each other as any such pair, so if they can lie in different windows, so can the others.
 */
export function pairRetries(requests: readonly QuotaRequest[], slackMs: number): RetryPair[] {
  const promises = promisesInOrder(requests, slackMs)
  const latest = latestSoFar(promises)
  const pairs: RetryPair[] = []
  for (const [retriedIndex, retried] of requests.entries()) {
    if (retried.outcome !== 'refused') continue
    const kept = latest[countKept(promises, retried.sentMs) - 1]
    if (kept === undefined) continue
    pairs.push({
      refusedIndex: kept.index,
      retriedIndex,
      refusedSentMs: kept.sentMs,
      retriedReceivedMs: retried.receivedMs,
    })
  }
  return pairs
}

type Kept = { readonly index: number; readonly sentMs: number; readonly overMs: number }

function promisesInOrder(requests: readonly QuotaRequest[], slackMs: number): Kept[] {
  const promises: Kept[] = []
  for (const [index, request] of requests.entries()) {
    if (request.outcome !== 'refused') continue
    const seconds = parseRetryAfterSeconds(request.retryAfter)
    if (seconds === undefined) continue
    const overMs = request.receivedMs + seconds * 1000 + slackMs
    promises.push({ index, sentMs: request.sentMs, overMs })
  }
  return promises.toSorted((a, b) => a.overMs - b.overMs)
}

/** For each prefix of the promises, the one of the request that was sent last. */
function latestSoFar(promises: readonly Kept[]): Kept[] {
  const latest: Kept[] = []
  for (const promise of promises) {
    const before = latest.at(-1)
    latest.push(before === undefined || promise.sentMs > before.sentMs ? promise : before)
  }
  return latest
}

function countKept(promises: readonly Kept[], sentMs: number): number {
  let low = 0
  let high = promises.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((promises[middle] as Kept).overMs <= sentMs) low = middle + 1
    else high = middle
  }
  return low
}
