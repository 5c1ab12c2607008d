/** What all importers of evidence have in common. */
import type { LineFields } from '../../../load/protocol/lines.ts'
import { LineReader, type Value } from './line-reader.ts'
import { evidenceError, readEvidence, type Fields } from './lines.ts'

type Lines = Readonly<Record<string, LineFields>>

/** Takes in a line of each kind; false if it does not fit what came before. */
type Takers<T extends Lines> = {
  readonly [Word in keyof T]: (line: LineReader<T[Word]>) => boolean
}

export type Importing = {
  readonly interrupted: boolean
  /** The moment from which those of lines are counted, in microseconds of the test clock. */
  readonly clock?: { zeroUs: number }
}

/**
 * Reads an evidence file line by line, each by the fields of its first word. Throws E_K6_FAILED where the file is missing or a line is
 * malformed: of another kind, with other fields, answered before it was sent, or not taken in. Unless k6 was interrupted, no line may
 * be cut off.
 */
export async function importLines<const T extends Lines>(
  path: string,
  lines: T,
  takers: Takers<T>,
  { interrupted, clock }: Importing,
): Promise<void> {
  const readers = new Map(
    Object.entries(lines).map(([word, fields]) => {
      const line = new LineReader(fields, clock)
      return [word, reading(line, takers[word] as (line: LineReader<LineFields>) => boolean)]
    }),
  )
  const readLine = (fields: Fields): boolean => readers.get(fields.word())?.(fields) ?? false
  await readEvidence(path, { interrupted, readLine })
}

function reading(
  line: LineReader<LineFields>,
  take: (line: LineReader<LineFields>) => boolean,
): (fields: Fields) => boolean {
  const { values, at } = line
  const { sentMs, receivedMs } = at
  if (sentMs === undefined || receivedMs === undefined)
    return (fields) => line.read(fields) && take(line)
  return (fields) =>
    line.read(fields) && isForward(values[sentMs], values[receivedMs]) && take(line)
}

function isForward(sentMs: Value, receivedMs: Value): boolean {
  return (receivedMs as number) >= (sentMs as number)
}

/** What one stream, script or session left, and how many exchanges it says that it sent, if it ended. */
type Part = {
  readonly index: number
  readonly held: number
  readonly announced: number | undefined
}

/** Throws E_K6_FAILED where a part that ended is not all there, or a k6 that was not interrupted left nothing. */
export function requireWhole(kind: string, parts: Iterable<Part>, interrupted: boolean): void {
  let total = 0
  for (const { index, held, announced } of parts) {
    total += held
    if (announced !== undefined && announced !== held)
      throw evidenceError(
        `${kind} ${index} sent ${announced} requests, but the evidence holds ${held}.`,
      )
  }
  if (total === 0 && !interrupted)
    throw evidenceError('k6 ended without one exchange in its evidence.')
}
