import { rowsWhere } from '../rows.ts'
import type { Explanation, LimiterQuestion, WindowFrame } from './limiter-frames.ts'
import { OUTCOME, countBelow, countUpTo } from './limiter-history.ts'
import type { QuotaColumns, QuotaOutcome } from './limiter-history.ts'

/** What a limiter of fixed windows could answer to a request, given what it answered to all others. */
export const REQUEST_LABELS = ['must-accept', 'must-refuse', 'ambiguous'] as const
export type RequestLabel = (typeof REQUEST_LABELS)[number]

/** Indexes of REQUEST_LABELS. */
const LABEL = { 'must-accept': 0, 'must-refuse': 1, ambiguous: 2 } as const satisfies Record<
  RequestLabel,
  number
>

export type Labelled = {
  /** One for each request, in the order of the history: indexes of REQUEST_LABELS. */
  readonly labels: Uint8Array
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
  const { columns } = question.index
  const frameOf = locateFrames(columns, explanation.frames)
  const usage = explanation.frames.map((frame) => usageBefore(question, frame))
  const labels = new Uint8Array(frameOf.length).fill(LABEL.ambiguous)
  for (let row = 0; row < labels.length; row++) {
    const at = frameOf[row] as number
    const frame = explanation.frames[at]
    const before = usage[at]
    if (frame !== undefined && before !== undefined)
      labels[row] = labelOne(question, row, frame, before)
  }
  markExcess(question, frameOf, labels, explanation.frames.length)
  return {
    labels,
    frameOf,
    fullWindows: countFullWindows(question, explanation.frames, frameOf, labels),
    refusedWithinBudget: violating(columns, labels, 'refused', 'must-accept'),
    admittedOverBudget: violating(columns, labels, 'admitted', 'must-refuse'),
  }
}

/** Whether labelHistory would find no violation; ends at the first one. */
export function explainsAll(question: LimiterQuestion, explanation: Explanation): boolean {
  const { columns } = question.index
  const { frames } = explanation
  const frameOf = locateFrames(columns, frames)
  const usage = frames.map((frame) => usageBefore(question, frame))
  const admitted = new Int32Array(frames.length)
  for (let row = 0; row < frameOf.length; row++) {
    const at = frameOf[row] as number
    const frame = frames[at]
    const before = usage[at]
    if (frame === undefined || before === undefined) continue
    const label = labelOne(question, row, frame, before)
    if (columns.outcomes[row] === OUTCOME.refused && label === LABEL['must-accept']) return false
    if (columns.outcomes[row] !== OUTCOME.admitted) continue
    admitted[at] = (admitted[at] ?? 0) + 1
    if (label === LABEL['must-refuse'] || (admitted[at] ?? 0) > question.limit.count) return false
  }
  return true
}

export function countLabel(labels: Uint8Array, label: RequestLabel): number {
  const wanted = LABEL[label]
  return labels.reduce((count, each) => (each === wanted ? count + 1 : count), 0)
}

function locateFrames(
  { sentMs, receivedMs }: QuotaColumns,
  frames: readonly WindowFrame[],
): Int32Array {
  const starts = Float64Array.from(frames, (frame) => frame.certainFromMs)
  const frameOf = new Int32Array(sentMs.length)
  for (let row = 0; row < frameOf.length; row++) {
    const candidate = countUpTo(starts, sentMs[row] as number) - 1
    const frame = frames[candidate]
    const inside = frame !== undefined && (receivedMs[row] as number) <= frame.certainToMs
    frameOf[row] = inside ? candidate : -1
  }
  return frameOf
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
  row: number,
  frame: WindowFrame,
  before: UsageBefore,
): number {
  const { sentMs, receivedMs, outcomes } = index.columns
  const itself = outcomes[row] === OUTCOME.refused ? 0 : 1
  const sentBefore = countUpTo(index.possibleSent, receivedMs[row] as number)
  const mayPrecede = sentBefore - before.possible - itself
  if (frame.complete && mayPrecede < limit.count) return LABEL['must-accept']
  const answeredBefore = countBelow(index.certainReceived, sentMs[row] as number)
  const mustPrecede = answeredBefore - before.certain
  return mustPrecede >= limit.count ? LABEL['must-refuse'] : LABEL.ambiguous
}

function admittedByFrame(
  { outcomes }: QuotaColumns,
  frameOf: Int32Array,
  frameCount: number,
): Int32Array {
  const admitted = new Int32Array(frameCount)
  for (let row = 0; row < frameOf.length; row++) {
    const frame = frameOf[row] as number
    if (frame >= 0 && outcomes[row] === OUTCOME.admitted)
      admitted[frame] = (admitted[frame] ?? 0) + 1
  }
  return admitted
}

/** Of more than `count` admitted requests of one window the last ones had to be refused, even if no single one shows it. */
function markExcess(
  question: LimiterQuestion,
  frameOf: Int32Array,
  labels: Uint8Array,
  frameCount: number,
): void {
  const { sentMs, outcomes } = question.index.columns
  const { count } = question.limit
  const admitted = admittedByFrame(question.index.columns, frameOf, frameCount)
  if (!admitted.some((each) => each > count)) return
  const inOverfull = rowsWhere(outcomes.length, (row) => {
    const frame = frameOf[row] as number
    return outcomes[row] === OUTCOME.admitted && frame >= 0 && (admitted[frame] ?? 0) > count
  })
  for (const row of inOverfull.toSorted((a, b) => (sentMs[b] as number) - (sentMs[a] as number))) {
    const frame = frameOf[row] as number
    if ((admitted[frame] ?? 0) <= count) continue
    labels[row] = LABEL['must-refuse']
    admitted[frame] = (admitted[frame] ?? 0) - 1
  }
}

function countFullWindows(
  question: LimiterQuestion,
  frames: readonly WindowFrame[],
  frameOf: Int32Array,
  labels: Uint8Array,
): number {
  const { index, limit, slackMs } = question
  const { outcomes } = index.columns
  const admitted = admittedByFrame(index.columns, frameOf, frames.length)
  const overstepped = new Uint8Array(frames.length)
  for (let row = 0; row < labels.length; row++)
    if (outcomes[row] === OUTCOME.refused && labels[row] === LABEL['must-refuse'])
      overstepped[frameOf[row] as number] = 1
  return frames.filter(({ complete, possibleFromMs, certainToMs }, frame) => {
    const possible =
      countUpTo(index.possibleSent, certainToMs + 2 * slackMs) -
      countBelow(index.possibleReceived, possibleFromMs)
    const full = admitted[frame] === limit.count && possible === limit.count
    return complete && full && overstepped[frame] === 1
  }).length
}

function violating(
  { outcomes }: QuotaColumns,
  labels: Uint8Array,
  outcome: QuotaOutcome,
  label: RequestLabel,
): number[] {
  const rows: number[] = []
  for (let row = 0; row < labels.length; row++)
    if (outcomes[row] === OUTCOME[outcome] && labels[row] === LABEL[label]) rows.push(row)
  return rows
}
