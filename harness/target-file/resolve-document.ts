import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Environment, TargetFlags } from './options.ts'
import { resolveTarget, type ResolvedTarget } from './resolve.ts'

export type DocumentOptions = {
  /** Names the document in messages, for example `embedded`. */
  readonly name: string
  readonly flags?: TargetFlags
  readonly env?: Environment
}

/** Resolves the content of a target file that is no file here: one that a service brings along. Throws as resolveTarget does. */
export function resolveDocument(
  content: unknown,
  { name, flags = {}, env = {} }: DocumentOptions,
): ResolvedTarget {
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'ordering-harness-target-'))
  try {
    const target = path.join(cwd, `${name}.target.json`)
    writeFileSync(target, JSON.stringify(content))
    return resolveTarget({ flags: { ...flags, target }, env, cwd })
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}
