import { EVIDENCE_VERSION, PHASES, STREAM_ENDS } from '../../../load/protocol/evidence.ts'
import type { StreamEnd } from '../../../load/protocol/evidence.ts'
import { TextTable } from './evidence-table.ts'
import { evidenceError, readEvidence } from '../evidence/lines.ts'
import type { Fields } from '../evidence/lines.ts'
import { SAMPLE_MAX, SampleColumns } from './samples.ts'
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
 * Reads the lines of load/protocol/evidence.ts. Every line must be right and every finished stream must have as many exchanges as
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
  readonly columns: SampleColumns
  messages?: RefusalMessages
  announced?: number
  end?: StreamEnd
}

class EvidenceReader {
  readonly #streams: readonly OpenStream[]

  constructor(streams: number) {
    const texts = new TextTable()
    this.#streams = Array.from({ length: streams }, () => ({ columns: new SampleColumns(texts) }))
  }

  /** False if the line is none of the format. */
  readLine(fields: Fields): boolean {
    const kind = fields.word()
    if (kind === 'x') return this.#exchange(fields)
    if (kind === 'h') return readHeader(fields)
    if (kind === 'm') return this.#messages(fields)
    return kind === 'e' && this.#end(fields)
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
      samples: columns.samples(),
      ...(messages && { messages }),
      ...(end && { end }),
    }))
    return { truncated, streams }
  }

  #exchange(fields: Fields): boolean {
    const open = this.#streams[fields.count()]
    const key = fields.count(SAMPLE_MAX.key)
    const phase = fields.count(PHASES.length - 1)
    const sent = fields.count()
    const received = fields.count()
    const status = fields.count(SAMPLE_MAX.status)
    const code = fields.number()
    const retryAfter = fields.text()
    const connection = fields.word()
    const isConnection = connection === 'n' || connection === 'r' || connection === '-'
    if (!fields.ended || open === undefined || received < sent || !isConnection) return false
    if (code !== undefined && Math.abs(code) > SAMPLE_MAX.code) return false
    open.columns.push({
      key,
      phase,
      sentMs: sent / 1000,
      receivedMs: received / 1000,
      status,
      ...(code !== undefined && { code }),
      ...(retryAfter !== undefined && { retryAfter }),
      newConnection: connection === 'n',
    })
    return true
  }

  #messages(fields: Fields): boolean {
    const open = this.#streams[fields.count()]
    const [named, unnamed] = [fields.count(), fields.count()]
    if (!fields.ended || open === undefined) return false
    open.messages = { named, unnamed }
    return true
  }

  #end(fields: Fields): boolean {
    const open = this.#streams[fields.count()]
    const announced = fields.count()
    const word = fields.word()
    const end = STREAM_ENDS.find((each) => each === word)
    if (!fields.ended || open === undefined || end === undefined) return false
    open.announced = announced
    open.end = end
    return true
  }
}

function readHeader(fields: Fields): boolean {
  const version = fields.count()
  for (let field = 0; field < 3; field++) fields.count()
  return fields.ended && version === EVIDENCE_VERSION
}
