import {
  SCRIPT_ENDS,
  REQUEST_KINDS,
  BURST_LINES,
  BURST_PHASES,
} from '../../../load/protocol/bursts.ts'
import type { ScriptEnd, RequestKind, BurstPhase } from '../../../load/protocol/bursts.ts'
import { placesIn } from '../../../load/protocol/lines.ts'
import { evidenceError, readEvidence } from '../evidence/lines.ts'
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

const PLACES = placesIn(BURST_LINES.o)
const END_PLACES = placesIn(BURST_LINES.f)

/** False if the line is none of the format. */
function readWords(fields: readonly string[], scripts: OpenScript[]): boolean {
  if (fields[0] === 'o') return readExchange(fields, scripts)
  const script = scripts[Number(fields[END_PLACES.script] ?? -1)]
  const announced = countOf(fields[END_PLACES.exchanges])
  const end = SCRIPT_ENDS.find((each) => each === fields[END_PLACES.end])
  const isWhole = fields.length === 1 + BURST_LINES.f.length
  if (fields[0] !== 'f' || !isWhole || !script || announced === undefined || !end) return false
  script.announced = announced
  script.end = end
  return true
}

/** Fields that are whole numbers in every line. */
const COUNTS = [
  'script',
  'key',
  'phase',
  'kind',
  'units',
  'sentUs',
  'receivedUs',
  'duration',
  'status',
] as const

function countsIn(
  fields: readonly string[],
): Readonly<Record<(typeof COUNTS)[number], number>> | undefined {
  const counts = COUNTS.map((name) => [name, countOf(fields[PLACES[name]])] as const)
  if (counts.some(([, count]) => count === undefined)) return undefined
  return Object.fromEntries(counts) as Record<(typeof COUNTS)[number], number>
}

function readExchange(fields: readonly string[], scripts: OpenScript[]): boolean {
  const counts = countsIn(fields)
  if (fields.length !== 1 + BURST_LINES.o.length || !counts) return false
  const { script, key, units, sentUs, receivedUs, duration, status } = counts
  const phase = BURST_PHASES[counts.phase]
  const kind = REQUEST_KINDS[counts.kind]
  const open = scripts[script]
  const named = texts(fields)
  if (!open || !phase || !kind || !named || receivedUs < sentUs) return false
  open.exchanges.push({
    script,
    key,
    phase,
    kind,
    units,
    status,
    sentMs: sentUs / 1000,
    receivedMs: receivedUs / 1000,
    durationMs: duration / 1000,
    ...numbers(fields),
    ...named,
    newConnection: fields[PLACES.connection] === 'n',
  })
  return true
}

/** Fields that are numbers, or nothing. */
const NUMBERS = ['reference', 'code', 'items'] as const

function numbers(
  fields: readonly string[],
): Pick<BurstExchange, (typeof NUMBERS)[number] | 'orders'> {
  const found = NUMBERS.filter((name) => /^-?\d+$/.test(fields[PLACES[name]] ?? ''))
  const orders = fields[PLACES.orderId]?.split(',').length ?? 0
  return {
    ...(orders > 1 ? { orders } : {}),
    ...Object.fromEntries(found.map((name) => [name, Number(fields[PLACES[name]])])),
  }
}

const TEXTS = ['retryAfter', 'errorCode', 'orderId', 'price', 'currency', 'state'] as const

/** Undefined if one is not rightly encoded. */
function texts(
  fields: readonly string[],
): Partial<Record<(typeof TEXTS)[number], string>> | undefined {
  const encoded = TEXTS.filter((name) => fields[PLACES[name]] !== '-')
  try {
    return Object.fromEntries(
      encoded.map((name) => [name, decodeURIComponent(fields[PLACES[name]] ?? '')]),
    )
  } catch {
    return undefined
  }
}

function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
