import { EVIDENCE } from '../../../load/protocol/evidence-table.ts'
import { OPEN_MODEL_VERSION } from '../../../load/protocol/open-model.ts'
import { importLines, requireWhole } from '../evidence/import-lines.ts'
import { SessionColumns } from './session-table.ts'
import type { SessionTable } from './session-table.ts'

export type OpenModelEvidence = {
  /** Those that began. */
  readonly sessions: SessionTable
  /** When time 0 of the schedule was, on k6's wall clock: to set the evidence of several instances side by side. */
  readonly zeroUnixMs: number
}

export type OpenModelReading = {
  /** Sessions that were planned. */
  readonly sessions: number
  readonly keys: number
  readonly interrupted: boolean
}

const LINES = EVIDENCE['open-model']
/** A place that is none. */
const NONE = -1

/** Reads what sessions left. Throws E_K6_FAILED where the file is missing or cannot be trusted. */
export async function importOpenModel(
  path: string,
  { sessions: planned, keys, interrupted }: OpenModelReading,
): Promise<OpenModelEvidence> {
  const columns = new SessionColumns()
  // Places of sessions, by their index.
  const places = new Int32Array(planned).fill(NONE)
  // By the place of the session, what it says that it sent.
  const announced = new Uint32Array(planned)
  const clock = { zeroUs: 0 }
  let zeroUnixMs: number | undefined
  /** Of a session that has begun and not ended; NONE for any other. */
  const openPlace = (session: number): number => {
    const place = places[session] ?? NONE
    return place === NONE || columns.isEnded(place) ? NONE : place
  }
  await importLines(
    path,
    LINES,
    {
      h({ row: { version, unixMs, testMs, zeroMs } }) {
        // Virtual users read the clocks one after the other, and agree but for a millisecond.
        if (zeroUnixMs !== undefined) return version === OPEN_MODEL_VERSION
        zeroUnixMs = unixMs + zeroMs - testMs
        clock.zeroUs = Math.round(1000 * zeroMs)
        return version === OPEN_MODEL_VERSION
      },
      // Without a head no time could be told.
      s({ row }) {
        const isSound = zeroUnixMs !== undefined && row.key < keys && places[row.session] === NONE
        if (isSound) places[row.session] = columns.begin(row)
        return isSound
      },
      a({ values, at }) {
        const place = openPlace(values[at.session] as number)
        if (place === NONE) return false
        values[at.session] = place
        columns.addValues(values)
        return true
      },
      z({ row: { session, exchanges, end } }) {
        const place = openPlace(session)
        if (place === NONE) return false
        announced[place] = exchanges
        columns.end(place, end)
        return true
      },
    },
    { interrupted, clock },
  )
  const sessions = columns.table()
  requireWhole('Session', partsOf(sessions, announced), interrupted)
  return { sessions, zeroUnixMs: zeroUnixMs ?? 0 }
}

function* partsOf(
  sessions: SessionTable,
  announced: Uint32Array,
): Parameters<typeof requireWhole>[1] {
  for (let place = 0; place < sessions.length; place++) {
    const isEnded = sessions.endOf(place) !== undefined
    yield {
      index: sessions.indexOf(place),
      held: sessions.rowsOf(place).length,
      announced: isEnded ? announced[place] : undefined,
    }
  }
}
