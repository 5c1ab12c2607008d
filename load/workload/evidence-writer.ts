import { EVIDENCE_VERSION } from '../protocol/evidence.ts'
import type { Phase, StreamEnd } from '../protocol/evidence.ts'
import { EVIDENCE } from '../protocol/evidence-table.ts'
import { lineWriter } from '../protocol/lines.ts'
import { readStatusMessage, type Answer } from './answers.ts'

/** Lines that are kept before they are written together: one write for each exchange would cost a tenth more CPU. */
const LINES_KEPT_MAX = 32
/** Lines are written after this time at the latest, so that progress can be watched and little is lost at a kill. */
const KEPT_MS_MAX = 200

const { h, x, m, e } = EVIDENCE.windows
const HEAD = lineWriter('h', h)
const EXCHANGE = lineWriter('x', x)
const MESSAGES = lineWriter('m', m)
const END = lineWriter('e', e)

export type EvidenceOptions = {
  readonly stream: number
  readonly testMs: number
  /** Of the planned stream. */
  readonly refusalNames?: string | undefined
  readonly write?: (text: string) => void
}

/** What requests have in common that were sent at the same moment. */
type Released = { readonly phase: Phase; readonly sentMs: number; readonly receivedMs: number }

/** Writes the evidence of one stream (format: protocol/evidence-table.ts). Every console line of k6 is one write to the file. */
export class EvidenceWriter {
  readonly #stream: number
  readonly #write: (text: string) => void
  #lines = ''
  #kept = 0
  #keptFromMs = 0
  #exchanges = 0
  readonly #names: RegExp | undefined
  #named = 0
  #unnamed = 0

  constructor({ stream, testMs, refusalNames, write = toConsole }: EvidenceOptions) {
    this.#stream = stream
    this.#write = write
    this.#names = refusalNames === undefined ? undefined : new RegExp(refusalNames, 'i')
    write(HEAD({ version: EVIDENCE_VERSION, stream, unixMs: Date.now(), testMs }))
  }

  /** One exchange of a release. */
  exchange(key: number, { phase, sentMs, receivedMs }: Released, answer: Answer): void {
    const { status, code, retryAfter, connection } = answer
    const stream = this.#stream
    const line = EXCHANGE({
      stream,
      key,
      phase,
      sentMs,
      receivedMs,
      status,
      code,
      retryAfter,
      connection,
    })
    this.#lines = this.#kept === 0 ? line : `${this.#lines}\n${line}`
    this.#exchanges++
    if (this.#kept++ === 0) this.#keptFromMs = sentMs
    if (this.#kept >= LINES_KEPT_MAX || receivedMs - this.#keptFromMs > KEPT_MS_MAX) this.flush()
  }

  /** Looks at the message of a refusal, which is not kept. */
  refusal(body: unknown): void {
    const message = this.#names && readStatusMessage(body)
    if (message === undefined) return
    if (this.#names?.test(message)) this.#named++
    else this.#unnamed++
  }

  flush(): void {
    if (this.#kept > 0) this.#write(this.#lines)
    this.#kept = 0
  }

  end(end: StreamEnd): void {
    this.flush()
    const stream = this.#stream
    if (this.#names) this.#write(MESSAGES({ stream, named: this.#named, unnamed: this.#unnamed }))
    this.#write(END({ stream, exchanges: this.#exchanges, end }))
  }
}

function toConsole(text: string): void {
  console.log(text)
}
