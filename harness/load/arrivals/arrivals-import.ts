import {
  ARRIVAL_OPERATIONS,
  ARRIVALS_VERSION,
  SESSION_ENDS,
  SESSION_KINDS,
} from '../../../load/protocol/arrivals.ts'
import type { ArrivalOperation, SessionEnd, SessionKind } from '../../../load/protocol/arrivals.ts'
import { evidenceError, readEvidence, readEvidenceText } from '../k6/evidence-lines.ts'
import type { Fields } from '../k6/evidence-lines.ts'

/** One request of a session with its answer. Times are milliseconds since time 0 of the schedule. */
export type ArrivalExchange = {
  readonly session: number
  /** Index of the key in the plan. */
  readonly key: number
  readonly operation: ArrivalOperation
  /** Which purchase of the session it is about. */
  readonly subject: number | undefined
  /** 0, and one more with each retry after a 429. */
  readonly attempt: number
  readonly dueMs: number
  readonly sentMs: number
  readonly receivedMs: number
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

/** A request that opened a connection before time 0; it spends the window of the services like any other. */
export type WarmExchange = Pick<ArrivalExchange, 'key' | 'sentMs' | 'receivedMs' | 'status'>

export type SessionEvidence = {
  readonly index: number
  readonly kind: SessionKind
  readonly key: number
  readonly dueMs: number
  readonly startedMs: number
  /** In the order of sending. */
  readonly exchanges: readonly ArrivalExchange[]
  /** Undefined: k6 stopped before the session came to its end. */
  readonly end?: SessionEnd
}

export type ArrivalsEvidence = {
  /** Those that began, in the order of the schedule. */
  readonly sessions: readonly SessionEvidence[]
  readonly warm: readonly WarmExchange[]
  /** When time 0 of the schedule was, on k6's wall clock: to set the evidence of several instances side by side. */
  readonly zeroUnixMs: number
}

export type ArrivalsReading = {
  /** Sessions that were planned. */
  readonly sessions: number
  readonly keys: number
  readonly interrupted: boolean
}

/**
 * Reads an evidence file line by line. Throws E_K6_FAILED where it is missing or cannot be trusted: every line must be right, every
 * ended session must have as many exchanges as it says it sent, and unless k6 was interrupted none may be cut off.
 */
export async function importArrivals(
  path: string,
  reading: ArrivalsReading,
): Promise<ArrivalsEvidence> {
  const reader = new ArrivalsReader(reading)
  await readEvidence(path, { ...reading, readLine: (fields) => reader.line(fields) })
  return reader.finish()
}

/** The same for evidence that is at hand as text. */
export function parseArrivals(text: string, reading: ArrivalsReading): ArrivalsEvidence {
  const reader = new ArrivalsReader(reading)
  readEvidenceText(text, { ...reading, readLine: (fields) => reader.line(fields) })
  return reader.finish()
}

type OpenSession = Omit<SessionEvidence, 'exchanges' | 'end'> & {
  exchanges: ArrivalExchange[]
  announced?: number
  end?: SessionEnd
}

type Zero = { readonly us: number; readonly unixMs: number }

const STATUS_MAX = 999

class ArrivalsReader {
  readonly #reading: ArrivalsReading
  readonly #sessions: (OpenSession | undefined)[] = []
  readonly #warm: WarmExchange[] = []
  /** States, currencies and the like come again and again: one string each. */
  readonly #texts = new Map<string, string>()
  /** So do the products of a page, and the price of what is bought. */
  readonly #lists = new Map<string, readonly string[]>()
  #zero: Zero | undefined

  constructor(reading: ArrivalsReading) {
    this.#reading = reading
  }

  /** False if the line is none of the format. */
  line(fields: Fields): boolean {
    try {
      return this.#read(fields)
    } catch (error) {
      // A list that is not percent-encoded.
      if (error instanceof URIError) return false
      throw error
    }
  }

  finish(): ArrivalsEvidence {
    const { interrupted } = this.#reading
    const sessions = this.#sessions.filter((session) => session !== undefined)
    for (const { index, exchanges, announced } of sessions)
      if (announced !== undefined && announced !== exchanges.length)
        throw evidenceError(
          `Session ${index} sent ${announced} requests, but the evidence holds ${exchanges.length}.`,
        )
    if (!interrupted && sessions.every(({ exchanges }) => exchanges.length === 0))
      throw evidenceError('k6 ended without one exchange in its evidence.')
    return {
      sessions: sessions.map(sessionOf),
      warm: this.#warm,
      zeroUnixMs: this.#zero?.unixMs ?? 0,
    }
  }

  #read(fields: Fields): boolean {
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
    if (!fields.ended || version !== ARRIVALS_VERSION) return false
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
    if (!fields.ended || !kind || this.#sessions[index] !== undefined) return false
    this.#sessions[index] = { index, kind, key, dueMs, startedMs, exchanges: [] }
    return true
  }

  #end(fields: Fields): boolean {
    const session = this.#sessions[fields.count(this.#reading.sessions - 1)]
    const announced = fields.count()
    const word = fields.word()
    const end = SESSION_ENDS.find((each) => each === word)
    if (!fields.ended || !session || session.end || !end) return false
    session.announced = announced
    session.end = end
    return true
  }

  #exchange(fields: Fields): boolean {
    const session = this.#sessions[fields.count(this.#reading.sessions - 1)]
    const operation = ARRIVAL_OPERATIONS[fields.count(ARRIVAL_OPERATIONS.length - 1)]
    if (!session || session.end || !operation) return false
    const exchange: ArrivalExchange = {
      session: session.index,
      key: session.key,
      operation,
      subject: fields.number(),
      attempt: fields.count(),
      dueMs: this.#ms(fields),
      sentMs: this.#ms(fields),
      receivedMs: this.#ms(fields),
      status: fields.count(STATUS_MAX),
      code: fields.number(),
      retryAfter: this.#text(fields),
      errorCode: this.#text(fields),
      newConnection: fields.word() === 'n',
      state: this.#text(fields),
      currency: this.#text(fields),
      total: this.#text(fields),
      reference: this.#text(fields),
      items: fields.number(),
      ids: this.#list(fields),
      prices: this.#list(fields),
      states: this.#list(fields),
    }
    if (!fields.ended || exchange.receivedMs < exchange.sentMs) return false
    session.exchanges.push(exchange)
    return true
  }

  #ms(fields: Fields): number {
    return (fields.count() - (this.#zero?.us ?? 0)) / 1000
  }

  #text(fields: Fields): string | undefined {
    const text = fields.text()
    return text === undefined ? undefined : this.#once(text)
  }

  #list(fields: Fields): readonly string[] {
    const word = fields.word()
    if (word === '-') return NONE
    const known = this.#lists.get(word)
    if (known) return known
    const list = word.split(',').map((each) => this.#once(decodeURIComponent(each)))
    if (this.#lists.size < LISTS_MAX) this.#lists.set(word, list)
    return list
  }

  #once(text: string): string {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    this.#texts.set(text, text)
    return text
  }
}

const NONE: readonly string[] = []
/** Lists of orders come but a few times: they must not fill the memory. */
const LISTS_MAX = 5000

function sessionOf({ announced: _announced, ...session }: OpenSession): SessionEvidence {
  return session
}
