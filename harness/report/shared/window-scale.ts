/** Arithmetic of the window plot: which window a request is drawn in, how high, and where the axis has its marks. */
import { windowOutcomeOf } from '../../../contract/answers.ts'
import type { WindowTrace } from '../../../schemas/generated/run-record.ts'

/** `open`: whether it was counted is not known. */
export type Outcome = 'admitted' | 'refused' | 'open'

/** A request as drawn: `atMs` from the first request on; `nth` admitted request of its window, from 1, 0 for other outcomes. */
type PlottedRequest = {
  readonly outcome: Outcome
  readonly atMs: number
  readonly window: number
  readonly nth: number
}

export type WindowScale = {
  readonly requests: readonly PlottedRequest[]
  /** Milliseconds from the left border to the first request (at most 0) and to the right border. */
  readonly startMs: number
  readonly endMs: number
  /** Edges that fall into the picture, relative to the first request. */
  readonly edgesMs: readonly number[]
  /** Largest number of admitted requests in one window. */
  readonly admittedMax: number
}

const EDGES_MAX = 200

function outcomeOf(status: number): Outcome {
  const outcome = windowOutcomeOf({ status })
  return outcome === 'other' || outcome === 'unknown' ? 'open' : outcome
}

/** Largest and smallest in one pass: a spread call would overflow the stack on a long list. */
function rangeOf(values: readonly number[]): { readonly min: number; readonly max: number } {
  let min = Infinity
  let max = -Infinity
  for (const value of values) {
    if (value < min) min = value
    if (value > max) max = value
  }
  return { min, max }
}

/**
 * Places the requests. One is drawn at its sending; If its span from sending to receiving crosses an edge, and the window it was sent in
 * is full, it is drawn at that edge: the server may have acted there. Without edges nothing is counted per window.
 */
export function scaleWindow(trace: WindowTrace): WindowScale {
  const points = trace.points.toSorted((a, b) => a[0] - b[0])
  const originMs = points[0]?.[0] ?? 0
  const lastMs = rangeOf(points.map((point) => point[1])).max - originMs
  const spanMs = Math.max(Number.isFinite(lastMs) ? lastMs : 0, 1)
  const marginMs = spanMs * 0.03
  const edgesMs = (trace.edgesMs ?? [])
    .map((edgeMs) => edgeMs - originMs)
    .filter((edgeMs) => edgeMs >= -marginMs && edgeMs <= spanMs + marginMs)
    .toSorted((a, b) => a - b)
    .slice(0, EDGES_MAX)
  const windowAt = (atMs: number): number => edgesMs.filter((edgeMs) => edgeMs <= atMs).length
  const admitted = new Map<number, number>()
  const requests = points.map(([sentMs, receivedMs, status]): PlottedRequest => {
    const outcome = outcomeOf(status)
    let window = windowAt(sentMs - originMs)
    let atMs = sentMs - originMs
    const isFull = (admitted.get(window) ?? 0) >= trace.limit.count
    if (outcome === 'admitted' && isFull && windowAt(receivedMs - originMs) > window) {
      atMs = edgesMs[window] ?? atMs
      window++
    }
    if (outcome !== 'admitted') return { outcome, atMs, window, nth: 0 }
    const nth = (admitted.get(window) ?? 0) + 1
    admitted.set(window, nth)
    return { outcome, atMs, window, nth }
  })
  const admittedMax = Math.max(0, rangeOf([...admitted.values()]).max)
  return { requests, startMs: -marginMs, endMs: spanMs + marginMs, edgesMs, admittedMax }
}

const STEPS_SECONDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600]
const TICKS_MAX = 7

/** Round marks for an axis from zero to `spanSeconds`, at most seven. */
export function ticksFor(spanSeconds: number): number[] {
  const step =
    STEPS_SECONDS.find((candidate) => spanSeconds / candidate < TICKS_MAX) ??
    spanSeconds / (TICKS_MAX - 1)
  const count = Math.floor(spanSeconds / step + 1e-9)
  return Array.from({ length: count + 1 }, (_, i) => i * step)
}
