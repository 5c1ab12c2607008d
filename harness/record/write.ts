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

/**
 * Writes run.json and what the renderers made of it, all of them or none: what is left of a full disk must not contradict the exit
 * code. Throws E_RECORD_UNWRITTEN.
 */
export async function writeRecord(
  dir: string,
  record: RunRecord,
  rendered: readonly Rendered[],
): Promise<void> {
  // The record comes last: where it lies, all of the run lies.
  const run = { file: 'run.json', text: `${JSON.stringify(record, undefined, 2)}\n` }
  const files = [...rendered, run]
  try {
    await mkdir(path.dirname(dir), { recursive: true })
    await mkdir(dir)
    await writeAll(dir, files).catch(async (cause: unknown) => {
      await rm(dir, { recursive: true, force: true })
      throw cause
    })
  } catch (cause) {
    throw new HarnessError(
      'E_RECORD_UNWRITTEN',
      `the record could not be written to ${dir}: ${(cause as Error).message}`,
      'Make room there, or name another directory with --reports DIR, and run again; of this run the terminal has all that is left.',
      { cause },
    )
  }
}

/** Under their names only once all of them are on the disk. */
async function writeAll(dir: string, files: readonly Rendered[]): Promise<void> {
  const paths = files.map(({ file }) => path.join(dir, file))
  for (const [index, { text }] of files.entries())
    await writeFile(`${paths[index]}.part`, text, { flush: true })
  for (const each of paths) await rename(`${each}.part`, each)
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
