/** `npm run capacity`: the highest rate at which a target holds its goals. */
import { REQUIREMENTS } from '../contract/requirements/index.ts'
import { parseCapacityOptions } from '../harness/capacity/options.ts'
import { runCapacity } from '../harness/capacity/run.ts'
import { HARNESS_VERSION, showOrigins } from './main.ts'

/** Runs the search and gives the exit code. */
export function capacity(argv: readonly string[]): Promise<number> {
  const options = parseCapacityOptions(argv)
  if (options.run.showOrigins) return showOrigins(options.run)
  const parts = { catalogue: REQUIREMENTS, harnessVersion: HARNESS_VERSION }
  return runCapacity(options, parts, { out: process.stdout, progress: process.stderr })
}
