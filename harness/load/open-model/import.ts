import { EVIDENCE } from '../../../load/protocol/evidence-table.ts'
import { OPEN_MODEL_VERSION } from '../../../load/protocol/open-model.ts'
import { isForward, LineReader } from '../evidence/line-reader.ts'
import type { SessionExchange } from './exchange-table.ts'
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

const LINES = EVIDENCE['open-model']

class OpenModelReader {
  readonly #reading: OpenModelReading
  readonly #sessions = new SessionColumns()
  /** Places of sessions, by their index; NONE before they begin. */
  readonly #open: Int32Array
  /** By the place of the session, what it says that it sent. */
  readonly #announced: Uint32Array
  readonly #warm: WarmExchange[] = []
  readonly #head = new LineReader(LINES.h)
  readonly #opened = new LineReader(LINES.w)
  readonly #begun = new LineReader(LINES.s)
  readonly #exchange = new LineReader(LINES.a)
  readonly #ended = new LineReader(LINES.z)
  #zeroUnixMs: number | undefined

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
      zeroUnixMs: this.#zeroUnixMs ?? 0,
    }
  }

  /** False if the line is none of the format. */
  line(fields: Fields): boolean {
    const word = fields.word()
    // Without its head no time could be told.
    if (word !== 'h' && this.#zeroUnixMs === undefined) return false
    switch (word) {
      case 'a':
        return this.#readExchange(fields)
      case 's':
        return this.#readBegun(fields)
      case 'z':
        return this.#readEnded(fields)
      case 'w':
        return this.#readOpened(fields)
      case 'h':
        return this.#readHead(fields)
      default:
        return false
    }
  }

  #readHead(fields: Fields): boolean {
    if (!this.#head.read(fields) || this.#head.row.version !== OPEN_MODEL_VERSION) return false
    // Virtual users read the clocks one after the other, and agree but for a millisecond.
    if (this.#zeroUnixMs !== undefined) return true
    const { unixMs, testMs, zeroMs } = this.#head.row
    this.#zeroUnixMs = unixMs + zeroMs - testMs
    for (const reader of [this.#opened, this.#begun, this.#exchange])
      reader.zeroUs = Math.round(1000 * zeroMs)
    return true
  }

  #readOpened(fields: Fields): boolean {
    if (!this.#opened.read(fields)) return false
    const { key, sentMs, receivedMs, status } = this.#opened.row
    if (key >= this.#reading.keys || receivedMs < sentMs) return false
    this.#warm.push({ key, sentMs, receivedMs, status })
    return true
  }

  #readBegun(fields: Fields): boolean {
    if (!this.#begun.read(fields)) return false
    const { row } = this.#begun
    if (row.key >= this.#reading.keys || this.#open[row.session] !== NONE) return false
    this.#open[row.session] = this.#sessions.begin(row)
    return true
  }

  #readEnded(fields: Fields): boolean {
    if (!this.#ended.read(fields)) return false
    const { session, exchanges, end } = this.#ended.row
    const place = this.#openPlace(session)
    if (place === NONE) return false
    this.#announced[place] = exchanges
    this.#sessions.end(place, end)
    return true
  }

  #readExchange(fields: Fields): boolean {
    const { values, at } = this.#exchange
    if (!this.#exchange.read(fields) || !isForward(values[at.sentMs], values[at.receivedMs]))
      return false
    const place = this.#openPlace(values[at.session] as number)
    if (place === NONE) return false
    values[at.session] = place
    this.#sessions.addValues(values)
    return true
  }

  /** Of a session that has begun and not ended; NONE for any other. */
  #openPlace(session: number): number {
    const place = this.#open[session] ?? NONE
    return place === NONE || this.#sessions.isEnded(place) ? NONE : place
  }
}

const NONE = -1
