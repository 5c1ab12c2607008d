import type {
  Baseline,
  BaselineFigure,
  LoadResult,
  RunRecord,
} from '../../schemas/generated/run-record.ts'
import { FIGURES, FIGURE_NAMES, figuresOf } from '../record/load-figures.ts'
import type { FigureName, Figures } from '../record/load-figures.ts'
import { type Shift, repeatsNeeded, shiftOf } from './rank-interval.ts'

/** Probability that a run as good as its baseline shows any figure as worse; the figures share it. */
export const ALPHA = 0.05

export type CompareOptions = {
  /** A figure that is worse by more, with all of its interval, is a regression; with a part of it, undecided. */
  readonly regressionPercentMax?: number | undefined
}

/**
 * Holds the repeats of load scenarios against those of an earlier run. A difference counts only where all of its interval lies on one
 * side of none (rank-interval.ts); the interval is as wide as it must be for all figures together. What is worse is reported. It is a
 * regression only beyond what is permitted.
 */
export function compareWithBaseline(
  baseline: Pick<RunRecord, 'runId' | 'startedAt' | 'load'>,
  load: readonly LoadResult[],
  options: CompareOptions = {},
): Baseline {
  const pairs = load.flatMap((now) => {
    const before = baseline.load.find(({ scenario }) => scenario === now.scenario)
    return before === undefined ? [] : pairsOf(before, now)
  })
  const alpha = ALPHA / Math.max(1, pairs.filter(({ reason }) => reason === undefined).length)
  return {
    runId: baseline.runId,
    startedAt: baseline.startedAt,
    alpha: ALPHA,
    ...(options.regressionPercentMax === undefined
      ? {}
      : { regressionPercentMax: options.regressionPercentMax }),
    figures: pairs.map((pair) => judgePair(pair, alpha, options)),
  }
}

type Pair = {
  readonly scenario: string
  readonly figure: FigureName
  readonly before: readonly number[]
  readonly now: readonly number[]
  /** Why nothing can be said, whatever the values. */
  readonly reason?: string | undefined
}

function pairsOf(before: LoadResult, now: LoadResult): Pair[] {
  const reason = whyDifferent(before, now)
  const [older, newer] = [repeatsOf(before), repeatsOf(now)]
  return FIGURE_NAMES.filter((name) => measures(older, name) || measures(newer, name)).map(
    (figure) => ({
      scenario: now.scenario,
      figure,
      before: older.flatMap((figures) => figures[figure] ?? []),
      now: newer.flatMap((figures) => figures[figure] ?? []),
      reason: reason ?? whyOneSided(measures(older, figure), measures(newer, figure)),
    }),
  )
}

/** What was measured once only must not pass for compared. */
function whyOneSided(isBefore: boolean, isNow: boolean): string | undefined {
  if (isBefore && isNow) return undefined
  return `${isNow ? 'the baseline' : 'this run'} did not measure it`
}

function measures(repeats: readonly Figures[], name: FigureName): boolean {
  return repeats.some((figures) => figures[name] !== undefined)
}

/** Only repeats that came to a pass measured what they were to measure. */
function repeatsOf(result: LoadResult): readonly Figures[] {
  const { repeats } = result
  if (repeats === undefined) return result.verdict === 'pass' ? [figuresOf(result)] : []
  return repeats.filter(({ verdict }) => verdict === 'pass').map(({ figures }) => figures)
}

function whyDifferent(before: LoadResult, now: LoadResult): string | undefined {
  if (before.workload !== now.workload)
    return `the workload is ${now.workload ?? 'none'}, the baseline's was ${before.workload ?? 'none'}`
  // Records of earlier versions do not say it.
  if (before.workloadShape && now.workloadShape && before.workloadShape !== now.workloadShape)
    return `the workload was changed: it is ${now.workloadShape}; the baseline's was ${before.workloadShape}`
  const [was, is] = [before, now].map(
    ({ requests, repeats }) => requests.planned / (repeats?.length ?? 1),
  )
  return was === is ? undefined : `${is} requests were planned, ${was} in the baseline`
}

function judgePair(pair: Pair, alpha: number, options: CompareOptions): BaselineFigure {
  const { scenario, figure, before, now, reason } = pair
  const base = {
    scenario,
    figure,
    repeats: { before: before.length, now: now.length },
    medians: { before: medianOf(before), now: medianOf(now) },
  }
  if (reason !== undefined) return { ...base, verdict: 'not comparable', reason }
  const isShare = FIGURES[figure].of === 'share'
  const scaled = (values: readonly number[]): number[] =>
    values.map((value) => (isShare ? Math.log(value) : value))
  const shift = shiftOf(scaled(before), scaled(now), alpha)
  if (shift === undefined)
    return { ...base, verdict: 'not comparable', reason: tooFew(pair, alpha) }
  const told = isShare ? inPercent(shift) : shift
  const change = { estimate: told.estimate, low: told.low, high: told.high, isPercent: isShare }
  return { ...base, verdict: verdictOf(figure, told, options), change }
}

function tooFew({ before, now }: Pair, alpha: number): string {
  const needed = repeatsNeeded(alpha)
  return `${now.length} repeats and ${before.length} in the baseline are too few to tell a difference from noise; ${needed} of both are enough (--repeats ${needed})`
}

function inPercent({ estimate, low, high }: Shift): Shift {
  return { estimate: percentOf(estimate), low: percentOf(low), high: percentOf(high) }
}

function percentOf(logarithm: number): number {
  return 100 * Math.expm1(logarithm)
}

function verdictOf(
  figure: FigureName,
  { low, high }: Shift,
  { regressionPercentMax }: CompareOptions,
): BaselineFigure['verdict'] {
  const { better, of } = FIGURES[figure]
  // How much worse it is at the least, and at the most.
  const [least, most] = better === 'less' ? [low, high] : [-high, -low]
  const isBounded = regressionPercentMax !== undefined
  if (isBounded && least > (of === 'count' ? 0 : regressionPercentMax)) return 'regression'
  // A regression beyond what is permitted may hide in an interval that reaches so far.
  if (isBounded && of === 'share' && most > regressionPercentMax) return 'undecided'
  if (most < 0) return 'better'
  return least > 0 ? 'worse' : 'within noise'
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const { length } = sorted
  return length === 0
    ? 0
    : ((sorted[(length - 1) >> 1] as number) + (sorted[length >> 1] as number)) / 2
}
