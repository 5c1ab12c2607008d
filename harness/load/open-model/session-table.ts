import { EVIDENCE } from '../../../load/protocol/evidence-table.ts'
import { SESSION_ENDS } from '../../../load/protocol/open-model.ts'
import type { SessionEnd, SessionKind } from '../../../load/protocol/open-model.ts'
import { orderBy, rowsWhere } from '../../rows.ts'
import { Column } from '../evidence/column.ts'
import { RowColumns, type ColumnsOf } from '../evidence/row-columns.ts'
import type { RowOf, Value } from '../evidence/line-reader.ts'
import { listWord, RowExchange } from './exchange-table.ts'
import type { ExchangeRow, Exchanges, SessionExchange } from './exchange-table.ts'

const NO_END = SESSION_ENDS.length
const { a, s } = EVIDENCE['open-model']

/** Collects sessions with their exchanges, which may come mixed. A session has a place, in the order in which they begin. */
export class SessionColumns {
  readonly #exchanges = new RowColumns(a)
  readonly #begun = new RowColumns(s)
  readonly #ends = new Column('uint8')

  /** Returns its place. */
  begin(row: RowOf<typeof s>): number {
    this.#ends.push(NO_END)
    return this.#begun.push(row)
  }

  /** Its session is the place of one. */
  add(row: ExchangeRow): void {
    this.#exchanges.push(row)
  }

  /** The same of values in the order of the fields. */
  addValues(values: readonly Value[]): void {
    this.#exchanges.pushValues(values)
  }

  end(place: number, end: SessionEnd): void {
    this.#ends.set(place, SESSION_ENDS.indexOf(end))
  }

  isEnded(place: number): boolean {
    return this.#ends.at(place) !== NO_END
  }

  table(): SessionTable {
    const exchanges = this.#exchanges.columns()
    return new SessionTable({
      exchanges,
      begun: this.#begun.columns(),
      ends: this.#ends.values(),
      ...rowsBySession(exchanges, this.#ends.length),
    })
  }
}

type Parts = {
  readonly exchanges: Exchanges
  /** Of sessions, by their place. */
  readonly begun: ColumnsOf<typeof s>
  /** Indexes of SESSION_ENDS, NO_END for none. */
  readonly ends: Uint8Array
  /** Rows of exchanges, those of one session together, in the order in which they came. */
  readonly rows: Uint32Array
  /** Where in `rows` those of each session begin; one more at the end. */
  readonly starts: Uint32Array
}

/** Sessions that began. Walking through them makes an object of one after the other, which is not kept. */
export class SessionTable implements Iterable<SessionEvidence> {
  readonly exchanges: Exchanges
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.exchanges = parts.exchanges
    this.#parts = parts
  }

  get length(): number {
    return this.#parts.begun.length
  }

  get dueMs(): Float64Array {
    return this.#parts.begun.dueMs
  }

  get startedMs(): Float64Array {
    return this.#parts.begun.startedMs
  }

  /** In the order of the schedule. */
  *[Symbol.iterator](): Generator<SessionEvidence> {
    for (const place of this.places()) yield this.at(place)
  }

  /** Places in the order of the schedule. */
  places(): Uint32Array {
    const { session, length } = this.#parts.begun
    return orderBy(session) ?? rowsWhere(length, () => true)
  }

  at(place: number): SessionEvidence {
    return new SessionAt(this, place)
  }

  /** Of the exchanges of a session, in the order of sending. */
  rowsOf(place: number): Uint32Array {
    const { rows, starts } = this.#parts
    return rows.subarray(starts[place], starts[place + 1])
  }

  kindOf(place: number): SessionKind {
    return this.#parts.begun.kind.at(place)
  }

  keyOf(place: number): number {
    return this.#parts.begun.key[place] as number
  }

  indexOf(place: number): number {
    return this.#parts.begun.session[place] as number
  }

  endOf(place: number): SessionEnd | undefined {
    return SESSION_ENDS[this.#parts.ends[place] as number]
  }

  /** The same with every request longer at both ends, or shorter; at the least a moment. */
  stretched(byMs: number): SessionTable {
    const { sentMs, receivedMs } = this.exchanges
    const middleMs = sentMs.map((sent, row) => (sent + (receivedMs[row] as number)) / 2)
    return new SessionTable({
      ...this.#parts,
      exchanges: {
        ...this.exchanges,
        sentMs: sentMs.map((sent, row) => Math.min(middleMs[row] as number, sent - byMs)),
        receivedMs: receivedMs.map((time, row) => Math.max(middleMs[row] as number, time + byMs)),
      },
    })
  }
}

export type SessionEvidence = Readonly<SessionAt>

/** Made by a constructor for the reason that exchanges are. */
class SessionAt {
  readonly index: number
  readonly kind: SessionKind
  readonly key: number
  readonly dueMs: number
  readonly startedMs: number
  /** In the order of sending. */
  readonly exchanges: readonly SessionExchange[]
  /** Undefined: k6 stopped before the session came to its end. */
  declare readonly end?: SessionEnd

  constructor(table: SessionTable, place: number) {
    const [session, key, end] = [table.indexOf(place), table.keyOf(place), table.endOf(place)]
    this.index = session
    this.kind = table.kindOf(place)
    this.key = key
    this.dueMs = table.dueMs[place] as number
    this.startedMs = table.startedMs[place] as number
    this.exchanges = Array.from(
      table.rowsOf(place),
      (row) => new RowExchange(table.exchanges, row, { session, key }),
    )
    if (end !== undefined) this.end = end
  }
}

export function sessionTable(sessions: Iterable<SessionEvidence>): SessionTable {
  const columns = new SessionColumns()
  for (const { index, exchanges, end, ...begun } of sessions) {
    const place = columns.begin({ ...begun, session: index })
    for (const exchange of exchanges)
      columns.add({
        ...exchange,
        session: place,
        durationUs: Math.round(1000 * exchange.durationMs),
        connection: exchange.newConnection ? 'n' : 'r',
        ids: listWord(exchange.ids),
        prices: listWord(exchange.prices),
        states: listWord(exchange.states),
      })
    if (end) columns.end(place, end)
  }
  return columns.table()
}

function rowsBySession(
  { session: sessions }: Exchanges,
  count: number,
): Pick<Parts, 'rows' | 'starts'> {
  const starts = new Uint32Array(count + 1)
  for (let row = 0; row < sessions.length; row++) {
    const after = (sessions[row] as number) + 1
    starts[after] = (starts[after] as number) + 1
  }
  for (let place = 0; place < count; place++)
    starts[place + 1] = (starts[place] as number) + (starts[place + 1] as number)
  const next = starts.slice()
  const rows = new Uint32Array(sessions.length)
  for (let row = 0; row < sessions.length; row++) {
    const place = sessions[row] as number
    const at = next[place] as number
    rows[at] = row
    next[place] = at + 1
  }
  return { rows, starts }
}
