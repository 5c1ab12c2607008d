/** What came of the requests of each operation, and of the sessions of each kind of client. Pure: judges nothing. */
import {
  LOAD_OPERATION_OF,
  SESSION_ENDS,
  SESSION_KINDS,
  type LoadOperation,
  type SessionKind,
} from '../../../load/protocol/open-model.ts'
import type { LoadResult } from '../../../schemas/generated/run-record.ts'
import { meaningOf, type Meaning } from '../../../contract/answers.ts'
import { rowsWhere, valuesAt } from '../../rows.ts'
import { latenciesOf } from '../shared/latencies.ts'
import type { Exchanges } from './exchange-table.ts'
import type { SessionTable } from './session-table.ts'

type OperationFigures = NonNullable<LoadResult['operations']>[number]
type SessionFigures = NonNullable<LoadResult['sessions']>[number]
export type AnswerKind = keyof OperationFigures['answers']

export const LOAD_OPERATIONS: readonly LoadOperation[] = [
  ...new Set(Object.values(LOAD_OPERATION_OF)),
]

/** What clients of a kind may send. */
export const OPERATIONS_OF_KIND: Readonly<Record<SessionKind, readonly LoadOperation[]>> = {
  browse: ['listServices', 'lookupItems', 'getItem'],
  buyer: ['createOrder', 'getOrders', 'unhide'],
  shopper: ['createCart', 'getOrders'],
  orderer: ['createOrder', 'unhide'],
}

export function loadOperationAt(exchanges: Exchanges, row: number): LoadOperation {
  return LOAD_OPERATION_OF[exchanges.operation.at(row)]
}

const KINDS: Readonly<Record<Meaning, AnswerKind>> = {
  accepted: 'admitted',
  'refused by a window': 'refused',
  'refused by the cap': 'capped',
  'refused otherwise': 'rejected',
  lost: 'serverErrors',
}

/** What an answer was to the client. */
export function answerKindAt(exchanges: Exchanges, row: number): AnswerKind {
  const status = exchanges.status[row] as number
  if (status === 0) return 'unanswered'
  const errorCode = exchanges.errorCode.at(row)
  return KINDS[meaningOf({ status, code: exchanges.code.at(row), errorCode })]
}

const ANSWER_KINDS: readonly AnswerKind[] = [...Object.values(KINDS), 'unanswered']

/** Rows of each operation that was sent, in the order of LOAD_OPERATIONS. */
export function operationFigures({ exchanges }: SessionTable): OperationFigures[] {
  return LOAD_OPERATIONS.flatMap((operation) => {
    const rows = rowsWhere(exchanges.length, (row) => loadOperationAt(exchanges, row) === operation)
    return rows.length === 0 ? [] : [{ operation, ...figuresOf(exchanges, rows) }]
  })
}

function figuresOf(exchanges: Exchanges, rows: Uint32Array): Omit<OperationFigures, 'operation'> {
  const { dueMs, receivedMs } = exchanges
  const having = (kind: AnswerKind): Uint32Array =>
    rows.filter((row) => answerKindAt(exchanges, row) === kind)
  const [admitted, refused] = [having('admitted'), having('refused')]
  return {
    sent: rows.length,
    answers: Object.fromEntries(
      ANSWER_KINDS.map((kind) => [kind, having(kind).length]),
    ) as OperationFigures['answers'],
    admitted: latenciesOf(timesBetween(dueMs, receivedMs, admitted)),
    admittedService: latenciesOf(serviceTimes(exchanges, admitted)),
    refused: latenciesOf(timesBetween(dueMs, receivedMs, refused)),
  }
}

/** From one time to the other of some rows, in ascending order. */
export function timesBetween(
  fromMs: Float64Array,
  toMs: Float64Array,
  rows: Uint32Array,
): Float64Array {
  const from = valuesAt(fromMs, rows)
  return valuesAt(toMs, rows)
    .map((time, at) => time - (from[at] as number))
    .toSorted()
}

/** What the service alone took over some rows, in ascending order. */
export function serviceTimes({ durationUs }: Exchanges, rows: Uint32Array): Float64Array {
  return Float64Array.from(rows, (row) => (durationUs[row] as number) / 1000).toSorted()
}

/** From when they were due to their last answer, of those that got all they wanted. */
export function sessionFigures(sessions: SessionTable): SessionFigures[] {
  const { receivedMs } = sessions.exchanges
  return SESSION_KINDS.flatMap((kind) => {
    const places = rowsWhere(sessions.length, (place) => sessions.kindOf(place) === kind)
    if (places.length === 0) return []
    const ended = [...places].map((place) => sessions.endOf(place) ?? 'stopped')
    const ends = [...SESSION_ENDS, 'stopped' as const].flatMap((end) => {
      const count = ended.filter((each) => each === end).length
      return count > 0 ? [[end, count] as const] : []
    })
    const times = [...places].flatMap((place) => {
      const last = sessions.rowsOf(place).at(-1)
      return sessions.endOf(place) === 'done' && last !== undefined
        ? [(receivedMs[last] as number) - (sessions.dueMs[place] as number)]
        : []
    })
    const latency = latenciesOf(Float64Array.from(times).toSorted())
    return [{ kind, started: places.length, ends: Object.fromEntries(ends), latency }]
  })
}
