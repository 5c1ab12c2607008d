/** The evidence of one virtual user's sessions (format: protocol/open-model.ts). */
import {
  SESSION_OPERATIONS,
  OPEN_MODEL_VERSION,
  SESSION_KINDS,
  type SessionEnd,
  type SessionKind,
} from '../protocol/open-model.ts'
import { encoded } from '../protocol/lines.ts'
import type { SessionAnswer, SessionRequest, SessionStart } from './session-io.ts'

/** Lines that are kept before they are written together: one write for each would cost a tenth more CPU. */
const LINES_KEPT_MAX = 32
/** Lines are written after this time at the latest, so that progress can be watched and little is lost at a kill. */
const KEPT_MS_MAX = 200

export type SessionLinesOptions = {
  /** Both clocks at one moment, and time 0 of the schedule on the test's. */
  readonly unixMs: number
  readonly testMs: number
  readonly zeroMs: number
  write(lines: string): void
}

/** Times are milliseconds since time 0 of the schedule; they are written since the start of the test, sent down and received up. */
export class SessionLines {
  readonly #options: SessionLinesOptions
  readonly #kept: string[] = []
  #keptFromMs = 0
  #exchanges = 0

  constructor(options: SessionLinesOptions) {
    this.#options = options
    const { unixMs, testMs, zeroMs } = options
    options.write(`h ${OPEN_MODEL_VERSION} ${unixMs} ${down(testMs)} ${down(zeroMs)}`)
  }

  warmed(key: number, { sentMs, receivedMs, status }: SessionAnswer): void {
    this.#add(`w ${key} ${this.#down(sentMs)} ${this.#up(receivedMs)} ${status}`, receivedMs)
  }

  begin(session: SessionStart, kind: SessionKind, startedMs: number): void {
    this.#exchanges = 0
    const { index, key, dueMs } = session
    const times = `${this.#down(dueMs)} ${this.#down(startedMs)}`
    this.#add(`s ${index} ${SESSION_KINDS.indexOf(kind)} ${key} ${times}`, startedMs)
  }

  exchange(
    { index }: SessionStart,
    request: SessionRequest,
    answer: SessionAnswer,
    connection: 'n' | 'r',
  ): void {
    const { operation, subject = '-', attempt, dueMs } = request
    const { status, code = '-', retryAfter, errorCode, sentMs, receivedMs, durationMs } = answer
    const about = `${SESSION_OPERATIONS.indexOf(operation)} ${subject} ${attempt}`
    const times = `${this.#down(dueMs)} ${this.#down(sentMs)} ${this.#up(receivedMs)} ${Math.round(1000 * durationMs)}`
    const codes = `${status} ${code} ${text(retryAfter)} ${text(errorCode)} ${connection}`
    const { state, currency, total, reference, items = '-', ids, prices, states } = answer
    const found = `${text(state)} ${text(currency)} ${text(total)} ${text(reference)} ${items}`
    const lists = `${list(ids)} ${list(prices)} ${list(states)}`
    this.#exchanges++
    this.#add(`a ${index} ${about} ${times} ${codes} ${found} ${lists}`, receivedMs)
  }

  end({ index }: SessionStart, end: SessionEnd): void {
    this.#kept.push(`z ${index} ${this.#exchanges} ${end}`)
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

  #down(milliseconds: number): number {
    return down(this.#options.zeroMs + milliseconds)
  }

  #up(milliseconds: number): number {
    return Math.ceil((this.#options.zeroMs + milliseconds) * 1000)
  }
}

function down(milliseconds: number): number {
  return Math.floor(milliseconds * 1000)
}

function text(value: string | undefined): string {
  return value === undefined || value === '' ? '-' : encoded(value)
}

function list(values: readonly string[]): string {
  return values.length === 0 ? '-' : values.map(encoded).join(',')
}
