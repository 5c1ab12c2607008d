import { existsSync } from 'node:fs'
import { access, constants, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { HarnessError, usageError } from '../errors.ts'
import { validateDocument } from '../schema/validate.ts'
import { sealed } from './digest.ts'

export type Rendered = { readonly file: string; readonly text: string }

/** Finds out before anything is sent whether there will be a place for the record. Throws E_USAGE. */
export async function requireWritable(reportsDir: string): Promise<void> {
  try {
    await mkdir(reportsDir, { recursive: true })
    await access(reportsDir, constants.W_OK)
  } catch (cause) {
    throw usageError(
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
  const signed = sealed(record)
  // Each takes long for a long record: signals are heard in between.
  await turn()
  // The record comes last: where it lies, all of the run lies.
  const run = { file: 'run.json', text: recordText(signed) }
  await turn()
  const files = [...rendered, run]
  try {
    const created = await mkdir(dir, { recursive: true })
    if (existsSync(path.join(dir, run.file))) throw new Error('another run lies there')
    await writeAll(dir, files).catch(async (cause: unknown) => {
      if (created === undefined) await removeRun(dir, files)
      else await rm(dir, { recursive: true, force: true })
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

/** A line for each member and for each element of a list: for diff and grep, in two thirds of the bytes that indenting takes. */
export function recordText(record: RunRecord): string {
  const lines = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}: ${memberText(value)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

function memberText(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value)
  return `[\n${value.map((element) => JSON.stringify(element)).join(',\n')}\n]`
}

/** Takes an earlier run out of a directory that is to be written again: what lies there must be of this run. */
export async function removeRun(
  dir: string,
  files: readonly Pick<Rendered, 'file'>[],
): Promise<void> {
  for (const { file } of files)
    for (const name of [file, `${file}.part`]) await rm(path.join(dir, name), { force: true })
}

/** Lets `latest` beside the runs lead to this one. Where links cannot be made there is none. */
export async function linkLatest(reportsDir: string, dir: string): Promise<void> {
  const link = path.join(reportsDir, 'latest')
  try {
    await rm(`${link}.part`, { force: true })
    await symlink(path.relative(reportsDir, dir), `${link}.part`)
    await rename(`${link}.part`, link)
  } catch (cause) {
    if (!NO_LINK.includes((cause as NodeJS.ErrnoException).code)) throw cause
  }
}

/** Rights that are missing, or room: the record is written all the same, and its verdict stands. */
const NO_LINK: readonly unknown[] = [
  'EPERM',
  'EACCES',
  'ENOSYS',
  'EISDIR',
  'EEXIST',
  'ENOTSUP',
  'ENOSPC',
  'EDQUOT',
]

/** Under their names only once all of them are on the disk. */
async function writeAll(dir: string, files: readonly Rendered[]): Promise<void> {
  const paths = files.map(({ file }) => path.join(dir, file))
  for (const [index, { text }] of files.entries())
    await writeFile(`${paths[index]}.part`, text, { flush: true })
  for (const each of paths) await rename(`${each}.part`, each)
}

export function schemaComplaints(record: unknown): string[] {
  return validateDocument('run-record', record).map(
    ({ pointer, message }) => `${pointer} ${message}`,
  )
}
