import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { HarnessError } from '../errors.ts'
import { schemaComplaints } from './write.ts'

/** Reads a run.json, or the one in a run's directory. Throws E_RECORD_UNREADABLE for what is no run record of this version. */
export async function readRecord(file: string): Promise<RunRecord> {
  const record: unknown = await parsed(file)
  const [complaint] = schemaComplaints(record)
  if (complaint !== undefined) throw refused(`${file} is no run record: ${complaint}`)
  return record as RunRecord
}

async function parsed(file: string): Promise<unknown> {
  try {
    const isDirectory = (await stat(file)).isDirectory()
    return JSON.parse(await readFile(isDirectory ? path.join(file, 'run.json') : file, 'utf8'))
  } catch (cause) {
    throw refused(`${file} could not be read: ${(cause as Error).message}`)
  }
}

function refused(message: string): HarnessError {
  return new HarnessError(
    'E_RECORD_UNREADABLE',
    message,
    'Name the run.json of a run, or its directory, such as reports/latest.',
  )
}
