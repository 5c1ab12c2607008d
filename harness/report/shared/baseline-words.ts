/** The comparison of load with an earlier run, in words. */
import type { Baseline, BaselineFigure, Verdict } from '../../../schemas/generated/run-record.ts'
import { FIGURES } from '../../record/load-figures.ts'
import { formatNumber, oneLine } from '../../text.ts'

type FigureVerdict = BaselineFigure['verdict']

export const FIGURE_TONES: Readonly<Record<FigureVerdict, Verdict>> = {
  regression: 'fail',
  undecided: 'inconclusive',
  worse: 'warn',
  'not comparable': 'untested',
  better: 'pass',
  'within noise': 'pass',
}

/** Most urgent first. */
const FIGURE_VERDICTS = Object.keys(FIGURE_TONES) as readonly FigureVerdict[]

const SAID: Readonly<Record<FigureVerdict, string>> = {
  regression: 'worse by more than is permitted',
  undecided: 'undecided',
  worse: 'worse',
  'not comparable': 'not comparable',
  better: 'better',
  'within noise': 'within noise',
}

/** How many figures came out how. */
export function baselineHeadline({ figures, runId }: Baseline): string {
  const parts = FIGURE_VERDICTS.flatMap((verdict) => {
    const count = figures.filter((each) => each.verdict === verdict).length
    return count === 0 ? [] : [`${count} ${SAID[verdict]}`]
  })
  const counts = parts.length === 0 ? 'nothing to compare' : parts.join(', ')
  return `Figures of load beside run ${oneLine(runId, 80)}: ${counts}`
}

export function figuresByUrgency({ figures }: Baseline): readonly BaselineFigure[] {
  return figures.toSorted(
    (a, b) => FIGURE_VERDICTS.indexOf(a.verdict) - FIGURE_VERDICTS.indexOf(b.verdict),
  )
}

/** The measurement and its scenario. */
export function figureName({ scenario, figure }: BaselineFigure): string {
  return `${oneLine(scenario, 60)}: ${FIGURES[figure].text}`
}

export function medianText({ figure, medians }: BaselineFigure, of: 'before' | 'now'): string {
  return `${rounded(medians[of])} ${FIGURES[figure].unit}`.trim()
}

/** The change with its interval, or why there is none. */
export function changeText({ figure, change, reason, verdict }: BaselineFigure): string {
  if (!change) return oneLine(reason ?? 'no change was measured', 300)
  const unit = change.isPercent ? '%' : FIGURES[figure].unit
  const text = `${signed(change.estimate)} (${signed(change.low)} to ${signed(change.high)}) ${unit}`
  const worst = FIGURES[figure].better === 'less' ? change.high : -change.low
  if (worst <= 0 || !change.isPercent || verdict === 'regression') return text.trim()
  return `${text.trim()}; ${rounded(worst)} % worse is not excluded`
}

/** What a difference is, and what the comparison would call worse by chance. */
export function baselineTerms({ alpha, regressionPercentMax }: Baseline): string {
  const chance = `If both runs are equally good and their machines equally busy, the probability that any figure looks worse is at most ${rounded(100 * alpha)} %.`
  return regressionPercentMax === undefined
    ? `${chance} No bound was asked for (--max-regression), so what is worse is reported and fails nothing.`
    : `${chance} What is worse by more than ${rounded(regressionPercentMax)} %, with all of its interval, fails the run; an interval that reaches beyond leaves it undecided (exit 6).`
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${rounded(value)}`
}

function rounded(value: number): string {
  return formatNumber(Number(value.toPrecision(3)))
}
