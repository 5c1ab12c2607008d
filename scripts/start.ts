import { enableCompileCache } from 'node:module'
import { setImmediate as turn } from 'node:timers/promises'
import { endAtSignals, SIGNAL_EXIT_CODES } from '../harness/gate/interruption.ts'
import type { RunOptions } from '../harness/gate/options.ts'
import { endSoon } from './end-soon.ts'
import { endUnforeseen } from './ending.ts'
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
    await loadInTurns()
    const { main } = await import('./main.ts')
    await main(command)
  })
}

/** What takes long to load, one after the other: a signal is heard in between. */
async function loadInTurns(): Promise<void> {
  await import('../harness/schema/validate.ts')
  await turn()
  await import('../harness/gate/gate.ts')
  await turn()
  await import('../conformance/selectable.ts')
  await turn()
}

/**
 * Runs what loads a command. Node ends with 1 when a module cannot be loaded, which here would say that the target failed; so the
 * loading is done where it can be caught.
 */
export async function guarded(load: () => Promise<void>): Promise<void> {
  endAtSignals()
  process.on('uncaughtException', endUnforeseen)
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
  if (isInterrupted()) endNow()
  else endSoon()
}

function isInterrupted(): boolean {
  return Object.values(SIGNAL_EXIT_CODES).some((code) => code === process.exitCode)
}

/** Whoever pressed Ctrl-C waits for nothing that is still to be closed; what was written is on its way. */
function endNow(): void {
  const { exitCode } = process
  process.stdout.write('', () => process.exit(exitCode))
}
