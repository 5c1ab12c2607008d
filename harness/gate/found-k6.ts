import { findK6, type K6Binary } from '../load/k6/k6-binary.ts'
import type { Interruption } from './interruption.ts'
import type { ProgressLine } from './progress.ts'
import type { RunState } from './run-state.ts'

type Finding = {
  readonly progress: Pick<ProgressLine, 'status'>
  readonly interruption: Pick<Interruption, 'signal'>
  readonly runState: Pick<RunState, 'k6'>
}

/** The k6 of a run, which its record names. Throws E_K6_MISSING. */
export async function k6Of({ progress, interruption, runState }: Finding): Promise<K6Binary> {
  const k6 = await findK6({
    env: process.env,
    onProgress: (text) => progress.status(text),
    signal: interruption.signal,
  })
  runState.k6 = { version: k6.version, source: k6.source }
  return k6
}
