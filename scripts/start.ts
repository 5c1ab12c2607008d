import { enableCompileCache } from 'node:module'
import type { RunOptions } from '../harness/gate/options.ts'
import { asksForHelp, helpOf } from './help.ts'

const EXIT_ENVIRONMENT = 3
const EXIT_HARNESS = 4

/** Loads and runs a command. Help is answered at once: what a run needs takes a second to load. */
export function start(command: RunOptions['command']): Promise<void> {
  return guarded(async () => {
    if (asksForHelp(process.argv)) {
      console.log(helpOf(command))
      return
    }
    const { main } = await import('./main.ts')
    await main(command)
  })
}

/**
 * Runs what loads a command. Node ends with 1 when a module cannot be loaded, which here would say that the target failed; so the
 * loading is done where it can be caught.
 */
export async function guarded(load: () => Promise<void>): Promise<void> {
  try {
    enableCompileCache()
    await load()
  } catch (cause) {
    const isMissing = cause instanceof Error && cause.message.startsWith('Cannot find package')
    console.error(cause)
    console.error(
      isMissing
        ? `E_ENVIRONMENT: the harness is not installed completely. Run npm ci. Exit ${EXIT_ENVIRONMENT}.`
        : `E_HARNESS: the harness could not be started; the verdict on the target is open. Exit ${EXIT_HARNESS}.`,
    )
    process.exitCode = isMissing ? EXIT_ENVIRONMENT : EXIT_HARNESS
  }
}
