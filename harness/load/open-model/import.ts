import {
  SESSION_OPERATIONS,
  OPEN_MODEL_VERSION,
  SESSION_ENDS,
  SESSION_KINDS,
} from '../../../load/protocol/open-model.ts'
import { EXCHANGE_MAX, isList } from './exchange-table.ts'
import type { SessionExchange, ExchangeRow } from './exchange-table.ts'
import { SessionColumns } from './session-table.ts'
import type { SessionTable } from './session-table.ts'
import { evidenceError, readEvidence } from '../evidence/lines.ts'
import type { Fields } from '../evidence/lines.ts'

/** A request that opened a connection before time 0; it spends the window of the services like any other. */
export type WarmExchange = Pick<SessionExchange, 'key' | 'sentMs' | 'receivedMs' | 'status'>

export type OpenModelEvidence = {
  /** Those that began. */
  readonly sessions: SessionTable
  readonly warm: readonly WarmExchange[]
  /** When time 0 of the schedule was, on k6's wall clock: to set the evidence of several instances side by side. */
  readonly zeroUnixMs: number
}

export type OpenModelReading = {
  /** Sessions that were planned. */
  readonly sessions: number
  readonly keys: number
  readonly interrupted: boolean
}

/**
 * Reads an evidence file line by line. Throws E_K6_FAILED where it is missing or cannot be trusted: every line must be right, and every
 * ended session must have as many exchanges as it says it sent. Unless k6 was interrupted, none may be cut off.
 */
export async function importOpenModel(
  path: string,
  reading: OpenModelReading,
): Promise<OpenModelEvidence> {
  const reader = new OpenModelReader(reading)
  await readEvidence(path, { ...reading, readLine: (fields) => reader.line(fields) })
  return reader.finish()
}

type Zero = { readonly us: number; readonly unixMs: number }

const STATUS_MAX = 999
/** Of one session, as far as a column holds it. */
const SENT_MAX = 0xffffffff

class OpenModelReader {
  readonly #reading: OpenModelReading
  readonly #sessions = new SessionColumns()
  /** Places of sessions, by their index; NONE before they begin. */
  readonly #open: Int32Array
  /** By the place of the session, what it says that it sent. */
  readonly #announced: Uint32Array
  readonly #warm: WarmExchange[] = []
  #zero: Zero | undefined

  constructor(reading: OpenModelReading) {
    this.#reading = reading
    this.#open = new Int32Array(reading.sessions).fill(NONE)
    this.#announced = new Uint32Array(reading.sessions)
  }

  finish(): OpenModelEvidence {
    const { interrupted } = this.#reading
    const sessions = this.#sessions.table()
    for (let place = 0; place < sessions.length; place++) {
      const [announced, held] = [this.#announced[place], sessions.rowsOf(place).length]
      if (sessions.endOf(place) !== undefined && announced !== held)
        throw evidenceError(
          `Session ${sessions.indexOf(place)} sent ${announced} requests, but the evidence holds ${held}.`,
        )
    }
    if (!interrupted && sessions.exchanges.length === 0)
      throw evidenceError('k6 ended without one exchange in its evidence.')
    return {
      sessions,
      warm: this.#warm,
      zeroUnixMs: this.#zero?.unixMs ?? 0,
    }
  }

  /** False if the line is none of the format. */
  line(fields: Fields): boolean {
    const word = fields.word()
    // Without its head no time could be told.
    if (word !== 'h' && this.#zero === undefined) return false
    switch (word) {
      case 'a':
        return this.#exchange(fields)
      case 's':
        return this.#start(fields)
      case 'z':
        return this.#end(fields)
      case 'w':
        return this.#opened(fields)
      case 'h':
        return this.#head(fields)
      default:
        return false
    }
  }

  #head(fields: Fields): boolean {
    const version = fields.count()
    const [unixMs, testUs, zeroUs] = [fields.count(), fields.count(), fields.count()]
    if (!fields.ended || version !== OPEN_MODEL_VERSION) return false
    // Virtual users read the clocks one after the other, and agree but for a millisecond.
    this.#zero ??= { us: zeroUs, unixMs: unixMs + (zeroUs - testUs) / 1000 }
    return true
  }

  #opened(fields: Fields): boolean {
    const key = fields.count(this.#reading.keys - 1)
    const [sentMs, receivedMs] = [this.#ms(fields), this.#ms(fields)]
    const status = fields.count(STATUS_MAX)
    if (!fields.ended || receivedMs < sentMs) return false
    this.#warm.push({ key, sentMs, receivedMs, status })
    return true
  }

  #start(fields: Fields): boolean {
    const index = fields.count(this.#reading.sessions - 1)
    const kind = SESSION_KINDS[fields.count(SESSION_KINDS.length - 1)]
    const key = fields.count(this.#reading.keys - 1)
    const [dueMs, startedMs] = [this.#ms(fields), this.#ms(fields)]
    if (!fields.ended || !kind || this.#open[index] !== NONE) return false
    this.#open[index] = this.#sessions.begin({ index, kind, key, dueMs, startedMs })
    return true
  }

  #end(fields: Fields): boolean {
    const place = this.#openPlace(fields)
    const announced = fields.count(SENT_MAX)
    const word = fields.word()
    const end = SESSION_ENDS.find((each) => each === word)
    if (!fields.ended || place === NONE || !end) return false
    this.#announced[place] = announced
    this.#sessions.end(place, end)
    return true
  }

  #exchange(fields: Fields): boolean {
    const place = this.#openPlace(fields)
    const operation = SESSION_OPERATIONS[fields.count(SESSION_OPERATIONS.length - 1)]
    if (place === NONE || !operation) return false
    const row: ExchangeRow = {
      operation,
      subject: fields.number(),
      attempt: fields.count(EXCHANGE_MAX.attempt),
      dueMs: this.#ms(fields),
      sentMs: this.#ms(fields),
      receivedMs: this.#ms(fields),
      durationMs: fields.count(EXCHANGE_MAX.durationUs) / 1000,
      status: fields.count(STATUS_MAX),
      code: fields.number(),
      retryAfter: fields.text(),
      errorCode: fields.text(),
      newConnection: fields.word() === 'n',
      state: fields.text(),
      currency: fields.text(),
      total: fields.text(),
      reference: fields.text(),
      items: fields.number(),
      ids: fields.wordOrNone(),
      prices: fields.wordOrNone(),
      states: fields.wordOrNone(),
    }
    if (!fields.ended || row.receivedMs < row.sentMs || !isWithinColumns(row)) return false
    this.#sessions.add(place, row)
    return true
  }

  /** Of a session that has begun and not ended; NONE for any other. */
  #openPlace(fields: Fields): number {
    const place = this.#open[fields.count(this.#reading.sessions - 1)] ?? NONE
    return place === NONE || this.#sessions.isEnded(place) ? NONE : place
  }

  #ms(fields: Fields): number {
    return (fields.count() - (this.#zero?.us ?? 0)) / 1000
  }
}

const NONE = -1

function isWithinColumns({ subject, items, code, ids, prices, states }: ExchangeRow): boolean {
  const isCounted = [subject, items].every((each) => each === undefined || each >= 0)
  const isSmall = (subject ?? 0) <= EXCHANGE_MAX.subject && (items ?? 0) <= EXCHANGE_MAX.code
  const isCode = code === undefined || Math.abs(code) <= EXCHANGE_MAX.code
  return isCounted && isSmall && isCode && [ids, prices, states].every(isList)
}
