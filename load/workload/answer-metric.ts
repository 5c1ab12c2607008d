/** One value for each answer, with tags that k6 can only set when the answer is known. */
import { Trend } from 'k6/metrics'
import { LOAD_OPERATION_OF } from '../protocol/open-model.ts'
import { METRIC, PLAN_ENV } from '../protocol/plan.ts'
import type { SessionAnswer, SessionRequest } from './session-io.ts'

/** In k6's init context. Without an output nobody would see it: k6 keeps each value until the end. */
export function answerMetric(): (request: SessionRequest, answer: SessionAnswer) => void {
  if (!__ENV[PLAN_ENV.outputs]) return () => undefined
  const trend = new Trend(METRIC.answer, true)
  return ({ operation }, { status, durationMs }) =>
    trend.add(durationMs, {
      operation: LOAD_OPERATION_OF[operation],
      status: String(status),
      verdict: verdictOf(status),
    })
}

function verdictOf(status: number): string {
  if (status === 0 || status >= 500) return 'failed'
  if (status === 429) return 'refused'
  return status < 400 ? 'admitted' : 'rejected'
}
