import type { Goal } from '../../../schemas/generated/run-record.ts'
import { HarnessError } from '../../errors.ts'
import { didYouMean } from '../../nearest.ts'
import { quantile, quantileInterval, samplesNeeded } from './latencies.ts'

/** What a step has to reach: latencies from due to received of what was admitted, and shares of all requests. */
export type Goals = {
  readonly latencies: readonly LatencyGoal[]
  /** Largest share of requests without an admitted answer that are neither refused by a limit nor by a cap, 0..1. */
  readonly errorShareMax: number
  /** Least share of the offered rate that is answered, 0..1. */
  readonly achievedShareMin: number
}

/** Samples by which the most demanding of percentiles can be called met. */
export function samplesFor(latencies: readonly LatencyGoal[]): number {
  return Math.max(...latencies.map(({ quantile: share }) => samplesNeeded(share)))
}

export type LatencyGoal = {
  /** As given: p99, p99.9, max. */
  readonly name: string
  /** 0..1; 1 is the maximum. */
  readonly quantile: number
  readonly limitMs: number
}

/** Of all requests, or of one operation. */
export type GoalResult = Goal

/** A latency that people notice, no more errors than one in a thousand, and nearly everything answered. */
export const DEFAULT_GOALS: Goals = {
  latencies: [{ name: 'p99', quantile: 0.99, limitMs: 200 }],
  errorShareMax: 0.001,
  achievedShareMin: 0.95,
}

const EXAMPLES =
  'Write for example --goal p99=200ms, --goal p99.9=1s, --goal errors=0.1%, --goal achieved=95%.'

/** Reads goals as --goal gives them, each NAME=LIMIT. Latency goals replace the default one. Throws E_USAGE. */
export function parseGoals(texts: readonly string[]): Goals {
  const goals = texts.map(parseGoal)
  const ofOne = goals.find(({ operation }) => operation !== undefined)
  if (ofOne)
    throw new HarnessError(
      'E_USAGE',
      `--goal named ${ofOne.operation}, and a search for capacity judges all requests together`,
      EXAMPLES,
    )
  const latencies = goals.flatMap((goal) => ('latency' in goal ? [goal.latency] : []))
  const share = (name: 'errors' | 'achieved'): number | undefined =>
    goals.findLast((goal) => 'share' in goal && goal.name === name && goal)?.share
  return {
    latencies: latencies.length > 0 ? latencies : DEFAULT_GOALS.latencies,
    errorShareMax: share('errors') ?? DEFAULT_GOALS.errorShareMax,
    achievedShareMin: share('achieved') ?? DEFAULT_GOALS.achievedShareMin,
  }
}

type Parsed = { readonly operation?: string } & (
  | { readonly latency: LatencyGoal; readonly share?: never; readonly name?: never }
  | { readonly name: 'errors' | 'achieved'; readonly share: number; readonly latency?: never }
)

/** A goal of load: of one operation, or of all requests of a scenario. */
export type LoadGoal = { readonly operation?: string } & (
  | { readonly latency: LatencyGoal }
  | { readonly errorShareMax: number }
)

/** Reads goals of load, each `[OPERATION ]NAME=LIMIT`. Throws E_USAGE. */
export function parseLoadGoals(
  texts: readonly string[],
  operations: readonly string[],
): LoadGoal[] {
  return texts.map((text) => {
    const { operation, ...goal } = parseGoal(text)
    if (operation !== undefined && !operations.includes(operation))
      throw new HarnessError(
        'E_USAGE',
        `--goal was ${JSON.stringify(text)}, and no client sends ${operation}`,
        didYouMean(operation, operations, `Choose from ${operations.join(', ')}.`),
      )
    if (goal.name === 'achieved')
      throw new HarnessError(
        'E_USAGE',
        '--goal achieved is for a search for capacity',
        'Ask load for a latency or for errors: --goal p99=200ms, --goal errors=0.1%.',
      )
    const of = operation === undefined ? {} : { operation }
    return goal.latency === undefined
      ? { ...of, errorShareMax: goal.share }
      : { ...of, latency: goal.latency }
  })
}

