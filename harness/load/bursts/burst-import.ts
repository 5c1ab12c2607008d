import type { ScriptEnd, RequestKind, BurstPhase } from '../../../load/protocol/bursts.ts'
import { EVIDENCE } from '../../../load/protocol/evidence-table.ts'
import { evidenceError, readEvidence } from '../evidence/lines.ts'
import type { Fields } from '../evidence/lines.ts'
import { LineReader, type RowOf } from '../evidence/line-reader.ts'

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
 * Reads the lines of load/protocol/evidence-table.ts, as strictly as importEvidence does its own. Throws E_K6_FAILED where the file is missing
 * or cannot be trusted.
 */
export async function importBursts(path: string, options: ImportOptions): Promise<BurstEvidence> {
  const open = openScripts(options)
  const readLine = scriptReader(open)
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

/** Gives false for a line that is none of the format. */
function scriptReader(scripts: readonly OpenScript[]): (fields: Fields) => boolean {
  const [exchange, end] = [new LineReader(EVIDENCE.bursts.o), new LineReader(EVIDENCE.bursts.f)]
  return (fields) => {
    const word = fields.word()
    const reader = word === 'o' ? exchange : end
    if ((word !== 'o' && word !== 'f') || !reader.read(fields)) return false
    const open = scripts[reader.values[reader.at.script] as number]
    if (!open) return false
    if (word === 'f') {
      const { exchanges, end: how } = end.row
      open.announced = exchanges
      open.end = how
      return true
    }
    const { row } = exchange
    if (row.receivedMs < row.sentMs) return false
    open.exchanges.push(exchangeOf(row))
    return true
  }
}

function exchangeOf(row: RowOf<typeof EVIDENCE.bursts.o>): BurstExchange {
  const { durationUs, connection, orderId, state, ...rest } = row
  const orders = orderId?.split(',').length ?? 0
  const all = {
    ...rest,
    orderId: orderId && decodeURIComponent(orderId),
    state: state && decodeURIComponent(state),
    orders: orders > 1 ? orders : undefined,
    durationMs: durationUs / 1000,
    newConnection: connection === 'n',
  }
  // Without what is none.
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as BurstExchange
}
