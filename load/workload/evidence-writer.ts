import { EVIDENCE_VERSION } from '../protocol/evidence.ts'
import type { Phase, StreamEnd } from '../protocol/evidence.ts'
import { EVIDENCE } from '../protocol/evidence-table.ts'
import { lineWriter } from '../protocol/lines.ts'
import { readStatusMessage, type Answer } from './answers.ts'
import { KeptLines } from './kept-lines.ts'

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

/** Writes the evidence of one stream (format: protocol/evidence-table.ts). */
export class EvidenceWriter {
  readonly #stream: number
  readonly #lines: KeptLines
  #exchanges = 0
  readonly #names: RegExp | undefined
  #named = 0
  #unnamed = 0

  constructor({ stream, testMs, refusalNames, write }: EvidenceOptions) {
    this.#stream = stream
    this.#lines = new KeptLines(write)
    this.#names = refusalNames === undefined ? undefined : new RegExp(refusalNames, 'i')
    this.#lines.last(HEAD({ version: EVIDENCE_VERSION, stream, unixMs: Date.now(), testMs }))
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
    this.#exchanges++
    this.#lines.add(line, receivedMs)
  }

  /** Looks at the message of a refusal, which is not kept. */
  refusal(body: unknown): void {
    const message = this.#names && readStatusMessage(body)
    if (message === undefined) return
    if (this.#names?.test(message)) this.#named++
    else this.#unnamed++
  }

  flush(): void {
    this.#lines.flush()
  }

  end(end: StreamEnd): void {
    const stream = this.#stream
    if (this.#names)
      this.#lines.last(MESSAGES({ stream, named: this.#named, unnamed: this.#unnamed }))
    this.#lines.last(END({ stream, exchanges: this.#exchanges, end }))
  }
}
