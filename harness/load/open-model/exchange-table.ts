/** The exchanges of the open model as columns: about 50 bytes for each, so that a soak of a million of them can be judged in little memory. */
import { SESSION_OPERATIONS } from '../../../load/protocol/open-model.ts'
import type { SessionOperation } from '../../../load/protocol/open-model.ts'
import { Column } from '../rate-limits/evidence-table.ts'
import { WidthColumn } from './width-column.ts'
import { TextColumn, type TextRows } from './string-pool.ts'

/** One request of a session with its answer. Times are milliseconds since time 0 of the schedule. */
export type SessionExchange = {
  readonly session: number
  /** Index of the key in the plan. */
  readonly key: number
  readonly operation: SessionOperation
  /** Which purchase of the session it is about. */
  readonly subject: number | undefined
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
}

/** What creates orders, or shows them again. */
export const BUYS: ReadonlySet<SessionExchange['operation']> = new Set([
  'order',
  'replay',
  'cart',
  'cart-replay',
])

/** Its lists are words of the evidence: percent-encoded texts, separated by commas. */
export type ExchangeRow = Omit<SessionExchange, 'session' | 'key' | 'ids' | 'prices' | 'states'> &
  Readonly<Record<'ids' | 'prices' | 'states', string | undefined>>

/** Limits of the columns; what does not fit is no evidence. */
export const EXCHANGE_MAX = {
  subject: 0xffff,
  attempt: 0xffff,
  code: 0x7fffffff,
  durationUs: 0xffffffff,
} as const
/** Stands in its column for none. */
export const NO_CODE = -0x80000000

export type Exchanges = {
  readonly length: number
  /** Places of sessions in their table. */
  readonly sessions: Uint32Array
  /** Indexes of SESSION_OPERATIONS. */
  readonly operations: Uint8Array
  /** Each one more than it is, 0 for none; so are `items`. */
  readonly subjects: ArrayLike<number>
  readonly attempts: Uint16Array
  readonly dueMs: Float64Array
  readonly sentMs: Float64Array
  readonly receivedMs: Float64Array
  readonly durationUs: Uint32Array
  readonly statuses: Uint16Array
  /** NO_CODE for none. */
  readonly codes: Int32Array
  /** 1 for a new one. */
  readonly newConnections: Uint8Array
  readonly items: ArrayLike<number>
  /** Those of lists are words of the evidence. */
  readonly texts: Readonly<Record<TextName, TextRows>>
}

const TEXT_NAMES = [
  'retryAfter',
  'errorCode',
  'state',
  'currency',
  'total',
  'reference',
  'ids',
  'prices',
  'states',
] as const
export type TextName = (typeof TEXT_NAMES)[number]

/** Collects exchanges of all sessions. */
export class ExchangeColumns {
  readonly #sessions = new Column('uint32')
  readonly #operations = new Column('uint8')
  readonly #subjects = new WidthColumn()
  readonly #attempts = new Column('uint16')
  readonly #dueMs = new Column('float64')
  readonly #sentMs = new Column('float64')
  readonly #receivedMs = new Column('float64')
  readonly #durationUs = new Column('uint32')
  readonly #statuses = new Column('uint16')
  readonly #codes = new Column('int32')
  readonly #newConnections = new Column('uint8')
  readonly #items = new WidthColumn()
  readonly #texts = byName(() => new TextColumn())

  get length(): number {
    return this.#sessions.length
  }

  /** `session` is the place of its session in the table. */
  push(session: number, row: ExchangeRow): void {
    this.#sessions.push(session)
    this.#operations.push(SESSION_OPERATIONS.indexOf(row.operation))
    this.#subjects.push((row.subject ?? -1) + 1)
    this.#attempts.push(row.attempt)
    this.#dueMs.push(row.dueMs)
    this.#sentMs.push(row.sentMs)
    this.#receivedMs.push(row.receivedMs)
    this.#durationUs.push(Math.round(1000 * row.durationMs))
    this.#statuses.push(row.status)
    this.#codes.push(row.code ?? NO_CODE)
    this.#newConnections.push(row.newConnection ? 1 : 0)
    this.#items.push((row.items ?? -1) + 1)
    for (const name of TEXT_NAMES) this.#texts[name].push(row[name])
  }

