import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { endAtSignals } from '../harness/gate/interruption.ts'
import type { RunOptions } from '../harness/gate/options.ts'
import { RUN_PAGES } from '../harness/gate/pages.ts'
import { asksForHelp, helpOf } from '../harness/help-page.ts'
import { signalOf } from '../harness/signals.ts'
import { endSoon } from './end-soon.ts'
import { endUnforeseen, report } from './ending.ts'

const EXIT_ENVIRONMENT = 3

/** Loads and runs a command. Help is answered at once: what a run needs takes a second to load. */
export function start(command: RunOptions['command']): Promise<void> {
  return guarded(async () => {
    if (asksForHelp(process.argv.slice(2))) {
      console.log(helpOf(RUN_PAGES[command]))
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
 * The way into every command, those of developers too: `run` gives or sets the exit code. Node ends with 1 when a module cannot be
 * loaded, which here would say that the target failed; so it is loaded where that can be caught. The process ends 5 s after `run`,
 * whatever is still open.
 */
export async function guarded(run: () => Promise<number | void>): Promise<void> {
  endAtSignals()
  process.on('uncaughtException', endUnforeseen)
  try {
    // Node would make the folder, and a wrong TMPDIR would stay unseen.
    const { directory } = existsSync(tmpdir()) ? enableCompileCache() : {}
    // The threads that this one starts learn of it from the environment alone.
    if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= path.dirname(directory)
    const exitCode = await run()
    if (typeof exitCode === 'number') process.exitCode = exitCode
  } catch (cause) {
    process.exitCode = explain(cause)
  }
  if (signalOf(process.exitCode)) endNow()
  else endSoon()
}

function explain(cause: unknown): number {
  const isMissing = cause instanceof Error && cause.message.startsWith('Cannot find package')
  if (!isMissing) return report(cause)
  console.error(cause)
  console.error(
    `E_ENVIRONMENT: the harness is not installed completely. Run npm ci. Exit ${EXIT_ENVIRONMENT}.`,
  )
  return EXIT_ENVIRONMENT
}

/** Whoever pressed Ctrl-C waits for nothing that is still to be closed; what was written is on its way. */
function endNow(): void {
  const { exitCode } = process
  process.stdout.write('', () => process.exit(exitCode))
}
