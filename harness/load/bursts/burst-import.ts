import type { ScriptEnd, RequestKind, BurstPhase } from '../../../load/protocol/bursts.ts'
import { EVIDENCE } from '../../../load/protocol/evidence-table.ts'
import { importLines, requireWhole } from '../evidence/import-lines.ts'
import type { RowOf } from '../evidence/line-reader.ts'

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

type OpenScript = { readonly exchanges: BurstExchange[]; announced?: number; end?: ScriptEnd }

/** Reads what scripts left. Throws E_K6_FAILED where the file is missing or cannot be trusted. */
export async function importBursts(
  path: string,
  { scripts, interrupted }: { readonly scripts: number; readonly interrupted: boolean },
): Promise<BurstEvidence> {
  const open = Array.from({ length: scripts }, (): OpenScript => ({ exchanges: [] }))
  await importLines(
    path,
    EVIDENCE.bursts,
    {
      o: ({ row }) => open[row.script]?.exchanges.push(exchangeOf(row)) !== undefined,
      f({ row: { script, exchanges, end } }) {
        const ended = open[script]
        return ended !== undefined && Boolean(Object.assign(ended, { announced: exchanges, end }))
      },
    },
    { interrupted },
  )
  const parts = open.map(({ exchanges, announced }, index) => {
    return { index, held: exchanges.length, announced }
  })
  requireWhole('Script', parts, interrupted)
  return { scripts: open.map(({ exchanges, end }) => ({ exchanges, ...(end && { end }) })) }
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
