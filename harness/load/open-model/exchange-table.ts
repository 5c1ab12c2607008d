/** The exchanges of the open model as columns: about 50 bytes for each, so that a soak of a million of them can be judged in little memory. */
import type { EVIDENCE } from '../../../load/protocol/evidence-table.ts'
import type { SessionOperation } from '../../../load/protocol/open-model.ts'
import type { ColumnsOf } from '../evidence/row-columns.ts'
import type { RowOf } from '../evidence/line-reader.ts'

/** What creates orders, or shows them again. */
export const BUYS: ReadonlySet<SessionOperation> = new Set([
  'order',
  'replay',
  'cart',
  'cart-replay',
])

type Line = (typeof EVIDENCE)['open-model']['a']

/** Its lists are words of the evidence: percent-encoded texts, separated by commas. */
export type ExchangeRow = RowOf<Line>

/** `session` is the place of its session in the table. */
export type Exchanges = ColumnsOf<Line>

type ListName = 'ids' | 'prices' | 'states'

export function listAt(exchanges: Exchanges, name: ListName, row: number): string[] {
  const word = exchanges[name].at(row)
  if (word === undefined) return []
  return word.includes('%') ? word.split(',').map(decodeURIComponent) : word.split(',')
}

/** The word of a list; undefined for an empty one. */
export function listWord(list: readonly string[]): string | undefined {
  return list.length === 0 ? undefined : list.map(encodeURIComponent).join(',')
}

/** One request of a session with its answer. Times are milliseconds since time 0 of the schedule. */
export type SessionExchange = Readonly<RowExchange>

/**
 * Made by a constructor, not as a literal: if the first objects of a literal outlive a garbage collection, V8 puts all later ones among
 * the old. They do while one is under way. Sessions are gone through one after the other, and what each leaves
 * there holds its texts: 200 MB, in some runs.
 */
export class RowExchange {
  readonly session: number
  /** Index of the key in the plan. */
  readonly key: number
  readonly operation: SessionOperation
  /** 0, and one more with each retry after a 429. */
  readonly attempt: number
  readonly dueMs: number
  readonly sentMs: number
  readonly receivedMs: number
  /** What the service alone took, to a microsecond. */
  readonly durationMs: number
  /** 0: no answer. */
  readonly status: number
  /** The envelope's statusCode; for status 0 k6's error code. */
  readonly code: number | undefined
  readonly retryAfter: string | undefined
  readonly errorCode: string | undefined
  readonly newConnection: boolean
  readonly state: string | undefined
  readonly currency: string | undefined
  readonly total: string | undefined
  readonly reference: string | undefined
  readonly items: number | undefined
  readonly ids: readonly string[]
  readonly prices: readonly string[]
  readonly states: readonly string[]

  constructor(
    exchanges: Exchanges,
    row: number,
    { session, key }: Pick<SessionExchange, 'session' | 'key'>,
  ) {
    this.session = session
    this.key = key
    this.operation = exchanges.operation.at(row)
    this.attempt = exchanges.attempt[row] as number
    this.dueMs = exchanges.dueMs[row] as number
    this.sentMs = exchanges.sentMs[row] as number
    this.receivedMs = exchanges.receivedMs[row] as number
    this.durationMs = (exchanges.durationUs[row] as number) / 1000
    this.status = exchanges.status[row] as number
    this.code = exchanges.code.at(row)
    this.retryAfter = exchanges.retryAfter.at(row)
    this.errorCode = exchanges.errorCode.at(row)
    this.newConnection = exchanges.connection.at(row) === 'n'
    this.state = exchanges.state.at(row)
    this.currency = exchanges.currency.at(row)
    this.total = exchanges.total.at(row)
    this.reference = exchanges.reference.at(row)
    this.items = exchanges.items.at(row)
    this.ids = listAt(exchanges, 'ids', row)
    this.prices = listAt(exchanges, 'prices', row)
    this.states = listAt(exchanges, 'states', row)
  }
}
