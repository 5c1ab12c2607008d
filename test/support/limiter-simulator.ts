/** A limiter and its clients in simulated time, for the oracle's own tests. It shares no code with the oracle or the reference. */
import type { QuotaRequest } from '../../harness/judge/limiter-history.ts'

/** Answers one request that acts at `atMs`: undefined admits it, a number refuses it with that Retry-After in seconds. */
export type Limiter = (atMs: number, key: number) => number | undefined

export type Rounding = 'left' | 'whole'

/** A source of numbers in [0, 1) that repeats for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export function fixedLattice(
  count: number,
  windowMs: number,
  phaseMs: number,
  rounding: Rounding = 'left',
): Limiter {
  const usedBy = new Map<number, number>()
  return (atMs) => {
    const window = Math.floor((atMs - phaseMs) / windowMs)
    const used = (usedBy.get(window) ?? 0) + 1
    usedBy.set(window, used)
    if (used <= count) return undefined
    return retryAfter((window + 1) * windowMs + phaseMs - atMs, windowMs, rounding)
  }
}

export function fixedAnchored(
  count: number,
  windowMs: number,
  rounding: Rounding = 'left',
): Limiter {
  let endMs = Number.NEGATIVE_INFINITY
  let used = 0
  return (atMs) => {
    if (atMs >= endMs) [endMs, used] = [atMs + windowMs, 0]
    if (used < count) {
      used++
      return undefined
    }
    return retryAfter(endMs - atMs, windowMs, rounding)
  }
}

function retryAfter(leftMs: number, windowMs: number, rounding: Rounding): number {
  return Math.max(1, Math.ceil((rounding === 'left' ? leftMs : windowMs) / 1000))
}

export function slidingLog(count: number, windowMs: number): Limiter {
  let log: number[] = []
  return (atMs) => {
    log = log.filter((time) => time > atMs - windowMs)
    if (log.length < count) {
      log.push(atMs)
      return undefined
    }
    return Math.max(1, Math.ceil(((log[0] as number) + windowMs - atMs) / 1000))
  }
}

export function slidingCounter(count: number, windowMs: number): Limiter {
  let current = Number.NEGATIVE_INFINITY
  let used = 0
  let before = 0
  return (atMs) => {
    const window = Math.floor(atMs / windowMs)
    if (window !== current) {
      before = window === current + 1 ? used : 0
      ;[current, used] = [window, 0]
    }
    const share = 1 - (atMs - window * windowMs) / windowMs
    if (before * share + used + 1 > count) return 1
    used++
    return undefined
  }
}

export function tokenBucket(count: number, windowMs: number): Limiter {
  let tokens = count
  let lastMs: number | undefined
  return (atMs) => {
    tokens = Math.min(count, tokens + ((atMs - (lastMs ?? atMs)) * count) / windowMs)
    lastMs = atMs
    if (tokens < 1) return Math.max(1, Math.ceil(((1 - tokens) * windowMs) / count / 1000))
    tokens -= 1
    return undefined
  }
}

/** Admits a refused request now and then. */
export function leaking(limiter: Limiter, share: number, random: () => number): Limiter {
  return (atMs, key) => {
    const answer = limiter(atMs, key)
    return answer !== undefined && random() < share ? undefined : answer
  }
}

export function perKey(make: () => Limiter): Limiter {
  const limiters = new Map<number, Limiter>()
  return (atMs, key) => {
    const limiter = limiters.get(key) ?? make()
    limiters.set(key, limiter)
    return limiter(atMs, key)
  }
}

export type Attempt = {
  readonly sentMs: number
  readonly actedMs: number
  readonly receivedMs: number
  readonly key: number
  /** How far the clock of the node that answers is ahead. */
  readonly skewMs?: number
}

export type Answered = QuotaRequest & { readonly key: number }

/** Lets the limiter answer attempts in the order in which they act. */
export function answer(limiter: Limiter, attempts: readonly Attempt[]): Answered[] {
  return attempts
    .toSorted((a, b) => a.actedMs - b.actedMs)
    .map(({ sentMs, receivedMs, actedMs, key, skewMs = 0 }) => {
      const waitSeconds = limiter(actedMs + skewMs, key)
      return waitSeconds === undefined
        ? { key, sentMs, receivedMs, outcome: 'admitted' }
        : { key, sentMs, receivedMs, outcome: 'refused', retryAfter: String(waitSeconds) }
    })
}
