import { HarnessError } from '../errors.ts'
import { Redactor } from '../record/redact.ts'
import { prepareDocument } from '../schema/validate.ts'
import { SIGNAL_EXIT_CODES } from '../signals.ts'
import type { Ending } from './conclude.ts'
import type { RunState } from './run-state.ts'
import { Interruption } from './interruption.ts'
import { ProgressLine } from './progress.ts'

export type GateStreams = {
  readonly out: NodeJS.WriteStream
  readonly progress: NodeJS.WriteStream
}

/** What a run works with while it is watched. */
export type Supervised = {
  readonly progress: ProgressLine
  readonly interruption: Interruption
  readonly runState: RunState
  readonly redactor: Redactor
}

type Work = {
  /** `planned`: there is nothing to record. */
  readonly carryOut: (run: Supervised) => Promise<'planned' | 'measured'>
  /** Judges and writes what was measured; gives the exit code. */
  readonly conclude: (ending: Ending) => Promise<number>
}

/**
 * Carries out a run, whatever ends it: a first signal stops it and leaves a record of what was measured, a second one ends
 * at once. Throws what was refused before anything was sent.
 */
export async function supervised(
  runState: RunState,
  { out, progress: progressStream }: GateStreams,
  { carryOut, conclude }: Work,
): Promise<number> {
  const progress = new ProgressLine(progressStream)
  const redactor = new Redactor()
  using interruption = new Interruption((by) => process.exit(SIGNAL_EXIT_CODES[by]))
  interruption.signal.addEventListener('abort', () => {
    progress.phase('stops and writes the record; a second signal ends at once')
    // Once everybody has heard of it.
    setImmediate(prepareDocument, 'run-record')
  })
  try {
    const end = await carryOut({ progress, interruption, runState, redactor })
    if (end === 'planned') return 0
  } catch (cause) {
    if (isRefusal(cause)) throw cause
    if (!interruption.by) runState.fail(cause)
  }
  progress.end()
  const { by } = interruption
  if (!runState.target) {
    if (!by) throw runState.cause
    out.write(`Interrupted (exit ${SIGNAL_EXIT_CODES[by]}) before anything was sent; no record.\n`)
    return SIGNAL_EXIT_CODES[by]
  }
  return await conclude({ redactor, out, ...(by ? { interruptedBy: by } : {}) })
}

/** Bad usage or configuration: nothing was sent, so there is nothing to record. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof HarnessError && cause.exitCode === 2
}
