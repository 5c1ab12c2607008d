import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { RunRecord } from '../../schemas/generated/run-record.ts'

/** The records under a reports directory, newest first, read one by one as they are asked for. Run ids begin with the time. */
export function* recordsIn(reportsDir: string): Generator<RunRecord> {
  for (const run of directoriesIn(reportsDir).toSorted().toReversed()) {
    const record = readRecord(path.join(reportsDir, run, 'run.json'))
    if (record) yield record
  }
}

/** Runs that are looked at: older ones tell little, and each has to be read whole. */
const LOOKED_AT_MAX = 20

/**
 * The newest run to its end of the same target that began earlier; undefined where there is none among the last twenty. An embedded
 * service or a container is on another port every time, so its name stands for it. Signals are heard between two records.
 */
export async function earlierRun(
  reportsDir: string,
  { runId, target }: RunRecord,
): Promise<RunRecord | undefined> {
  const isEarlier = (record: RunRecord): boolean =>
    record.runId < runId && !record.partial && isSame(record.target, target)
  for (const record of recordsIn(reportsDir).take(LOOKED_AT_MAX)) {
    if (isEarlier(record)) return record
    await turn()
  }
  return undefined
}

function isSame(a: RunRecord['target'], b: RunRecord['target']): boolean {
  return (
    a.name === b.name &&
    a.kind === b.kind &&
    (a.kind !== 'url' || a.baseUrl === b.baseUrl) &&
    a.faults.toSorted().join() === b.faults.toSorted().join()
  )
}

/** Undefined for what is no run: samples, or a run that never came to write its record. */
function readRecord(file: string): RunRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunRecord> | null
    const { schemaVersion, target, checks, observations } = record ?? {}
    return schemaVersion === 1 && target && checks && observations
      ? (record as RunRecord)
      : undefined
  } catch {
    return undefined
  }
}

function directoriesIn(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  } catch {
    return []
  }
}
