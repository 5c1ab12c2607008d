import { PLAN_ENV } from '../protocol/plan.ts'

type SummaryData = {
  readonly metrics: Readonly<
    Record<string, { readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>> }>
  >
}

/**
 * Writes which thresholds held, as `{ thresholds: [{ metric, expression, ok }] }`, and nothing else of k6's summary data: that could
 * hold what a setup function returned.
 */
export function writeSummary(data: SummaryData): Record<string, string> {
  const path = __ENV[PLAN_ENV.summary]
  if (!path) return {}
  const thresholds = Object.entries(data.metrics).flatMap(([metric, { thresholds = {} }]) =>
    Object.entries(thresholds).map(([expression, { ok }]) => ({ metric, expression, ok })),
  )
  return { [path]: JSON.stringify({ thresholds }) }
}
