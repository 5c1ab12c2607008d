/** Every check and invariant: what the files `conformance/<area>/<behaviour>.check.ts` export. */
import { globSync } from 'node:fs'
import path from 'node:path'
import { areaOf, type CheckDefinition, type InvariantDefinition } from './engine/check.ts'

type Definition = CheckDefinition | InvariantDefinition

/** Their checks drain a cap that may outlive the run, so they start after all others. */
const LAST_AREAS = ['contention', 'transaction-limit']

async function definitionsOf(file: string): Promise<readonly Definition[]> {
  const [area = '', name = ''] = file.split(path.sep)
  const definitions: Record<string, Definition> = await import(
    /* @vite-ignore */ `./${area}/${name}`
  )
  return Object.values(definitions)
}

/** The package holds compiled files. */
const files = globSync('*/*.check.{ts,js}', { cwd: import.meta.dirname }).toSorted()
const definitions = (await Promise.all(files.map(definitionsOf))).flat()

function rank({ id }: Definition): number {
  return LAST_AREAS.indexOf(areaOf(id))
}

/** Every check, in the order of their start. */
export const ALL_CHECKS: readonly CheckDefinition[] = definitions
  .filter((each) => 'run' in each)
  .toSorted((a, b) => rank(a) - rank(b))

/** Checks that judge the whole history of a run, after all others. */
export const ALL_INVARIANTS: readonly InvariantDefinition[] = definitions.filter(
  (each) => 'judge' in each,
)
