/** `npm run capacity`: the highest rate at which a target holds its goals. */
import { REQUIREMENTS } from '../contract/requirements/index.ts'
import { parseCapacityOptions } from '../harness/capacity/options.ts'
import { runCapacity } from '../harness/capacity/run.ts'
import { ignoreLostReader, report } from './ending.ts'
import { HARNESS_VERSION, showOrigins } from './main.ts'

/** Runs the search and sets the exit code of the process. */
export async function capacityMain(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreLostReader)
  try {
    const options = parseCapacityOptions(process.argv.slice(2))
    if (options.run.showOrigins) await showOrigins(options.run)
    else
      process.exitCode = await runCapacity(
        options,
        { catalogue: REQUIREMENTS, harnessVersion: HARNESS_VERSION },
        { out: process.stdout, progress: process.stderr },
      )
  } catch (cause) {
    process.exitCode = report(cause)
  }
}
