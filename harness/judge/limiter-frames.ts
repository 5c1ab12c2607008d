import type { WindowLimit } from '../../contract/limits.ts'
import type { HistoryIndex } from './limiter-history.ts'

/** What the oracle is asked about one quota. */
export type LimiterQuestion = {
  readonly index: HistoryIndex
  readonly limit: WindowLimit
  /** Slack of every window edge plus the guard, milliseconds. */
  readonly slackMs: number
  /** Windows that began before this moment may hold requests that the history lacks; -Infinity for a complete history. */
  readonly observedFromMs: number
}

/**
 * One window of an explanation, with what is known of its edges. A request sent at `certainFromMs` or later and answered by
 * `certainToMs` acted inside it; one answered before `possibleFromMs` acted earlier.
 */
export type WindowFrame = {
  /** Best estimate of the window's start, for plots. */
  readonly startMs: number
  readonly possibleFromMs: number
  readonly certainFromMs: number
  readonly certainToMs: number
  /** False when the window may hold requests from before the history. */
  readonly complete: boolean
}

export type Explanation = {
  readonly model: 'lattice' | 'anchored'
  /** In time order. */
  readonly frames: readonly WindowFrame[]
  /** Width of the interval of window starts that explain equally well; lattice only. */
  readonly phaseSpreadMs?: number
}

/** Rows of refused requests that were sent after the wait that an earlier refusal had promised, and of that refusal. */
export type RetryPairs = {
  readonly refused: Uint32Array
  readonly retried: Uint32Array
}
