import { EVIDENCE_VERSION } from '../protocol/evidence.ts'
import type { StreamEnd } from '../protocol/evidence.ts'
import type { Answer } from './answers.ts'

/** Lines that are kept before they are written together: one write for each exchange would cost a tenth more CPU. */
const LINES_KEPT_MAX = 32
/** Lines are written after this time at the latest, so that progress can be watched and little is lost at a kill. */
const KEPT_MS_MAX = 200

/** Writes the evidence of one stream (format: protocol/evidence.ts). Every console line of k6 is one write to the file. */
export class EvidenceWriter {
  readonly #stream: number
  readonly #write: (text: string) => void
  #lines = ''
  #kept = 0
  #keptFromMs = 0
  #exchanges = 0

  constructor(stream: number, testMs: number, write: (text: string) => void = toConsole) {
    this.#stream = stream
    this.#write = write
    write(`h ${EVIDENCE_VERSION} ${stream} ${Date.now()} ${microsecondsDown(testMs)}`)
  }

  /** One exchange. Sent is rounded down and received up: the server acted in between for certain. */
  exchange(key: number, phase: number, sentMs: number, receivedMs: number, answer: Answer): void {
    const times = `${microsecondsDown(sentMs)} ${Math.ceil(receivedMs * 1000)}`
    const line = `x ${this.#stream} ${key} ${phase} ${times} ${answer.status} ${answer.code} ${answer.retryAfter} ${answer.connection}`
    this.#lines = this.#kept === 0 ? line : `${this.#lines}\n${line}`
    this.#exchanges++
    if (this.#kept++ === 0) this.#keptFromMs = sentMs
    if (this.#kept >= LINES_KEPT_MAX || receivedMs - this.#keptFromMs > KEPT_MS_MAX) this.flush()
  }

  flush(): void {
    if (this.#kept > 0) this.#write(this.#lines)
    this.#kept = 0
  }

  end(end: StreamEnd): void {
    this.flush()
    this.#write(`e ${this.#stream} ${this.#exchanges} ${end}`)
  }
}

function toConsole(text: string): void {
  console.log(text)
}

function microsecondsDown(milliseconds: number): number {
  return Math.floor(milliseconds * 1000)
}
