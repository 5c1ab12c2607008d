import type { CapacityStep } from '../../schemas/generated/run-record.ts'
import { HarnessError } from '../errors.ts'

/** What a step has to reach: latencies from due to received of what was admitted, and shares of all requests. */
export type Goals = {
  readonly latencies: readonly LatencyGoal[]
  /** Largest share of requests without an admitted answer that are neither refused by a limit nor by a cap, 0..1. */
  readonly errorShareMax: number
  /** Least share of the offered rate that is answered, 0..1. */
  readonly achievedShareMin: number
}

export type LatencyGoal = {
  /** As given: p99, p99.9, max. */
  readonly name: string
  /** 0..1; 1 is the maximum. */
  readonly quantile: number
  readonly limitMs: number
}

export type GoalResult = CapacityStep['goals'][number]

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
  const latencies = goals.flatMap((goal) => ('latency' in goal ? [goal.latency] : []))
  const share = (name: 'errors' | 'achieved'): number | undefined =>
    goals.findLast((goal) => 'share' in goal && goal.name === name && goal)?.share
  return {
    latencies: latencies.length > 0 ? latencies : DEFAULT_GOALS.latencies,
    errorShareMax: share('errors') ?? DEFAULT_GOALS.errorShareMax,
    achievedShareMin: share('achieved') ?? DEFAULT_GOALS.achievedShareMin,
  }
}

type Parsed =
  | { readonly latency: LatencyGoal; readonly share?: never; readonly name?: never }
  | { readonly name: 'errors' | 'achieved'; readonly share: number }

function parseGoal(text: string): Parsed {
  const [, name = '', limit = ''] = /^([a-z0-9.]+)=(.+)$/.exec(text.trim()) ?? []
  if (name === 'errors' || name === 'achieved') {
    const share = parseShare(limit)
    if (share !== undefined) return { name, share }
  }
  const quantile = quantileOf(name)
  const limitMs = parseDuration(limit)
  if (quantile !== undefined && limitMs !== undefined)
    return { latency: { name, quantile, limitMs } }
  throw new HarnessError(
    'E_USAGE',
    `--goal was ${JSON.stringify(text)}, a percentile with a time or a share in per cent was expected`,
    EXAMPLES,
  )
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

/** `0.8 ms`, `15.4 ms`, `312 ms`, `1,250 ms`. */
export function formatMs(milliseconds: number): string {
  const digits = milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0
  return `${Number(milliseconds.toFixed(digits)).toLocaleString('en-US')} ms`
}

export function formatShare(share: number): string {
  return `${Number((100 * share).toFixed(2))} %`
}
