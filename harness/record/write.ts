import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import schema from '../../schemas/run-record.schema.json' with { type: 'json' }
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { HarnessError } from '../errors.ts'

export type Rendered = { readonly file: string; readonly text: string }

/** Writes run.json and what the renderers made of it. The record is written even when it breaks its schema; then it throws. */
export async function writeRecord(
  dir: string,
  record: RunRecord,
  rendered: readonly Rendered[],
): Promise<void> {
  await mkdir(dir, { recursive: true })
  await writeFile(path.join(dir, 'run.json'), `${JSON.stringify(record, undefined, 2)}\n`)
  for (const { file, text } of rendered) await writeFile(path.join(dir, file), text)
  const complaints = schemaComplaints(record)
  if (complaints.length > 0)
    throw new HarnessError(
      'E_RECORD_INVALID',
      `the run record breaks its schema: ${complaints.slice(0, 3).join('; ')}`,
      'Report it with run.json; its verdict cannot be trusted.',
    )
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
