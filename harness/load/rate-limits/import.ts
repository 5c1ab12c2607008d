import { EVIDENCE_VERSION } from '../../../load/protocol/evidence.ts'
import type { StreamEnd } from '../../../load/protocol/evidence.ts'
import { EVIDENCE } from '../../../load/protocol/evidence-table.ts'
import { RowColumns } from '../evidence/row-columns.ts'
import { isForward, LineReader } from '../evidence/line-reader.ts'
import { evidenceError, readEvidence } from '../evidence/lines.ts'
import type { Fields } from '../evidence/lines.ts'
import { StringPool } from '../evidence/string-pool.ts'
import type { Samples } from './samples.ts'

/** Refusals whose message had what the plan looks for, and others that had a message. */
export type RefusalMessages = { readonly named: number; readonly unnamed: number }

export type StreamEvidence = {
  readonly samples: Samples
  /** Where messages of refusals were looked at. */
  readonly messages?: RefusalMessages
  /** Undefined: k6 stopped before the stream came to its end. */
  readonly end?: StreamEnd
}

export type Evidence = {
  readonly streams: readonly StreamEvidence[]
  /** The last line was cut off, as a killed k6 leaves it. */
  readonly truncated: boolean
}

type ImportOptions = { readonly streams: number; readonly interrupted: boolean }

/**
 * Reads the lines of load/protocol/evidence-table.ts. Every line must be right and every finished stream must have as many exchanges as
 * it says it sent; only an interrupted k6 may leave its last line cut off, or nothing at all. Throws E_K6_FAILED where the file is
 * missing or cannot be trusted.
 */
export async function importEvidence(path: string, options: ImportOptions): Promise<Evidence> {
  const reader = new EvidenceReader(options.streams)
  const { interrupted } = options
  const readLine = (fields: Fields): boolean => reader.readLine(fields)
  return reader.evidence(await readEvidence(path, { interrupted, readLine }), interrupted)
}

type OpenStream = {
  readonly columns: RowColumns<typeof EVIDENCE.windows.x>
  messages?: RefusalMessages
  announced?: number
  end?: StreamEnd
}

class EvidenceReader {
  readonly #streams: readonly OpenStream[]
  readonly #head = new LineReader(EVIDENCE.windows.h)
  readonly #exchange = new LineReader(EVIDENCE.windows.x)
  readonly #messages = new LineReader(EVIDENCE.windows.m)
  readonly #end = new LineReader(EVIDENCE.windows.e)

  constructor(streams: number) {
    // The streams of an account are judged together.
    const texts = new StringPool()
    this.#streams = Array.from({ length: streams }, () => ({
      columns: new RowColumns(EVIDENCE.windows.x, texts),
    }))
  }

  /** False if the line is none of the format. */
  readLine(fields: Fields): boolean {
    const kind = fields.word()
    if (kind === 'x') return this.#readExchange(fields)
    if (kind === 'h') return this.#head.read(fields) && this.#head.row.version === EVIDENCE_VERSION
    if (kind === 'm') return this.#readMessages(fields)
    return kind === 'e' && this.#readEnd(fields)
  }

  evidence({ truncated }: { readonly truncated: boolean }, interrupted: boolean): Evidence {
    for (const [stream, { columns, announced }] of this.#streams.entries())
      if (announced !== undefined && announced !== columns.length)
        throw evidenceError(
          `Stream ${stream} sent ${announced} requests, but the evidence holds ${columns.length}.`,
        )
    if (!interrupted && this.#streams.every(({ columns }) => columns.length === 0))
      throw evidenceError('k6 ended without one exchange in its evidence.')
    const streams = this.#streams.map(({ columns, end, messages }) => ({
      samples: columns.columns(),
      ...(messages && { messages }),
      ...(end && { end }),
    }))
    return { truncated, streams }
  }

  #readExchange(fields: Fields): boolean {
    const { values, at } = this.#exchange
    if (!this.#exchange.read(fields) || !isForward(values[at.sentMs], values[at.receivedMs]))
      return false
    const open = this.#streams[values[at.stream] as number]
    open?.columns.pushValues(values)
    return open !== undefined
  }

  #readMessages(fields: Fields): boolean {
    if (!this.#messages.read(fields)) return false
    const { stream, named, unnamed } = this.#messages.row
    const open = this.#streams[stream]
    if (open) open.messages = { named, unnamed }
    return open !== undefined
  }

  #readEnd(fields: Fields): boolean {
    if (!this.#end.read(fields)) return false
    const { stream, exchanges, end } = this.#end.row
    const open = this.#streams[stream]
    if (open) Object.assign(open, { announced: exchanges, end })
    return open !== undefined
  }
}
