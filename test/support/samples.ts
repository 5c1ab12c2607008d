/** Exchanges of a stream as tests write them, one by one. */
import { RowColumns } from '../../harness/load/evidence/row-columns.ts'
import type { RowOf } from '../../harness/load/evidence/line-reader.ts'
import type { Samples } from '../../harness/load/rate-limits/samples.ts'
import { EVIDENCE } from '../../load/protocol/evidence-table.ts'

type Row = RowOf<typeof EVIDENCE.windows.x>

export type LoadSample = Partial<Row> & Pick<Row, 'phase' | 'sentMs' | 'receivedMs' | 'status'>

const BLANK = {
  stream: 0,
  key: 0,
  code: undefined,
  retryAfter: undefined,
  connection: 'r',
} as const

export function samplesFrom(list: Iterable<LoadSample>): Samples {
  const columns = new RowColumns(EVIDENCE.windows.x)
  for (const sample of list) columns.push({ ...BLANK, ...sample })
  return columns.columns()
}

export function listOf(samples: Samples | undefined): Row[] {
  if (samples === undefined) return []
  const { stream, key, phase, sentMs, receivedMs, status, code, retryAfter, connection } = samples
  return Array.from({ length: samples.length }, (_, row) => ({
    stream: stream[row] as number,
    key: key[row] as number,
    phase: phase.at(row),
    sentMs: sentMs[row] as number,
    receivedMs: receivedMs[row] as number,
    status: status[row] as number,
    code: code.at(row),
    retryAfter: retryAfter.at(row),
    connection: connection.at(row),
  }))
}
