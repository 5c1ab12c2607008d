/** What became of the goals that were asked for (--goal). */
import type { LoadResult } from '../../../schemas/generated/run-record.ts'
import { rowsWhere } from '../../rows.ts'
import {
  isMissed,
  judgeErrors,
  judgeLatency,
  type GoalResult,
  type LoadGoal,
} from '../shared/goals.ts'
import { answerKindAt, loadOperationAt, timesBetween } from './operation-figures.ts'
import type { SessionTable } from './session-table.ts'

/**
 * Judges each goal by latencies from due to received of what was admitted. `trouble` says why the load was not what was planned: then
 * only what the service alone took too long over is missed, and the rest stays undecided.
 */
export function judgeGoals(
  { exchanges }: SessionTable,
  goals: readonly LoadGoal[],
  trouble: string | undefined,
): NonNullable<LoadResult['goals']> {
  const { dueMs, sentMs, receivedMs } = exchanges
  return goals.map((goal) => {
    const { operation } = goal
    const rows = rowsWhere(
      exchanges.length,
      (row) => operation === undefined || loadOperationAt(exchanges, row) === operation,
    )
    const of = operation === undefined ? {} : { operation }
    if (!('latency' in goal)) {
      const failed = rows.filter((row) => FAILED.has(answerKindAt(exchanges, row))).length
      const judged = judgeErrors(failed, rows.length, goal.errorShareMax)
      return { ...of, ...(judged.met ? doubted(judged, trouble) : judged) }
    }
    const admitted = rows.filter((row) => answerKindAt(exchanges, row) === 'admitted')
    const fromSent = judgeLatency(timesBetween(sentMs, receivedMs, admitted), goal.latency)
    const fromDue = judgeLatency(timesBetween(dueMs, receivedMs, admitted), goal.latency)
    return { ...of, ...(isMissed(fromSent) ? fromDue : doubted(fromDue, trouble)) }
  })
}

/** A limiter and a cap that refuse are no errors. */
const FAILED: ReadonlySet<string> = new Set(['rejected', 'serverErrors', 'unanswered'])

function doubted(goal: GoalResult, trouble: string | undefined): GoalResult {
  return trouble === undefined
    ? goal
    : { ...goal, met: false, undecided: trouble.replace(/[.]$/, '') }
}
