/** What became of the goals that were asked for (--goal). */
import type { LoadResult, LoadSlice } from '../../../schemas/generated/run-record.ts'
import { rowsWhere } from '../../rows.ts'
import {
  isMissed,
  judgeErrors,
  judgeLatency,
  type GoalResult,
  type LatencyGoal,
  type LoadGoal,
} from '../shared/goals.ts'
import { answerKindAt, loadOperationAt, serviceTimes, timesBetween } from './operation-figures.ts'
import type { Exchanges } from './exchange-table.ts'
import { quantile, roundedMs } from '../shared/latencies.ts'
import type { SessionTable } from './session-table.ts'

/**
 * Judges each goal by latencies from due to received of what was admitted. `trouble` says why the load was not what was planned: then
 * only what the service alone took too long over is missed, and the rest stays undecided.
 */
export function judgeGoals(
  { exchanges }: SessionTable,
  goals: readonly LoadGoal[],
  trouble: string | undefined,
  series: readonly LoadSlice[] = [],
): NonNullable<LoadResult['goals']> {
  const { dueMs, receivedMs } = exchanges
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
    const fromSent = judgeLatency(serviceTimes(exchanges, admitted), goal.latency)
    const fromDue = judgeLatency(timesBetween(dueMs, receivedMs, admitted), goal.latency)
    const judged = isMissed(fromSent) ? fromDue : doubted(fromDue, trouble)
    if (operation === undefined) return judged
    return { ...of, ...judged, overTime: overTime(exchanges, admitted, goal.latency, series) }
  })
}

/** The percentile of a goal among these rows, slice by slice of when they were due. */
function overTime(
  { dueMs, receivedMs }: Exchanges,
  rows: Uint32Array,
  { quantile: share }: LatencyGoal,
  series: readonly LoadSlice[],
): NonNullable<GoalResult['overTime']> {
  return series.flatMap(({ fromSeconds, seconds }) => {
    const [fromMs, untilMs] = [1000 * fromSeconds, 1000 * (fromSeconds + seconds)]
    const within = rows.filter((row) => {
      const due = dueMs[row] as number
      return due >= fromMs && due < untilMs
    })
    if (within.length === 0) return []
    const ms = quantile(timesBetween(dueMs, receivedMs, within), share)
    return [{ fromSeconds, seconds, ms: roundedMs(ms) }]
  })
}

/** A limiter and a cap that refuse are no errors. */
const FAILED: ReadonlySet<string> = new Set(['rejected', 'serverErrors', 'unanswered'])

function doubted(goal: GoalResult, trouble: string | undefined): GoalResult {
  return trouble === undefined
    ? goal
    : { ...goal, met: false, undecided: trouble.replace(/[.]$/, '') }
}
