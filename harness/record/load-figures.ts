import { LOST_ANSWER } from '../../contract/answers.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'

/** What is compared with a baseline. Maxima are not: one late answer moves them. */
export const FIGURES = {
  admittedMsP50: { text: 'latency of the admitted, p50', unit: 'ms', better: 'less', of: 'share' },
  admittedMsP95: { text: 'latency of the admitted, p95', unit: 'ms', better: 'less', of: 'share' },
  admittedMsP99: { text: 'latency of the admitted, p99', unit: 'ms', better: 'less', of: 'share' },
  achievedPerSecond: { text: 'achieved rate', unit: '/s', better: 'more', of: 'share' },
  unanswered: { text: `requests with ${LOST_ANSWER}`, unit: '', better: 'less', of: 'count' },
} as const satisfies Readonly<Record<string, FigureKind>>

export type FigureKind = {
  readonly text: string
  readonly unit: string
  readonly better: 'less' | 'more'
  /** Changes are given as a share of the baseline's figure, or as a number of their own. */
  readonly of: 'share' | 'count'
}

export type FigureName = keyof typeof FIGURES
export type Figures = Readonly<Partial<Record<FigureName, number>>>

export const FIGURE_NAMES = Object.keys(FIGURES) as readonly FigureName[]

/** The figures of one run of a scenario; those that it does not measure, or of nothing, are left out. */
export function figuresOf({ latency, measurements, requests }: LoadResult): Figures {
  const admitted = latency && latency.admitted.count > 0 ? latency.admitted : undefined
  const found: Record<FigureName, unknown> = {
    admittedMsP50: admitted?.msP50 ?? measurements['admittedLatencyMsP50'],
    admittedMsP95: admitted?.msP95 ?? measurements['admittedLatencyMsP95'],
    admittedMsP99: admitted?.msP99 ?? measurements['admittedLatencyMsP99'],
    achievedPerSecond: measurements['achievedPerSecond'],
    unanswered: requests.failed,
  }
  const isUsable = (name: FigureName): boolean => {
    const value = found[name]
    return typeof value === 'number' && (FIGURES[name].of === 'count' || value > 0)
  }
  return Object.fromEntries(FIGURE_NAMES.filter(isUsable).map((name) => [name, found[name]]))
}
