/** The evidence of one virtual user's sessions (format: protocol/evidence-table.ts). */
import { EVIDENCE } from '../protocol/evidence-table.ts'
import { OPEN_MODEL_VERSION, type SessionEnd, type SessionKind } from '../protocol/open-model.ts'
import { encoded, lineWriter } from '../protocol/lines.ts'
import { KeptLines } from './kept-lines.ts'
import type { SessionAnswer, SessionRequest, SessionStart } from './session-io.ts'

const { h, s, a, z } = EVIDENCE['open-model']
const HEAD = lineWriter('h', h)
const BEGIN = lineWriter('s', s)
const EXCHANGE = lineWriter('a', a)
const END = lineWriter('z', z)

export type SessionLinesOptions = {
  /** Both clocks at one moment, and time 0 of the schedule on the test's. */
  readonly unixMs: number
  readonly testMs: number
  readonly zeroMs: number
  /** Default: to k6's console. */
  readonly write?: (lines: string) => void
}

/** Times are milliseconds since time 0 of the schedule; they are written since the start of the test. */
export class SessionLines {
  readonly #zeroMs: number
  readonly #lines: KeptLines
  #exchanges = 0

  constructor({ unixMs, testMs, zeroMs, write }: SessionLinesOptions) {
    this.#zeroMs = zeroMs
    this.#lines = new KeptLines(write)
    this.#lines.last(HEAD({ version: OPEN_MODEL_VERSION, unixMs, testMs, zeroMs }))
  }

  begin(session: SessionStart, kind: SessionKind, startedMs: number): void {
    this.#exchanges = 0
    const { index, key, dueMs } = session
    const zeroMs = this.#zeroMs
    const times = { dueMs: zeroMs + dueMs, startedMs: zeroMs + startedMs }
    this.#lines.add(BEGIN({ session: index, kind, key, ...times }), startedMs)
  }

  exchange(
    { index }: SessionStart,
    request: SessionRequest,
    answer: SessionAnswer,
    connection: 'n' | 'r',
  ): void {
    const zeroMs = this.#zeroMs
    const { operation, attempt, dueMs } = request
    const { status, code = '-', items = '-', sentMs, receivedMs, durationMs } = answer
    this.#exchanges++
    const line = EXCHANGE({
      session: index,
      operation,
      attempt,
      dueMs: zeroMs + dueMs,
      sentMs: zeroMs + sentMs,
      receivedMs: zeroMs + receivedMs,
      durationUs: Math.round(1000 * durationMs),
      status,
      code,
      retryAfter: text(answer.retryAfter),
      errorCode: text(answer.errorCode),
      connection,
      state: text(answer.state),
      currency: text(answer.currency),
      total: text(answer.total),
      reference: text(answer.reference),
      items,
      ids: list(answer.ids),
      prices: list(answer.prices),
      states: list(answer.states),
    })
    this.#lines.add(line, receivedMs)
  }

  end({ index }: SessionStart, end: SessionEnd): void {
    this.#lines.last(END({ session: index, exchanges: this.#exchanges, end }))
  }

  flush(): void {
    this.#lines.flush()
  }
}

function text(value: string | undefined): string {
  return value === undefined || value === '' ? '-' : encoded(value)
}

function list(values: readonly string[]): string {
  return values.length === 0 ? '-' : values.map(encoded).join(',')
}
