import type { LoadResult, Verdict } from '../../schemas/generated/run-record.ts'
import { figuresOf } from './figures.ts'

/** The worst first: what one repeat shows, the scenario shows. */
const WORST_FIRST: readonly Verdict[] = [
  'error',
  'fail',
  'inconclusive',
  'untested',
  'warn',
  'pass',
]

/** The results of all repeats of a scenario as one: the worst of them, with the figures of each. One alone stays as it is. */
export function joinRepeats(results: readonly LoadResult[]): LoadResult {
  const worst = WORST_FIRST.map((verdict) =>
    results.find((result) => result.verdict === verdict),
  ).find((result) => result !== undefined)
  const result = worst ?? results[0]
  if (result === undefined) throw new RangeError('There is no result to join.')
  if (results.length === 1) return result
  return {
    ...result,
    repeats: results.map((each) => ({ verdict: each.verdict, figures: { ...figuresOf(each) } })),
  }
}
