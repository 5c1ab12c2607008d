/** What the evidence of each kind is like, for whoever reads its lines as texts: to join them, and to show them while they come. */
import { EVIDENCE } from '../../../load/protocol/evidence-table.ts'
import { placesIn, timePlacesIn, type LineFields } from '../../../load/protocol/lines.ts'

export type EvidenceForm = {
  /** For each kind of line the places of its times, whole microseconds on the test clock of its instance. */
  readonly times: Readonly<Record<string, readonly number[]>>
  /** The line of an exchange, and that with which a client ends: a stream, a script or a session. */
  readonly exchange: Line
  readonly end: Line
  /** What an index of the field `phase` stands for. */
  readonly phases: readonly string[]
  /** Where lines that begin with `h` have time 0 of a schedule. */
  readonly zero: number | undefined
}

/** The first word of a line, the places of its fields, counted from 0, and which of them is the client. */
type Line = {
  readonly word: string
  readonly at: Readonly<Record<string, number>>
  readonly client: number
}

export const FORMS = {
  windows: formOf(EVIDENCE.windows, { exchange: 'x', end: 'e', client: 'stream' }),
  bursts: formOf(EVIDENCE.bursts, { exchange: 'o', end: 'f', client: 'script' }),
  'open-model': formOf(EVIDENCE['open-model'], { exchange: 'a', end: 'z', client: 'session' }),
} as const

function formOf<const T extends Readonly<Record<string, LineFields>>>(
  lines: T,
  names: Readonly<Record<'exchange' | 'end', keyof T & string>> & { readonly client: string },
): EvidenceForm {
  const line = (word: keyof T & string): Line => {
    const at: Readonly<Record<string, number>> = placesIn(lines[word] as LineFields)
    return { word, at, client: at[names.client] ?? 0 }
  }
  const phase = lines[names.exchange]?.['phase']
  const head: Readonly<Record<string, number>> = placesIn<LineFields>(lines['h'] ?? {})
  return {
    times: timePlacesIn(lines),
    exchange: line(names.exchange),
    end: line(names.end),
    phases: phase && 'of' in phase ? phase.of : [],
    zero: head['zeroMs'],
  }
}
