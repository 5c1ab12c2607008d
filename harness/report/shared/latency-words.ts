/** Latencies, answers and goals of load in words: the same for every form of a report. */
import type { Goal, Latencies, LoadResult } from '../../../schemas/generated/run-record.ts'
import { formatNumber, oneLine, plural } from '../../text.ts'

export const PERCENTILE_NAMES = ['p50', 'p90', 'p95', 'p99', 'p99.9', 'max'] as const

/** So many values tell a percentile from the maximum; with fewer none is shown. */
const VALUES_MIN: readonly number[] = [1, 10, 20, 100, 1000, 1]

/** Milliseconds, in the order of PERCENTILE_NAMES. */
export function percentileTexts(latencies: Latencies): string[] {
  const { count, msP50, msP90, msP95, msP99, msP999, msMax } = latencies
  return [msP50, msP90, msP95, msP99, msP999, msMax].map((ms, index) =>
    ms === undefined || count < (VALUES_MIN[index] ?? 0) ? '–' : msText(ms),
  )
}

/** Three significant digits. */
export function msText(ms: number): string {
  return formatNumber(Number(ms.toPrecision(3)))
}

type Operations = NonNullable<LoadResult['operations']>
type Sessions = NonNullable<LoadResult['sessions']>

const ANSWERS: readonly (readonly [kind: keyof Operations[number]['answers'], words: string])[] = [
  ['refused', 'refused (429)'],
  ['capped', 'by the cap'],
  ['rejected', 'otherwise refused'],
  ['serverErrors', 'by a 3xx or 5xx'],
  ['unanswered', 'without an answer'],
]

/** `120 sent, 3 refused (429)`: kinds that came to nothing are left out, so the rest was admitted. */
export function answersText({ sent, answers }: Omit<Operations[number], 'operation'>): string {
  const others = ANSWERS.filter(([kind]) => answers[kind] > 0).map(
    ([kind, words]) => `${formatNumber(answers[kind])} ${words}`,
  )
  return [`${formatNumber(sent)} sent`, ...others].join(', ')
}

export function endsText({ started, ends }: Sessions[number]): string {
  const parts = Object.entries(ends).map(([end, count]) => `${formatNumber(count)} ${end}`)
  return `${formatNumber(started)} began: ${parts.join(', ')}`
}

export type GoalVerdict = 'met' | 'missed' | 'undecided'

export function goalVerdict({ met, undecided }: Goal): GoalVerdict {
  if (undecided !== undefined) return 'undecided'
  return met ? 'met' : 'missed'
}

export const GOAL_TONES = { met: 'pass', missed: 'fail', undecided: 'inconclusive' } as const

/** `createOrder p99 at most 200 ms`. */
export function goalName({ operation, name, expected }: Goal): string {
  return oneLine([operation, name, expected].filter(Boolean).join(' '), 120)
}

/** What was measured, with the interval of a percentile, and why nothing follows from it. */
export function goalSeen({ observed, intervalMs, samples, undecided }: Goal): string {
  const of = samples === undefined ? '' : ` of ${plural(samples, 'answer')}`
  const why = undecided === undefined ? '' : `: ${undecided}`
  return oneLine(`${observed}${of}${intervalText(intervalMs)}${why}`, 400)
}

function intervalText(interval: Goal['intervalMs']): string {
  const { low, high } = interval ?? {}
  if (low === undefined && high === undefined) return ''
  if (high === undefined) return `, 95 % interval from ${msText(low ?? 0)} ms up`
  return `, 95 % interval ${low === undefined ? 'up' : msText(low)} to ${msText(high)} ms`
}
