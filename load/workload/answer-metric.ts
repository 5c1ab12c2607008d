/** One value for each answer, with tags that k6 can only set when the answer is known. */
import { meaningOf, type Meaning } from '../../contract/answers.ts'
import { Trend } from 'k6/metrics'
import { LOAD_OPERATION_OF } from '../protocol/open-model.ts'
import { METRIC, PLAN_ENV } from '../protocol/plan.ts'
import type { SessionAnswer, SessionRequest } from './session-io.ts'

/** In k6's init context. Without an output nobody would see it: k6 keeps each value until the end. */
export function answerMetric(): (request: SessionRequest, answer: SessionAnswer) => void {
  if (!__ENV[PLAN_ENV.outputs]) return () => undefined
  const trend = new Trend(METRIC.answer, true)
  return ({ operation }, answer) =>
    trend.add(answer.durationMs, {
      operation: LOAD_OPERATION_OF[operation],
      status: String(answer.status),
      verdict: VERDICTS[meaningOf(answer)],
    })
}

const VERDICTS: Readonly<Record<Meaning, string>> = {
  accepted: 'admitted',
  'refused by a window': 'refused',
  'refused by the cap': 'rejected',
  'refused otherwise': 'rejected',
  lost: 'failed',
}