function parseGoal(text: string): Parsed {
  const [, operation, name = '', limit = ''] =
    /^(?:([A-Za-z]+) +)?([a-z0-9.]+)=(.+)$/.exec(text.trim()) ?? []
  const of = operation === undefined ? {} : { operation }
  if (name === 'errors' || name === 'achieved') {
    const share = parseShare(limit)
    if (share !== undefined) return { ...of, name, share }
  }
  const quantileAsked = quantileOf(name)
  const limitMs = parseDuration(limit)
  if (quantileAsked !== undefined && limitMs !== undefined)
    return { ...of, latency: { name, quantile: quantileAsked, limitMs } }
  throw new HarnessError(
    'E_USAGE',
    `--goal was ${JSON.stringify(text)}, a percentile with a time or a share in per cent was expected`,
    EXAMPLES,
  )
}

/**
 * Holds a percentile of latencies, in ascending order, against its goal. Where it lies is known up to an interval: met only if all of
 * the interval meets the goal and there are enough samples, missed only if none of it does.
 */
export function judgeLatency(
  ascending: Float64Array,
  { name, quantile: share, limitMs }: LatencyGoal,
): GoalResult {
  const samples = ascending.length
  const ms = quantile(ascending, share)
  const told = { name, expected: `at most ${formatMs(limitMs)}`, limitMs, samples }
  if (samples === 0)
    return { ...told, observed: 'none', met: false, undecided: 'no request was admitted' }
  const observed = formatMs(ms)
  if (share === 1) return { ...told, observed, met: ms <= limitMs }
  const intervalMs = quantileInterval(ascending, share)
  const seen = { ...told, observed, intervalMs }
  const { low = 0, high = Infinity } = intervalMs
  if (low > limitMs) return { ...seen, met: false }
  const needed = samplesNeeded(share)
  if (samples < needed) {
    const few = `${name} needs ${needed.toLocaleString('en-US')} samples, there are ${samples.toLocaleString('en-US')}`
    return { ...seen, met: false, undecided: few }
  }
  if (high <= limitMs) return { ...seen, met: true }
  const undecided = `with ${samples.toLocaleString('en-US')} samples ${name} lies between ${formatMs(low)} and ${formatMs(high)}`
  return { ...seen, met: false, undecided }
}

export function isMissed({ met, undecided }: GoalResult): boolean {
  return !met && undecided === undefined
}

export function judgeErrors(failed: number, sent: number, errorShareMax: number): GoalResult {
  const told = { name: 'errors', expected: `at most ${formatShare(errorShareMax)}` }
  if (sent === 0) return { ...told, observed: 'none', met: false, undecided: 'no request was sent' }
  const errors = failed / sent
  return { ...told, observed: formatShare(errors), met: errors <= errorShareMax }
}

function quantileOf(name: string): number | undefined {
  if (name === 'max') return 1
  const percent = Number(/^p(\d{1,2}(?:\.\d{1,3})?)$/.exec(name)?.[1])
  return percent > 0 ? percent / 100 : undefined
}

function parseShare(text: string): number | undefined {
  const percent = Number(/^(\d{1,3}(?:\.\d{1,4})?)%$/.exec(text)?.[1])
  return percent <= 100 ? percent / 100 : undefined
}

/** Milliseconds of `250ms` or `1.5s`; undefined for anything else, and for nothing. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s)$/.exec(text) ?? []
  const milliseconds = Number(number) * (unit === 's' ? 1000 : 1)
  return milliseconds > 0 ? milliseconds : undefined
}

/** Goals as --goal takes them. */
export function goalTexts({ latencies, errorShareMax, achievedShareMin }: Goals): string[] {
  return [
    ...latencies.map(({ name, limitMs }) => `${name}=${limitMs}ms`),
    `errors=${formatShare(errorShareMax).replace(' ', '')}`,
    `achieved=${formatShare(achievedShareMin).replace(' ', '')}`,
  ]
}

/** A goal of load as --goal takes it. */
export function loadGoalText(goal: LoadGoal): string {
  const of = goal.operation === undefined ? '' : `${goal.operation} `
  return 'latency' in goal
    ? `${of}${goal.latency.name}=${goal.latency.limitMs}ms`
    : `${of}errors=${Number((100 * goal.errorShareMax).toPrecision(6))}%`
}

/** `0.8 ms`, `15.4 ms`, `312 ms`, `1,250 ms`. */
export function formatMs(milliseconds: number): string {
  const digits = milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0
  return `${Number(milliseconds.toFixed(digits)).toLocaleString('en-US')} ms`
}

export function formatShare(share: number): string {
  return `${Number((100 * share).toFixed(2))} %`
}
