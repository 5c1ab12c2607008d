import type { Explanation, LimiterQuestion, WindowFrame } from './limiter-frames.ts'
import { countBelow, earliestReceived } from './limiter-history.ts'

/** When the previous window ended, at the earliest and at the latest, and when the one before it had ended at the latest. */
type Previous = { endMinMs: number; endMaxMs: number; earlierEndMaxMs: number }

/**
 * Explains a history by windows that begin with the first counted request after the previous window ended. Only intervals of
 * starts can be known: each is carried forward as [earliest, latest], which can only widen what is permitted. O(windows x log n).
 */
export function explainByAnchors(question: LimiterQuestion): Explanation {
  const windowMs = question.limit.windowSeconds * 1000
  const frames: WindowFrame[] = []
  let previous: Previous = firstPrevious(question, windowMs)
  for (;;) {
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
    previous = {
      endMinMs: earliestMs + windowMs,
      endMaxMs: startMaxMs + windowMs,
      earlierEndMaxMs: endMaxMs,
    }
    // After the last counted request nothing may be refused any more: a last window without end stands for that.
    if (startMaxMs === Infinity) break
  }
  return { model: 'anchored', frames }
}

function middle(earliestMs: number, latestMs: number, endMinMs: number): number {
  if (latestMs < Infinity) return (earliestMs + latestMs) / 2
  return earliestMs < Infinity ? earliestMs : endMinMs
}

function firstPrevious(question: LimiterQuestion, windowMs: number): Previous {
  const { observedFromMs } = question
  if (observedFromMs === -Infinity)
    return { endMinMs: -Infinity, endMaxMs: -Infinity, earlierEndMaxMs: -Infinity }
  return { endMinMs: -Infinity, endMaxMs: observedFromMs + windowMs, earlierEndMaxMs: -Infinity }
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
