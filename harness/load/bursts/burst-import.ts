import {
  SCRIPT_ENDS,
  REQUEST_KINDS,
  BURST_FIELDS,
  BURST_PHASES,
} from '../../../load/protocol/bursts.ts'
import type { ScriptEnd, RequestKind, BurstPhase } from '../../../load/protocol/bursts.ts'
import { evidenceError, readEvidence, readEvidenceText } from '../evidence/lines.ts'
import type { Fields } from '../evidence/lines.ts'

/** One exchange of a script. Times are milliseconds since k6 started its test. */
export type BurstExchange = {
  readonly script: number
  readonly key: number
  readonly phase: BurstPhase
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
  /** How many orders the answer to a purchase names, where they are several. */
  readonly orders?: number
  readonly price?: string
  readonly currency?: string
  /** Of a read that of each order, separated by commas. */
  readonly state?: string
  /** Orders in the answer to a read. */
  readonly items?: number
  /** Of a read of one order of a checkout: its place. */
  readonly child?: number
  /** Whether each order of an unhide read shows more than masked (m), more of some vouchers (p), or the same (s), separated by commas. */
  readonly reveals?: string
  readonly newConnection: boolean
}

export type ScriptEvidence = {
  readonly exchanges: readonly BurstExchange[]
  /** Undefined: k6 stopped before the script came to its end. */
  readonly end?: ScriptEnd
}

export type BurstEvidence = { readonly scripts: readonly ScriptEvidence[] }

type ImportOptions = { readonly scripts: number; readonly interrupted: boolean }

/**
 * Reads the lines of load/protocol/bursts.ts, as strictly as importEvidence does its own. Throws E_K6_FAILED where the file is missing
 * or cannot be trusted.
 */
export async function importBursts(path: string, options: ImportOptions): Promise<BurstEvidence> {
  const open = openScripts(options)
  const readLine = (fields: Fields): boolean => readWords(fields.words(), open)
  await readEvidence(path, { interrupted: options.interrupted, readLine })
  return evidenceOf(open, options)
}

/** The same for evidence that is at hand as text. */
export function parseBursts(text: string, options: ImportOptions): BurstEvidence {
  const open = openScripts(options)
  const readLine = (fields: Fields): boolean => readWords(fields.words(), open)
  readEvidenceText(text, { interrupted: options.interrupted, readLine })
  return evidenceOf(open, options)
}

type OpenScript = { exchanges: BurstExchange[]; announced?: number; end?: ScriptEnd }

function openScripts({ scripts }: ImportOptions): OpenScript[] {
  return Array.from({ length: scripts }, () => ({ exchanges: [] }))
}

function evidenceOf(open: readonly OpenScript[], { interrupted }: ImportOptions): BurstEvidence {
  for (const [script, { exchanges, announced }] of open.entries())
    if (announced !== undefined && announced !== exchanges.length)
      throw evidenceError(
        `Script ${script} sent ${announced} requests, but the evidence holds ${exchanges.length}.`,
      )
  if (!interrupted && open.every(({ exchanges }) => exchanges.length === 0))
    throw evidenceError('k6 ended without one exchange in its evidence.')
  return { scripts: open.map(({ exchanges, end }) => ({ exchanges, ...(end && { end }) })) }
}

/** False if the line is none of the format. */
function readWords(fields: readonly string[], scripts: OpenScript[]): boolean {
  if (fields[0] === 'o') return readExchange(fields, scripts)
  const script = scripts[Number(fields[1] ?? -1)]
  const announced = countOf(fields[2])
  const end = SCRIPT_ENDS.find((each) => each === fields[3])
  if (fields[0] !== 'f' || fields.length !== 4 || !script || announced === undefined || !end)
    return false
  script.announced = announced
  script.end = end
  return true
}

function readExchange(fields: readonly string[], scripts: OpenScript[]): boolean {
  const counts = [1, 2, 3, 4, 6, 7, 8, 9, 10].map((at) => countOf(fields[at]))
  if (fields.length !== BURST_FIELDS || counts.includes(undefined)) return false
  const [script = 0, key = 0, phaseIndex = 0, kindIndex = 0, units = 0, sent = 0, received = 0] =
    counts
  const [duration = 0, status = 0] = counts.slice(7)
  const phase = BURST_PHASES[phaseIndex]
  const kind = REQUEST_KINDS[kindIndex]
  const open = scripts[script]
  const named = texts(fields)
  if (!open || !phase || !kind || !named || received < sent) return false
  open.exchanges.push({
    script,
    key,
    phase,
    kind,
    units,
    status,
    sentMs: sent / 1000,
    receivedMs: received / 1000,
    durationMs: duration / 1000,
    ...numbers(fields),
    ...named,
    newConnection: fields[19] === 'n',
  })
  return true
}

function numbers(
  fields: readonly string[],
): Pick<BurstExchange, 'reference' | 'code' | 'items' | 'child' | 'orders'> {
  const at = (place: number): number | undefined =>
    /^-?\d+$/.test(fields[place] ?? '') ? Number(fields[place]) : undefined
  const [reference, code, items, child] = [at(5), at(11), at(18), at(20)]
  const orders = fields[14]?.split(',').length ?? 0
  return {
    ...(orders > 1 ? { orders } : {}),
    ...(child === undefined ? {} : { child }),
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
  reveals: 21,
} as const

/** Undefined if one is not rightly encoded. */
function texts(fields: readonly string[]): Partial<Record<keyof typeof TEXTS, string>> | undefined {
  const encoded = Object.entries(TEXTS).filter(([, at]) => fields[at] !== '-')
  try {
    return Object.fromEntries(
      encoded.map(([name, at]) => [name, decodeURIComponent(fields[at] ?? '')]),
    )
  } catch {
    return undefined
  }
}

function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
