import { inOrder } from '../rows.ts'
import type { Explanation, LimiterQuestion, RetryPairs, WindowFrame } from './limiter-frames.ts'
import { OUTCOME, countUpTo } from './limiter-history.ts'

/**
 * Explains a history by windows that follow each other without gaps (start of server, epoch): edges at phase + k x W.
 *
 * Every observation that contradicts an edge position forbids an interval of positions, and positions matter only modulo W:
 * - count + 1 admitted requests that lie within less than W forbid every edge that would put all of them in one window;
 * - a refused request forbids every edge after which fewer than `count` requests can have been counted before it;
 * - a refusal after a kept Retry-After forbids every edge that puts both refusals in one window (counted as a lesser evil).
 * The phase that the fewest intervals cover is the best explanation; an uncovered one explains everything. O(n log n).
 */
export function explainByLattice(question: LimiterQuestion, retries: RetryPairs): Explanation {
  const windowMs = question.limit.windowSeconds * 1000
  const { sentMs, receivedMs } = question.index.columns
  const { certainSent, refusedSent } = question.index
  const counts = new ForbiddenEdges(windowMs, certainSent.length + refusedSent.length)
  const waits = new ForbiddenEdges(windowMs, retries.refused.length)
  forbidOverfullWindows(question, counts)
  forbidEarlyRefusals(question, counts)
  for (let pair = 0; pair < retries.refused.length; pair++)
    waits.add(
      (receivedMs[retries.retried[pair] as number] as number) + question.slackMs - windowMs,
      (sentMs[retries.refused[pair] as number] as number) - question.slackMs,
    )
  const best = leastCovered(counts.sweep(), waits.sweep(), windowMs)
  return {
    model: 'lattice',
    frames: latticeFrames(question, (best.fromMs + best.toMs) / 2),
    phaseSpreadMs: best.toMs - best.fromMs,
  }
}

function forbidOverfullWindows(question: LimiterQuestion, forbidden: ForbiddenEdges): void {
  const { index, limit, slackMs } = question
  const windowMs = limit.windowSeconds * 1000
  for (let first = 0; first + limit.count < index.certainSent.length; first++) {
    const firstSentMs = index.certainSent[first] as number
    const lastReceivedMs = index.certainReceived[first + limit.count] as number
    forbidden.add(lastReceivedMs + slackMs - windowMs, firstSentMs - slackMs)
  }
}

function forbidEarlyRefusals(question: LimiterQuestion, forbidden: ForbiddenEdges): void {
  const { index, limit, slackMs, observedFromMs } = question
  const windowMs = limit.windowSeconds * 1000
  const { sentMs, receivedMs, outcomes } = index.columns
  for (let row = 0; row < outcomes.length; row++) {
    if (outcomes[row] !== OUTCOME.refused) continue
    const receivedAtMs = receivedMs[row] as number
    const possibleBefore = countUpTo(index.possibleSent, receivedAtMs)
    // An edge later than this leaves fewer than `count` requests that can have filled the window.
    const fullUntilMs =
      possibleBefore < limit.count
        ? -Infinity
        : (index.possibleReceived[possibleBefore - limit.count] as number) + slackMs
    forbidden.add(
      Math.max(receivedAtMs + slackMs - windowMs, fullUntilMs, observedFromMs),
      (sentMs[row] as number) - slackMs,
    )
  }
}

function latticeFrames(question: LimiterQuestion, phaseMs: number): WindowFrame[] {
  const { index, limit, slackMs, observedFromMs } = question
  const windowMs = limit.windowSeconds * 1000
  const first = Math.floor((index.firstSentMs - slackMs - phaseMs) / windowMs)
  const last = Math.floor((index.lastReceivedMs + slackMs - phaseMs) / windowMs)
  return Array.from({ length: last - first + 1 }, (_, offset) => {
    const startMs = phaseMs + (first + offset) * windowMs
    return {
      startMs,
      possibleFromMs: startMs - slackMs,
      certainFromMs: startMs + slackMs,
      certainToMs: startMs + windowMs - slackMs,
      complete: startMs >= observedFromMs,
    }
  })
}

/** Intervals of forbidden edge positions, folded onto one window. */
class ForbiddenEdges {
  readonly #starts: Float64Array
  readonly #ends: Float64Array
  readonly #windowMs: number
  #length = 0

  /** Takes at most so many intervals. Each can fall in two when it is folded. */
  constructor(windowMs: number, intervalsMax: number) {
    this.#windowMs = windowMs
    this.#starts = new Float64Array(2 * intervalsMax)
    this.#ends = new Float64Array(2 * intervalsMax)
  }

  add(fromMs: number, toMs: number): void {
    if (!(toMs > fromMs)) return
    const fromPhase = fromMs - Math.floor(fromMs / this.#windowMs) * this.#windowMs
    const toPhase = fromPhase + (toMs - fromMs)
    this.#push(fromPhase, Math.min(toPhase, this.#windowMs))
    if (toPhase > this.#windowMs) this.#push(0, Math.min(toPhase - this.#windowMs, this.#windowMs))
  }

  /** Once all are added. */
  sweep(): Sweep {
    return {
      starts: inOrder(this.#starts.subarray(0, this.#length)),
      ends: inOrder(this.#ends.subarray(0, this.#length)),
    }
  }

  #push(fromMs: number, toMs: number): void {
    this.#starts[this.#length] = fromMs
    this.#ends[this.#length++] = toMs
  }
}

type Sweep = { readonly starts: Float64Array; readonly ends: Float64Array }
type Segment = { fromMs: number; toMs: number; counts: number; waits: number }

/** The longest of the segments of [0, windowMs) with the least coverage: counts first, waits second. */
function leastCovered(counts: Sweep, waits: Sweep, windowMs: number): Segment {
  const lists = [counts.starts, counts.ends, waits.starts, waits.ends] as const
  const next = [0, 0, 0, 0] as [number, number, number, number]
  let best: Segment | undefined
  for (let fromMs = 0; fromMs < windowMs;) {
    const toMs = advance(lists, next, fromMs, windowMs)
    const segment = { fromMs, toMs, counts: next[0] - next[1], waits: next[2] - next[3] }
    if (best === undefined || isBetter(segment, best)) best = segment
    fromMs = toMs
  }
  return best as Segment
}

/** Moves each cursor past `fromMs` and returns the next moment at which the coverage changes. */
function advance(
  lists: readonly Float64Array[],
  next: number[],
  fromMs: number,
  windowMs: number,
): number {
  let toMs = windowMs
  for (let list = 0; list < lists.length; list++) {
    const times = lists[list] as Float64Array
    let cursor = next[list] as number
    while (cursor < times.length && (times[cursor] as number) <= fromMs) cursor++
    next[list] = cursor
    if (cursor < times.length) toMs = Math.min(toMs, times[cursor] as number)
  }
  return toMs
}

function isBetter(a: Segment, b: Segment): boolean {
  if (a.counts !== b.counts) return a.counts < b.counts
  if (a.waits !== b.waits) return a.waits < b.waits
  return a.toMs - a.fromMs > b.toMs - b.fromMs
}
