/** The exchanges of a quota as columns: about 30 bytes for each, so that a million of them can be judged in little memory. */
import { EVIDENCE } from '../../../load/protocol/evidence-table.ts'
import type { Phase } from '../../../load/protocol/evidence.ts'
import { OUTCOME } from '../../judge/limiter.ts'
import type { QuotaColumns } from '../../judge/limiter.ts'
import { orderBy } from '../../rows.ts'
import { joinRows, pickRows, RowColumns, type ColumnsOf } from '../evidence/row-columns.ts'
import { windowOutcomeOf } from '../../../contract/answers.ts'
import { parseRetryAfterSeconds } from '../../retry-after.ts'

/** One exchange as k6 saw it. Times are milliseconds since k6 started its test. */
export type LoadSample = {
  readonly key: number
  readonly phase: Phase
  readonly sentMs: number
  readonly receivedMs: number
  /** 0: no answer. */
  readonly status: number
  /** statusCode of a 429, or k6's error code where there was no answer. */
  readonly code?: number
  /** The header of a 429 as it came. */
  readonly retryAfter?: string
  readonly newConnection: boolean
}

export type Samples = ColumnsOf<typeof EVIDENCE.windows.x>

export function samplesFrom(list: Iterable<LoadSample>): Samples {
  const columns = new RowColumns(EVIDENCE.windows.x)
  for (const { code, retryAfter, newConnection, ...sample } of list)
    columns.push({ ...sample, stream: 0, code, retryAfter, connection: newConnection ? 'n' : 'r' })
  return columns.columns()
}

/** One row as an object; undefined beyond the end. */
export function sampleAt(samples: Samples, row: number): LoadSample | undefined {
  if (!(row >= 0 && row < samples.length)) return undefined
  const [code, retryAfter] = [samples.code.at(row), samples.retryAfter.at(row)]
  return {
    key: samples.key[row] as number,
    phase: samples.phase.at(row),
    sentMs: samples.sentMs[row] as number,
    receivedMs: samples.receivedMs[row] as number,
    status: samples.status[row] as number,
    ...(code !== undefined && { code }),
    ...(retryAfter !== undefined && { retryAfter }),
    newConnection: samples.connection.at(row) === 'n',
  }
}

/** The samples of several streams of one file in the order of sending; those of one stream that are so already are not copied. */
export function inSentOrder(parts: readonly Samples[]): Samples {
  const [first, ...rest] = parts
  if (first === undefined) return samplesFrom([])
  const all = rest.length === 0 ? first : joinRows([first, ...rest])
  const order = orderBy(all.sentMs)
  return order === undefined ? all : pickRows(all, order)
}

/** As the limiter oracle wants them. */
export function quotaColumns(samples: Samples): QuotaColumns {
  const { length, sentMs, receivedMs, status, retryAfter } = samples
  const seconds = new Map<number, number>()
  const outcomes = new Uint8Array(length)
  const promisedSeconds = new Float64Array(length)
  for (let row = 0; row < length; row++) {
    outcomes[row] = OUTCOME[windowOutcomeOf({ status: status[row] as number })]
    const text = retryAfter.values[row] as number
    let promised = seconds.get(text)
    if (promised === undefined) {
      promised = parseRetryAfterSeconds(retryAfter.at(row)) ?? Number.NaN
      seconds.set(text, promised)
    }
    promisedSeconds[row] = promised
  }
  return { sentMs, receivedMs, outcomes, promisedSeconds }
}
