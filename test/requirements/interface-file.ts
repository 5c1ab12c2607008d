import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '..', '..')

/** Where the interface is looked for: the environment's word, else beside the repository. */
export const INTERFACE_FILE =
  process.env['ORDERING_INTERFACE_FILE'] ?? path.join(ROOT, '..', 'shared', 'interface.md')

/** The text of the interface; undefined where it is not at hand. A file that the environment names must be there. */
export function readInterface(): string | undefined {
  const named = process.env['ORDERING_INTERFACE_FILE'] !== undefined
  return named || existsSync(INTERFACE_FILE) ? readFileSync(INTERFACE_FILE, 'utf8') : undefined
}