  exchanges(): Exchanges {
    return {
      length: this.length,
      sessions: this.#sessions.values(),
      operations: this.#operations.values(),
      subjects: this.#subjects.values(),
      attempts: this.#attempts.values(),
      dueMs: this.#dueMs.values(),
      sentMs: this.#sentMs.values(),
      receivedMs: this.#receivedMs.values(),
      durationUs: this.#durationUs.values(),
      statuses: this.#statuses.values(),
      codes: this.#codes.values(),
      newConnections: this.#newConnections.values(),
      items: this.#items.values(),
      texts: byName((name) => this.#texts[name].rows()),
    }
  }
}

function byName<T>(make: (name: TextName) => T): Record<TextName, T> {
  return Object.fromEntries(TEXT_NAMES.map((name) => [name, make(name)])) as Record<TextName, T>
}

export function operationAt({ operations }: Exchanges, row: number): SessionOperation {
  return SESSION_OPERATIONS[operations[row] as number] as SessionOperation
}

export function codeAt({ codes }: Exchanges, row: number): number | undefined {
  const code = codes[row]
  return code === NO_CODE ? undefined : code
}

export function textAt(
  { texts }: Exchanges,
  name: Exclude<TextName, ListName>,
  row: number,
): string | undefined {
  return texts[name].at(row)
}

type ListName = 'ids' | 'prices' | 'states'

export function listAt({ texts }: Exchanges, name: ListName, row: number): string[] {
  const word = texts[name].at(row)
  if (word === undefined) return []
  return word.includes('%') ? word.split(',').map(decodeURIComponent) : word.split(',')
}

/** Whether a word is encoded as lists are; so is none. */
export function isList(word: string | undefined): boolean {
  if (word === undefined || !word.includes('%')) return true
  try {
    decodeURIComponent(word)
    return true
  } catch {
    return false
  }
}

/** The word of a list; undefined for an empty one. */
export function listWord(list: readonly string[]): string | undefined {
  return list.length === 0 ? undefined : list.map(encodeURIComponent).join(',')
}

/** One row as an object. */
export function exchangeAt(
  exchanges: Exchanges,
  row: number,
  session: Pick<SessionExchange, 'session' | 'key'>,
): SessionExchange {
  return new RowExchange(exchanges, row, session)
}

/**
 * Made by a constructor, not as a literal: if the first objects of a literal outlive a garbage collection, V8 puts all later ones among
 * the old. They do while one is under way. Sessions are gone through one after the other, and what each leaves
 * there holds its texts: 200 MB, in some runs.
 */
class RowExchange implements SessionExchange {
  readonly session: SessionExchange['session']
  readonly key: SessionExchange['key']
  readonly operation: SessionExchange['operation']
  readonly subject: SessionExchange['subject']
  readonly attempt: SessionExchange['attempt']
  readonly dueMs: SessionExchange['dueMs']
  readonly sentMs: SessionExchange['sentMs']
  readonly receivedMs: SessionExchange['receivedMs']
  readonly durationMs: SessionExchange['durationMs']
  readonly status: SessionExchange['status']
  readonly code: SessionExchange['code']
  readonly retryAfter: SessionExchange['retryAfter']
  readonly errorCode: SessionExchange['errorCode']
  readonly newConnection: SessionExchange['newConnection']
  readonly state: SessionExchange['state']
  readonly currency: SessionExchange['currency']
  readonly total: SessionExchange['total']
  readonly reference: SessionExchange['reference']
  readonly items: SessionExchange['items']
  readonly ids: SessionExchange['ids']
  readonly prices: SessionExchange['prices']
  readonly states: SessionExchange['states']

  constructor(
    exchanges: Exchanges,
    row: number,
    { session, key }: Pick<SessionExchange, 'session' | 'key'>,
  ) {
    this.session = session
    this.key = key
    this.operation = operationAt(exchanges, row)
    this.subject = countAt(exchanges, 'subjects', row)
    this.attempt = exchanges.attempts[row] as number
    this.dueMs = exchanges.dueMs[row] as number
    this.sentMs = exchanges.sentMs[row] as number
    this.receivedMs = exchanges.receivedMs[row] as number
    this.durationMs = (exchanges.durationUs[row] as number) / 1000
    this.status = exchanges.statuses[row] as number
    this.code = codeAt(exchanges, row)
    this.retryAfter = textAt(exchanges, 'retryAfter', row)
    this.errorCode = textAt(exchanges, 'errorCode', row)
    this.newConnection = exchanges.newConnections[row] === 1
    this.state = textAt(exchanges, 'state', row)
    this.currency = textAt(exchanges, 'currency', row)
    this.total = textAt(exchanges, 'total', row)
    this.reference = textAt(exchanges, 'reference', row)
    this.items = countAt(exchanges, 'items', row)
    this.ids = listAt(exchanges, 'ids', row)
    this.prices = listAt(exchanges, 'prices', row)
    this.states = listAt(exchanges, 'states', row)
  }
}

export function countAt(
  exchanges: Pick<Exchanges, 'subjects' | 'items'>,
  name: 'subjects' | 'items',
  row: number,
): number | undefined {
  const oneMore = exchanges[name][row] as number
  return oneMore === 0 ? undefined : oneMore - 1
}
