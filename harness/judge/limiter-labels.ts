import type { Explanation, LimiterQuestion, WindowFrame } from './limiter-frames.ts'
import { countBelow, countUpTo } from './limiter-history.ts'
import type { QuotaRequest } from './limiter-history.ts'

/** What a limiter of fixed windows could answer to a request, given what it answered to all others. */
export const REQUEST_LABELS = ['must-accept', 'must-refuse', 'ambiguous'] as const
export type RequestLabel = (typeof REQUEST_LABELS)[number]

export type Labelled = {
  /** One for each request, in the order of the history. */
  readonly labels: readonly RequestLabel[]
  /** Index of the window in which each request acted for certain; -1 where that is not certain. */
  readonly frameOf: Int32Array
  /** Windows that were seen to be spent to the last request and overstepped, with nothing else that could have been counted. */
  readonly fullWindows: number
  /** Indexes of requests refused although they had to be accepted, in the order of the history. */
  readonly refusedWithinBudget: readonly number[]
  /** Indexes of requests admitted although the budget was spent. */
  readonly admittedOverBudget: readonly number[]
}

/** Labels every request under one explanation. A violation is a label that the answer contradicts. */
export function labelHistory(question: LimiterQuestion, explanation: Explanation): Labelled {
  const { requests } = question.index
  const frameOf = locateFrames(requests, explanation.frames)
  const usage = explanation.frames.map((frame) => usageBefore(question, frame))
  const labels = requests.map((request, index) => {
    const frame = explanation.frames[frameOf[index] as number]
    const before = usage[frameOf[index] as number]
    if (frame === undefined || before === undefined) return 'ambiguous'
    return labelOne(question, request, frame, before)
  })
  markExcess(question, frameOf, labels, explanation.frames.length)
  return {
    labels,
    frameOf,
    fullWindows: countFullWindows(question, explanation.frames, frameOf, labels),
    refusedWithinBudget: violating(requests, labels, 'refused', 'must-accept'),
    admittedOverBudget: violating(requests, labels, 'admitted', 'must-refuse'),
  }
}

function locateFrames(
  requests: readonly QuotaRequest[],
  frames: readonly WindowFrame[],
): Int32Array {
  const starts = Float64Array.from(frames, (frame) => frame.certainFromMs)
  return Int32Array.from(requests, (request) => {
    const candidate = countUpTo(starts, request.sentMs) - 1
    const frame = frames[candidate]
    return frame !== undefined && request.receivedMs <= frame.certainToMs ? candidate : -1
  })
}

/** Requests that acted before the window: possible ones that surely did, certain ones that may have. */
type UsageBefore = { readonly possible: number; readonly certain: number }

function usageBefore({ index }: LimiterQuestion, frame: WindowFrame): UsageBefore {
  return {
    possible: countBelow(index.possibleReceived, frame.possibleFromMs),
    certain: countBelow(index.certainSent, frame.certainFromMs),
  }
}

function labelOne(
  { index, limit }: LimiterQuestion,
  request: QuotaRequest,
  frame: WindowFrame,
  before: UsageBefore,
): RequestLabel {
  const itself = request.outcome === 'refused' ? 0 : 1
  const mayPrecede = countUpTo(index.possibleSent, request.receivedMs) - before.possible - itself
  if (frame.complete && mayPrecede < limit.count) return 'must-accept'
  const mustPrecede = countBelow(index.certainReceived, request.sentMs) - before.certain
  return mustPrecede >= limit.count ? 'must-refuse' : 'ambiguous'
}

/** Of more than `count` admitted requests of one window the last ones had to be refused, even if no single one shows it. */
function markExcess(
  question: LimiterQuestion,
  frameOf: Int32Array,
  labels: RequestLabel[],
  frameCount: number,
): void {
  const { requests } = question.index
  const admitted = new Int32Array(frameCount)
  for (const [index, request] of requests.entries()) {
    const frame = frameOf[index] as number
    if (frame >= 0 && request.outcome === 'admitted') admitted[frame] = (admitted[frame] ?? 0) + 1
  }
  if (!admitted.some((count) => count > question.limit.count)) return
  const inSentOrder = requests
    .map((request, index) => ({ index, sentMs: request.sentMs }))
    .filter(({ index }) => requests[index]?.outcome === 'admitted')
    .toSorted((a, b) => b.sentMs - a.sentMs)
  for (const { index } of inSentOrder) {
    const frame = frameOf[index] as number
    if (frame < 0 || (admitted[frame] ?? 0) <= question.limit.count) continue
    labels[index] = 'must-refuse'
    admitted[frame] = (admitted[frame] ?? 0) - 1
  }
}

function countFullWindows(
  question: LimiterQuestion,
  frames: readonly WindowFrame[],
  frameOf: Int32Array,
  labels: readonly RequestLabel[],
): number {
  const { index, limit, slackMs } = question
  const admitted = new Int32Array(frames.length)
  const overstepped = new Set<number>()
  for (const [at, { outcome }] of index.requests.entries()) {
    const frame = frameOf[at] as number
    if (frame >= 0 && outcome === 'admitted') admitted[frame] = (admitted[frame] ?? 0) + 1
    if (outcome === 'refused' && labels[at] === 'must-refuse') overstepped.add(frame)
  }
  return frames.filter(({ complete, possibleFromMs, certainToMs }, frame) => {
    const possible =
      countUpTo(index.possibleSent, certainToMs + 2 * slackMs) -
      countBelow(index.possibleReceived, possibleFromMs)
    const full = admitted[frame] === limit.count && possible === limit.count
    return complete && full && overstepped.has(frame)
  }).length
}

function violating(
  requests: readonly QuotaRequest[],
  labels: readonly RequestLabel[],
  outcome: QuotaRequest['outcome'],
  label: RequestLabel,
): number[] {
  const indexes: number[] = []
  for (const [index, request] of requests.entries())
    if (request.outcome === outcome && labels[index] === label) indexes.push(index)
  return indexes
}
