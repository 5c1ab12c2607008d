/** What fixed windows ask of the answers of one quota: the one definition for checks at rest and for judges of load. Pure. */
import type { WindowLimit } from '../../../contract/limits.ts'
import { rowsWhere, valuesAt } from '../../rows.ts'
import {
  isExplained,
  judgeHistory,
  OUTCOME,
  prepareHistory,
  type LimiterVerdict,
  type PreparedHistory,
  type Question,
} from '../limiter.ts'

/** Least must-refuse labels that show that a window was really overstepped. */
export const MUST_REFUSE_MIN = 20

/** Rows of the answers that contradict each sentence about a window of a known size. */
export function contradictions({
  refusedWithinBudget,
  admittedOverBudget,
  retryAfter,
}: LimiterVerdict): Readonly<Record<'RATE-01' | 'RATE-02' | 'RATE-08', readonly number[]>> {
  return {
    'RATE-01': refusedWithinBudget,
    'RATE-02': admittedOverBudget,
    'RATE-08': retryAfter.tooEarly.map(({ retried }) => retried),
  }
}

/** Rows that had to be refused and were answered by something else than 429: RATE-04. */
export function refusedOtherwise({ index }: PreparedHistory, { labels }: LimiterVerdict): number[] {
  const { outcomes } = index.columns
  return [
    ...rowsWhere(
      outcomes.length,
      (row) => outcomes[row] === OUTCOME.other && labels[row] === 'must-refuse',
    ),
  ]
}

/** A quota whose windows do not explain its answers. Its rows are in the order of sending. */
export type UnexplainedQuota = {
  readonly prepared: PreparedHistory
  readonly asked: Question
  readonly verdict: LimiterVerdict
  /** Windows were spent on purpose: another budget counts only if its windows were seen to be spent to the last request. */
  readonly isDrilled: boolean
  /** Of an account that others may use, too. */
  readonly isShared?: boolean
}

export type BrokenWindow = {
  readonly requirement: 'RATE-01' | 'RATE-02' | 'RATE-03'
  /** What was seen, without the name of the quota. */
  readonly observed: string
  /** The row that shows it first. */
  readonly first: number | undefined
  /** Why it is no finding, if it is none. */
  readonly doubt?: string
}

const OTHERS =
  'others who use the account all the time would look the same. Use keys of an account that nobody else uses'

/** Names the sentence that is broken. Refusals alone are doubtful where others may have spent the window, unless another budget explains them. */
export function brokenWindow(quota: UnexplainedQuota): BrokenWindow {
  const { isOfOtherBudget, ...broken } = sentenceOf(quota)
  const isDoubtful = quota.isShared && !(isOfOtherBudget && quota.isDrilled)
  if (!isDoubtful || !areRefusalsAlone(quota)) return broken
  return { ...broken, doubt: `${broken.observed}; ${OTHERS}` }
}

/** Whether what was not refused keeps to the windows by itself. */
export function areRefusalsAlone({
  prepared,
  asked,
}: Pick<UnexplainedQuota, 'prepared' | 'asked'>): boolean {
  const { outcomes } = prepared.index.columns
  const passed = rowsWhere(outcomes.length, (row) => outcomes[row] !== OUTCOME.refused)
  return isExplained(ofRows(prepared, passed), asked)
}

/** Names the sentence that is broken by what would explain the answers instead: another budget, or no fixed windows at all. */
function sentenceOf(
  quota: UnexplainedQuota,
): BrokenWindow & { readonly isOfOtherBudget?: boolean } {
  const { count, windowSeconds } = quota.asked.limit
  const limit = `${count} per ${windowSeconds} s`
  const { 'RATE-01': refused, 'RATE-02': admitted } = contradictions(quota.verdict)
  const other = otherBudget(quota)
  if (other !== undefined)
    return {
      requirement: other < count ? 'RATE-01' : 'RATE-02',
      observed: `windows that admit ${other} instead of ${limit} explain the answers`,
      first: (other < count ? refused[0] : admitted[0]) ?? refused[0] ?? admitted[0],
      isOfOtherBudget: true,
    }
  const first = refused[0] ?? admitted[0]
  const observed = `${refused.length} requests within a budget of ${limit} were refused and ${admitted.length} beyond it admitted`
  if (refused.length === 0) return { requirement: 'RATE-02', observed, first }
  // With a budget of one or two, windows of another budget and windows that slide look alike.
  const isTelling = count > 2 && quota.prepared.index.certainSent.length > 0
  if (!isTelling) return { requirement: 'RATE-01', observed, first }
  const reason = `fixed windows cannot explain this, wherever they start: ${observed}`
  return { requirement: 'RATE-03', observed: reason, first }
}

/** How many requests more or fewer a budget near the stated one has. */
const NEAR = [1, 2, 3] as const

/** Whether windows of a budget that is a few requests off explain all answers. */
export function fitsNearBudget(prepared: PreparedHistory, asked: Question): boolean {
  return NEAR.flatMap((step) => [-step, step]).some((step) => {
    const count = asked.limit.count + step
    return count > 0 && isExplained(prepared, { ...asked, limit: { ...asked.limit, count } })
  })
}

/** Shares of the stated budget by which others are tried, beside those near it. */
const SHARES = [0.05, 0.1, 0.5, 1] as const

/** A budget near the stated one whose fixed windows explain every answer; rather one whose windows were seen to be spent. */
function otherBudget({ prepared, asked, isDrilled }: UnexplainedQuota): number | undefined {
  const { count, windowSeconds } = asked.limit
  const steps = [...NEAR, ...SHARES.map((share) => Math.ceil(count * share))]
  const others = new Set(steps.flatMap((step) => [count - step, count + step]))
  const beginning = beginningOf(prepared, asked.limit)
  let unseen: number | undefined
  for (const other of others) {
    if (other < 1) continue
    const question = { ...asked, limit: { count: other, windowSeconds } }
    if (!isExplained(beginning, question) || !isExplained(prepared, question)) continue
    if (judgeHistory(prepared, question).fullWindows > 0) return other
    unseen ??= other
  }
  return isDrilled ? undefined : unseen
}

/** Least requests, and windows' worth of requests, that show whether a budget is worth a look at the whole history. */
const BEGINNING = { requestsMin: 20_000, budgets: 20 } as const

/**
 * What does not explain the beginning of a history does not explain the whole, and shows sooner. Refusals that requests beyond the
 * beginning may have caused are left out.
 */
function beginningOf(prepared: PreparedHistory, { count }: WindowLimit): PreparedHistory {
  const { sentMs, receivedMs, outcomes } = prepared.index.columns
  const length = Math.max(BEGINNING.requestsMin, BEGINNING.budgets * count)
  if (outcomes.length <= length) return prepared
  const untilMs = sentMs[length - 1] as number
  const rows = rowsWhere(
    length,
    (row) => outcomes[row] !== OUTCOME.refused || (receivedMs[row] as number) < untilMs,
  )
  return ofRows(prepared, rows)
}

function ofRows({ index, slackMs }: PreparedHistory, rows: Uint32Array): PreparedHistory {
  const { sentMs, receivedMs, outcomes, promisedSeconds } = index.columns
  const requests = {
    sentMs: valuesAt(sentMs, rows),
    receivedMs: valuesAt(receivedMs, rows),
    outcomes: Uint8Array.from(rows, (row) => outcomes[row] as number),
    promisedSeconds: valuesAt(promisedSeconds, rows),
  }
  return prepareHistory({ requests, slackMs })
}
