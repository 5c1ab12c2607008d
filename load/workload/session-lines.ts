/** The evidence of one virtual user's sessions (format: protocol/evidence-table.ts). */
import { EVIDENCE } from '../protocol/evidence-table.ts'
import { OPEN_MODEL_VERSION, type SessionEnd, type SessionKind } from '../protocol/open-model.ts'
import { encoded, lineWriter } from '../protocol/lines.ts'
import type { SessionAnswer, SessionRequest, SessionStart } from './session-io.ts'

/** Lines that are kept before they are written together: one write for each would cost a tenth more CPU. */
const LINES_KEPT_MAX = 32
/** Lines are written after this time at the latest, so that progress can be watched and little is lost at a kill. */
const KEPT_MS_MAX = 200

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
  write(lines: string): void
}

/** Times are milliseconds since time 0 of the schedule; they are written since the start of the test. */
export class SessionLines {
  readonly #options: SessionLinesOptions
  readonly #kept: string[] = []
  #keptFromMs = 0
  #exchanges = 0

  constructor(options: SessionLinesOptions) {
    this.#options = options
    const { unixMs, testMs, zeroMs } = options
    options.write(HEAD({ version: OPEN_MODEL_VERSION, unixMs, testMs, zeroMs }))
  }

  begin(session: SessionStart, kind: SessionKind, startedMs: number): void {
    this.#exchanges = 0
    const { index, key, dueMs } = session
    const { zeroMs } = this.#options
    const times = { dueMs: zeroMs + dueMs, startedMs: zeroMs + startedMs }
    this.#add(BEGIN({ session: index, kind, key, ...times }), startedMs)
  }

  exchange(
    { index }: SessionStart,
    request: SessionRequest,
    answer: SessionAnswer,
    connection: 'n' | 'r',
  ): void {
    const { zeroMs } = this.#options
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
    this.#add(line, receivedMs)
  }

  end({ index }: SessionStart, end: SessionEnd): void {
    this.#kept.push(END({ session: index, exchanges: this.#exchanges, end }))
    this.flush()
  }

  flush(): void {
    if (this.#kept.length > 0) this.#options.write(this.#kept.join('\n'))
    this.#kept.length = 0
  }

  #add(line: string, nowMs: number): void {
    if (this.#kept.push(line) === 1) this.#keptFromMs = nowMs
    if (this.#kept.length >= LINES_KEPT_MAX || nowMs - this.#keptFromMs > KEPT_MS_MAX) this.flush()
  }
}

function text(value: string | undefined): string {
  return value === undefined || value === '' ? '-' : encoded(value)
}

function list(values: readonly string[]): string {
  return values.length === 0 ? '-' : values.map(encoded).join(',')
}
