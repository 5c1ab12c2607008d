import { readFile } from 'node:fs/promises'
import { EVIDENCE_VERSION, PHASES, STREAM_ENDS } from '../../load/protocol/evidence.ts'
import type { Phase, StreamEnd } from '../../load/protocol/evidence.ts'
import { HarnessError } from '../errors.ts'

/** One exchange as k6 saw it. Times are milliseconds since k6 started its test. */
export type LoadSample = {
  readonly stream: number
  readonly key: number
  readonly phase: Phase
  readonly sentMs: number
  readonly receivedMs: number
  /** 0: no answer. */
  readonly status: number
  /** statusCode of a 429, or k6's error code where there was no answer. */
  readonly code?: number
  /** The header of a 429 as it came. */
  readonly retryAfter?: string
  readonly newConnection: boolean
}

export type StreamEvidence = {
  readonly samples: readonly LoadSample[]
  /** Undefined: k6 stopped before the stream came to its end. */
  readonly end?: StreamEnd
}

export type Evidence = {
  readonly streams: readonly StreamEvidence[]
  /** The last line was cut off, as a killed k6 leaves it. */
  readonly truncated: boolean
}

/** Reads and parses an evidence file. Throws E_K6_FAILED where it is missing or cannot be trusted. */
export async function importEvidence(
  path: string,
  options: { readonly streams: number; readonly interrupted: boolean },
): Promise<Evidence> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw evidenceError(`k6 wrote no evidence: ${(error as Error).message}.`)
  }
  return parseEvidence(text, options)
}

/**
 * Parses the lines of load/protocol/evidence.ts. Every line must be right and every finished stream must have as many exchanges as
 * it says it sent; only an interrupted k6 may leave its last line cut off, or nothing at all.
 */
export function parseEvidence(
  text: string,
  { streams, interrupted }: { readonly streams: number; readonly interrupted: boolean },
): Evidence {
  const truncated = text !== '' && !text.endsWith('\n')
  if (truncated && !interrupted) throw evidenceError('The last line of the evidence is cut off.')
  const parsed = Array.from({ length: streams }, (): OpenStream => ({ samples: [] }))
  const lines = text.split('\n')
  // What follows the last line break is nothing, or the piece of a line.
  lines.pop()
  for (const [index, line] of lines.entries()) {
    if (!readLine(line, parsed))
      throw evidenceError(
        `Line ${index + 1} of the evidence is malformed: ${JSON.stringify(line.slice(0, 120))}.`,
      )
  }
  for (const [stream, { samples, announced }] of parsed.entries())
    if (announced !== undefined && announced !== samples.length)
      throw evidenceError(
        `Stream ${stream} sent ${announced} requests, but the evidence holds ${samples.length}.`,
      )
  if (!interrupted && parsed.every(({ samples }) => samples.length === 0))
    throw evidenceError('k6 ended without one exchange in its evidence.')
  return {
    truncated,
    streams: parsed.map(({ samples, end }) => ({ samples, ...(end && { end }) })),
  }
}

type OpenStream = { samples: LoadSample[]; announced?: number; end?: StreamEnd }

/** False if the line is none of the format. */
function readLine(line: string, streams: OpenStream[]): boolean {
  const fields = line.split(' ')
  if (fields[0] === 'x') return readExchange(fields, streams)
  if (fields[0] === 'h') return fields.length === 5 && fields[1] === String(EVIDENCE_VERSION)
  if (fields[0] === 'e') return readEnd(fields, streams)
  return false
}

function readExchange(fields: readonly string[], streams: OpenStream[]): boolean {
  const [, stream, key, phaseIndex, sent, received, status] = fields.map(Number)
  const [code, retryAfter, connection] = fields.slice(7)
  const open = streams[stream ?? -1]
  const phase = PHASES[phaseIndex ?? -1]
  if (fields.length !== 10 || open === undefined || phase === undefined) return false
  if (!isCount(key) || !isCount(sent) || !isCount(received) || !isCount(status)) return false
  if (received < sent || !/^(-|-?\d+)$/.test(code ?? '') || !/^[nr-]$/.test(connection ?? ''))
    return false
  open.samples.push({
    stream: stream as number,
    key,
    phase,
    sentMs: sent / 1000,
    receivedMs: received / 1000,
    status,
    ...(code !== '-' && { code: Number(code) }),
    ...(retryAfter !== '-' && { retryAfter: decodeURIComponent(retryAfter as string) }),
    newConnection: connection === 'n',
  })
  return true
}

function readEnd(fields: readonly string[], streams: OpenStream[]): boolean {
  const open = streams[Number(fields[1] ?? -1)]
  const announced = Number(fields[2])
  const end = STREAM_ENDS.find((each) => each === fields[3])
  if (fields.length !== 4 || open === undefined || end === undefined || !isCount(announced))
    return false
  open.announced = announced
  open.end = end
  return true
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0
}

export function evidenceError(message: string): HarnessError {
  return new HarnessError(
    'E_K6_FAILED',
    message,
    "Nothing was concluded from this scenario. Look into k6's own output in the run directory.",
  )
}
