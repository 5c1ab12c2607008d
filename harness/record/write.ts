import { access, constants, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import schema from '../../schemas/run-record.schema.json' with { type: 'json' }
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { HarnessError } from '../errors.ts'

export type Rendered = { readonly file: string; readonly text: string }

/** Finds out before anything is sent whether there will be a place for the record. Throws E_USAGE. */
export async function requireWritable(reportsDir: string): Promise<void> {
  try {
    await mkdir(reportsDir, { recursive: true })
    await access(reportsDir, constants.W_OK)
  } catch (cause) {
    throw new HarnessError(
      'E_USAGE',
      `the record could not be written to ${reportsDir}: ${(cause as Error).message}`,
      'Name a directory that can be written to with --reports DIR.',
      { cause },
    )
  }
}

/** Writes run.json first, then what the renderers made of it. Throws E_RECORD_UNWRITTEN. */
export async function writeRecord(
  dir: string,
  record: RunRecord,
  rendered: readonly Rendered[],
): Promise<void> {
  const run = { file: 'run.json', text: `${JSON.stringify(record, undefined, 2)}\n` }
  try {
    await mkdir(dir, { recursive: true })
    for (const { file, text } of [run, ...rendered]) await writeWhole(path.join(dir, file), text)
  } catch (cause) {
    throw new HarnessError(
      'E_RECORD_UNWRITTEN',
      `the record could not be written to ${dir}: ${(cause as Error).message}`,
      'Make room there, or name another directory with --reports DIR, and run again; of this run the terminal has all that is left.',
      { cause },
    )
  }
}

/** A file that could not be written to its end is not there: half of one may read as a whole. */
async function writeWhole(file: string, text: string): Promise<void> {
  const part = `${file}.part`
  try {
    await writeFile(part, text)
    await rename(part, file)
  } catch (cause) {
    await rm(part, { force: true })
    throw cause
  }
}

export function schemaComplaints(record: unknown): string[] {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
  })
  formats.default(ajv)
  const validate = ajv.compile(schema)
  if (validate(record)) return []
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`)
}
