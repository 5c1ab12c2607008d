import { K6_LOG } from '../load/evidence/k6-log.ts'
import { readK6Logs } from '../load/k6/k6-logs.ts'
import type { RunState } from './run-state.ts'

/** Keeps what k6 said beside the record where it did not end as it has to: its own directory is taken away. */
export async function keepingK6Log<T>(
  runState: RunState,
  runDir: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    runState.attachments.push({ file: K6_LOG, text: await readK6Logs(runDir) })
    throw cause
  }
}
