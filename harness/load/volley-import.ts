import { readFile } from 'node:fs/promises'
import {
  LANE_ENDS,
  REQUEST_KINDS,
  VOLLEY_FIELDS,
  VOLLEY_PHASES,
} from '../../load/protocol/volleys.ts'
import type { LaneEnd, RequestKind, VolleyPhase } from '../../load/protocol/volleys.ts'
import { evidenceError } from './import.ts'

/** One exchange of a lane. Times are milliseconds since k6 started its test. */
export type VolleyExchange = {
  readonly lane: number
  readonly key: number
  readonly phase: VolleyPhase
  readonly kind: RequestKind
  readonly reference?: number
  /** 0 where nothing was bought. */
  readonly units: number
  /** Those that were released together share both. */
  readonly sentMs: number
  readonly receivedMs: number
  /** How long it was under way in between. */
  readonly durationMs: number
  /** 0: no answer. */
  readonly status: number
  readonly code?: number
  readonly retryAfter?: string
  readonly errorCode?: string
  readonly orderId?: string
  readonly price?: string
  readonly currency?: string
  readonly state?: string
  /** Orders in the answer to a read. */
  readonly items?: number
  readonly newConnection: boolean
}

export type LaneEvidence = {
  readonly exchanges: readonly VolleyExchange[]
  /** Undefined: k6 stopped before the lane came to its end. */
  readonly end?: LaneEnd
}

export type VolleyEvidence = { readonly lanes: readonly LaneEvidence[] }

/** Reads and parses an evidence file. Throws E_K6_FAILED where it is missing or cannot be trusted. */
export async function importVolleys(
  path: string,
  options: { readonly lanes: number; readonly interrupted: boolean },
): Promise<VolleyEvidence> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw evidenceError(`k6 wrote no evidence: ${(error as Error).message}.`)
  }
  return parseVolleys(text, options)
}

type OpenLane = { exchanges: VolleyExchange[]; announced?: number; end?: LaneEnd }

/** Parses the lines of load/protocol/volleys.ts, as strictly as parseEvidence does its own. */
export function parseVolleys(
  text: string,
  { lanes, interrupted }: { readonly lanes: number; readonly interrupted: boolean },
): VolleyEvidence {
  if (text !== '' && !text.endsWith('\n') && !interrupted)
    throw evidenceError('The last line of the evidence is cut off.')
  const open = Array.from({ length: lanes }, (): OpenLane => ({ exchanges: [] }))
  for (const [index, line] of text.split('\n').slice(0, -1).entries())
    if (!readLine(line.split(' '), open))
      throw evidenceError(
        `Line ${index + 1} of the evidence is malformed: ${JSON.stringify(line.slice(0, 160))}.`,
      )
  for (const [lane, { exchanges, announced }] of open.entries())
    if (announced !== undefined && announced !== exchanges.length)
      throw evidenceError(
        `Lane ${lane} sent ${announced} requests, but the evidence holds ${exchanges.length}.`,
      )
  if (!interrupted && open.every(({ exchanges }) => exchanges.length === 0))
    throw evidenceError('k6 ended without one exchange in its evidence.')
  return { lanes: open.map(({ exchanges, end }) => ({ exchanges, ...(end && { end }) })) }
}

/** False if the line is none of the format. */
function readLine(fields: readonly string[], lanes: OpenLane[]): boolean {
  if (fields[0] === 'o') return readExchange(fields, lanes)
  const lane = lanes[Number(fields[1] ?? -1)]
  const announced = countOf(fields[2])
  const end = LANE_ENDS.find((each) => each === fields[3])
  if (fields[0] !== 'f' || fields.length !== 4 || !lane || announced === undefined || !end)
    return false
  lane.announced = announced
  lane.end = end
  return true
}

function readExchange(fields: readonly string[], lanes: OpenLane[]): boolean {
  const counts = [1, 2, 3, 4, 6, 7, 8, 9, 10].map((at) => countOf(fields[at]))
  if (fields.length !== VOLLEY_FIELDS || counts.includes(undefined)) return false
  const [lane = 0, key = 0, phaseIndex = 0, kindIndex = 0, units = 0, sent = 0, received = 0] =
    counts
  const [duration = 0, status = 0] = counts.slice(7)
  const phase = VOLLEY_PHASES[phaseIndex]
  const kind = REQUEST_KINDS[kindIndex]
  const open = lanes[lane]
  if (!open || !phase || !kind || received < sent) return false
  open.exchanges.push({
    lane,
    key,
    phase,
    kind,
    units,
    status,
    sentMs: sent / 1000,
    receivedMs: received / 1000,
    durationMs: duration / 1000,
    ...numbers(fields),
    ...texts(fields),
    newConnection: fields[19] === 'n',
  })
  return true
}

function numbers(fields: readonly string[]): Pick<VolleyExchange, 'reference' | 'code' | 'items'> {
  const at = (place: number): number | undefined =>
    /^-?\d+$/.test(fields[place] ?? '') ? Number(fields[place]) : undefined
  const [reference, code, items] = [at(5), at(11), at(18)]
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(code === undefined ? {} : { code }),
    ...(items === undefined ? {} : { items }),
  }
}

const TEXTS = {
  retryAfter: 12,
  errorCode: 13,
  orderId: 14,
  price: 15,
  currency: 16,
  state: 17,
} as const

function texts(fields: readonly string[]): Partial<Record<keyof typeof TEXTS, string>> {
  return Object.fromEntries(
    Object.entries(TEXTS)
      .filter(([, at]) => fields[at] !== '-')
      .map(([name, at]) => [name, decodeURIComponent(fields[at] ?? '')]),
  )
}

function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
