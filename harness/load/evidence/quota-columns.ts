import { windowOutcomeOf } from '../../../contract/answers.ts'
import { OUTCOME, type QuotaColumns } from '../../judge/limiter.ts'
import { parseRetryAfterSeconds } from '../../retry-after.ts'
import { valuesAt } from '../../rows.ts'
import type { Coded } from './row-columns.ts'

/** What the limiter oracle looks at of each exchange. */
type Counted = {
  readonly sentMs: Float64Array
  readonly receivedMs: Float64Array
  readonly status: Uint16Array
  readonly retryAfter: Coded<string | undefined>
}

/** All rows, or some of them, as the limiter oracle wants them. */
export function quotaColumns(
  { sentMs, receivedMs, status, retryAfter }: Counted,
  rows?: Uint32Array,
): QuotaColumns {
  const length = rows?.length ?? status.length
  // Few texts stand in many rows.
  const seconds = new Map<number, number>()
  const outcomes = new Uint8Array(length)
  const promisedSeconds = new Float64Array(length)
  for (let at = 0; at < length; at++) {
    const row = rows ? (rows[at] as number) : at
    outcomes[at] = OUTCOME[windowOutcomeOf({ status: status[row] as number })]
    const text = retryAfter.values[row] as number
    let promised = seconds.get(text)
    if (promised === undefined) {
      promised = parseRetryAfterSeconds(retryAfter.at(row)) ?? Number.NaN
      seconds.set(text, promised)
    }
    promisedSeconds[at] = promised
  }
  return {
    sentMs: rows ? valuesAt(sentMs, rows) : sentMs,
    receivedMs: rows ? valuesAt(receivedMs, rows) : receivedMs,
    outcomes,
    promisedSeconds,
  }
}
