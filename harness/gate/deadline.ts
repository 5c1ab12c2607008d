import { HarnessError } from '../errors.ts'
import type { Introducing } from './introduce.ts'
import type { ProgressLine } from './progress.ts'

/** All of a preflight together: a target that needs longer for a few reads cannot be judged either. */
const SECONDS_MAX = 12
const PROGRESS_MS = 1_000

/** Asks the target something and gives up, as unreachable, when it keeps us waiting; says so while it waits. */
export async function withDeadline<T>(
  options: Introducing,
  progress: ProgressLine,
  ask: (options: Introducing) => Promise<T>,
): Promise<T> {
  const { target, signal } = options
  const deadline = new AbortController()
  let seconds = 0
  const timer = setInterval(() => {
    seconds += 1
    progress.status(`waits for an answer of ${target.baseUrl}, ${seconds} of ${SECONDS_MAX} s`)
    if (seconds >= SECONDS_MAX) deadline.abort(silentError(target.baseUrl))
  }, PROGRESS_MS)
  try {
    const signals = signal ? [signal, deadline.signal] : [deadline.signal]
    return await ask({ ...options, signal: AbortSignal.any(signals) })
  } finally {
    clearInterval(timer)
  }
}

function silentError(baseUrl: string): HarnessError {
  return new HarnessError(
    'E_ENVIRONMENT_UNREACHABLE',
    `${baseUrl} takes connections but did not answer a few reads within ${SECONDS_MAX} s`,
    'Look at the log of the service and at what stands before it (proxy, firewall, load balancer); then run again.',
  )
}
