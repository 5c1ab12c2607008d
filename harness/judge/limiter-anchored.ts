import type { Explanation, LimiterQuestion, WindowFrame } from './limiter-frames.ts'
import { countBelow, countUpTo, earliestReceived } from './limiter-history.ts'

/** When the previous window ended, at the earliest and at the latest, and when the one before it had ended at the latest. */
type Previous = { endMinMs: number; endMaxMs: number; earlierEndMaxMs: number }

/** A history that lacks its beginning is tried with this many ends of the window that was open when it began. */
const UNKNOWN_ENDS = 64

/**
 * Explains a history by windows that begin with the first counted request after the previous window ended. Only intervals of
 * starts can be known: each is carried forward as [earliest, latest], which can only widen what is permitted. Where a window may
 * have been open before the history, its end is tried piece by piece; together the pieces are all that can be. O(windows x log n)
 * for each.
 */
export function explainByAnchors(question: LimiterQuestion): Explanation {
  const chains = possibleBeginnings(question).map((beginning) => followChain(question, beginning))
  const costs = chains.map((frames) => contradictions(question, frames))
  const best = costs.indexOf(Math.min(...costs))
  return { model: 'anchored', frames: chains[best] ?? [] }
}

function possibleBeginnings({ observedFromMs, limit }: LimiterQuestion): Previous[] {
  const none = { endMinMs: -Infinity, endMaxMs: -Infinity, earlierEndMaxMs: -Infinity }
  if (observedFromMs === -Infinity) return [none]
  const pieceMs = (1000 * limit.windowSeconds) / UNKNOWN_ENDS
  const pieces = Array.from({ length: UNKNOWN_ENDS }, (_, piece) => ({
    endMinMs: observedFromMs + piece * pieceMs,
    endMaxMs: observedFromMs + (piece + 1) * pieceMs,
    earlierEndMaxMs: -Infinity,
  }))
  return [{ ...none, endMaxMs: observedFromMs }, ...pieces]
}

function followChain(question: LimiterQuestion, beginning: Previous): WindowFrame[] {
  const windowMs = question.limit.windowSeconds * 1000
  const frames = openWindow(question, beginning)
  for (let previous = beginning; ;) {
    const latestMs = latestStart(question, previous)
    const endMaxMs = Math.max(previous.endMinMs, Math.min(previous.endMaxMs, latestMs))
    const earliestMs = earliestStart(question, previous.endMinMs)
    const startMaxMs = Math.max(earliestMs, latestMs)
    frames.push({
      startMs: middle(earliestMs, startMaxMs, previous.endMinMs),
      possibleFromMs: previous.endMinMs - question.slackMs,
      certainFromMs: endMaxMs + question.slackMs,
      certainToMs: earliestMs + windowMs - question.slackMs,
      complete: true,
    })
    // After the last counted request nothing may be refused any more: a last window without end stands for that.
    if (startMaxMs === Infinity) return frames
    previous = {
      endMinMs: earliestMs + windowMs,
      endMaxMs: startMaxMs + windowMs,
      earlierEndMaxMs: endMaxMs,
    }
  }
}

/** The window that was open before the history: it can have admitted anything before, but in the history no more than a budget. */
function openWindow({ limit, slackMs }: LimiterQuestion, { endMinMs }: Previous): WindowFrame[] {
  if (endMinMs === -Infinity) return []
  const open = {
    startMs: endMinMs - 1000 * limit.windowSeconds,
    possibleFromMs: -Infinity,
    certainFromMs: -Infinity,
    certainToMs: endMinMs - slackMs,
    complete: false,
  }
  return [open]
}

/** A quick measure of how badly the windows fit: requests above the budget, and windows that refused one within it. */
function contradictions({ index, limit }: LimiterQuestion, frames: readonly WindowFrame[]): number {
  let sum = 0
  for (const { possibleFromMs, certainFromMs, certainToMs, complete } of frames) {
    const admitted =
      countUpTo(index.certainReceived, certainToMs) - countBelow(index.certainSent, certainFromMs)
    sum += Math.max(0, admitted - limit.count)
    const refusedMs = earliestReceived(index.refusedSent, index.refusedReceivedMin, certainFromMs)
    const possible =
      countUpTo(index.possibleSent, refusedMs) - countBelow(index.possibleReceived, possibleFromMs)
    if (complete && refusedMs <= certainToMs && possible < limit.count) sum++
  }
  return sum
}

function middle(earliestMs: number, latestMs: number, endMinMs: number): number {
  if (latestMs < Infinity) return (earliestMs + latestMs) / 2
  return earliestMs < Infinity ? earliestMs : endMinMs
}

/** No counted request can have opened the window before this. */
function earliestStart(question: LimiterQuestion, endMinMs: number): number {
  const { index, slackMs } = question
  const fromMs = endMinMs - slackMs
  // Requests answered before `fromMs` belong to earlier windows; of the others the first sent may have opened this one.
  const passed = countBelow(index.possibleReceived, fromMs)
  if (passed === index.possibleReceived.length) return Infinity
  const sentMs = index.possibleSent[countBelow(index.possibleSent, fromMs)] ?? Infinity
  const straddling = countBelow(index.possibleSent, fromMs) > passed
  return straddling ? Math.max(fromMs, index.firstSentMs) : Math.max(fromMs, sentMs)
}

/** The window was open at the latest when this request had been answered. */
function latestStart(question: LimiterQuestion, previous: Previous): number {
  const { index, slackMs } = question
  const afterEndMs = earliestReceived(
    index.certainSent,
    index.certainReceivedMin,
    previous.endMaxMs + slackMs,
  )
  // A refusal shows a full window; who is admitted after it is in a later one.
  const refusedMs = earliestReceived(
    index.refusedSent,
    index.refusedReceivedMin,
    previous.earlierEndMaxMs + slackMs,
  )
  const afterRefusalMs = earliestReceived(
    index.certainSent,
    index.certainReceivedMin,
    refusedMs + 2 * slackMs,
  )
  return Math.min(afterEndMs, afterRefusalMs)
}
