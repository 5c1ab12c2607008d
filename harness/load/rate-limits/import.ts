import { EVIDENCE_VERSION } from '../../../load/protocol/evidence.ts'
import type { StreamEnd } from '../../../load/protocol/evidence.ts'
import { EVIDENCE } from '../../../load/protocol/evidence-table.ts'
import { RowColumns } from '../evidence/row-columns.ts'
import { importLines, requireWhole } from '../evidence/import-lines.ts'
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

export type Evidence = { readonly streams: readonly StreamEvidence[] }

type OpenStream = {
  readonly columns: RowColumns<typeof EVIDENCE.windows.x>
  messages?: RefusalMessages
  announced?: number
  end?: StreamEnd
}

/** Reads what streams left. Throws E_K6_FAILED where the file is missing or cannot be trusted. */
export async function importEvidence(
  path: string,
  { streams, interrupted }: { readonly streams: number; readonly interrupted: boolean },
): Promise<Evidence> {
  // The streams of an account are judged together.
  const texts = new StringPool()
  const open = Array.from({ length: streams }, (): OpenStream => {
    return { columns: new RowColumns(EVIDENCE.windows.x, texts) }
  })
  const note = (stream: number, said: Partial<OpenStream>): boolean =>
    open[stream] !== undefined && Boolean(Object.assign(open[stream], said))
  await importLines(
    path,
    EVIDENCE.windows,
    {
      h: ({ row }) => row.version === EVIDENCE_VERSION,
      x: ({ values, at }) =>
        open[values[at.stream] as number]?.columns.pushValues(values) !== undefined,
      m: ({ row: { stream, ...messages } }) => note(stream, { messages }),
      e: ({ row: { stream, exchanges, end } }) => note(stream, { announced: exchanges, end }),
    },
    { interrupted },
  )
  const parts = open.map(({ columns, announced }, index) => {
    return { index, held: columns.length, announced }
  })
  requireWhole('Stream', parts, interrupted)
  return {
    streams: open.map(({ columns, end, messages }) => ({
      samples: columns.columns(),
      ...(messages && { messages }),
      ...(end && { end }),
    })),
  }
}
