import type { ArrivalsFile, SessionEnd } from '../protocol/open-model.ts'
import type { ArrivalAnswer, ArrivalRequest, SessionIo } from './session.ts'

/** How a request ended that was tried until it was admitted; `end` where the client can go no further by itself. */
export type Persisted = {
  readonly answer: ArrivalAnswer
  readonly end?: Extract<SessionEnd, 'starved' | 'rejected' | 'lost'>
}

type Waits = Pick<ArrivalsFile, 'retriesMax' | 'waitSecondsMax' | 'jitterMsMax'>

const TOO_MANY_REQUESTS = 429
/** A 429 without a Retry-After that can be read. */
const RETRY_SECONDS_DEFAULT = 1

/**
 * Sends a request and, after a 429, again when its Retry-After and some jitter have passed: no more often and no longer than the
 * plan allows, else the session has `starved`.
 */
export async function persist(
  io: SessionIo,
  plan: Waits,
  request: Omit<ArrivalRequest, 'attempt'>,
): Promise<Persisted> {
  let { dueMs } = request
  for (let attempt = 0; ; attempt++) {
    const answer = await io.send({ ...request, attempt, dueMs })
    if (answer.status !== TOO_MANY_REQUESTS) return { answer, ...endOf(answer) }
    const waitSeconds = retryAfterSeconds(answer) ?? RETRY_SECONDS_DEFAULT
    if (attempt >= plan.retriesMax || waitSeconds > plan.waitSecondsMax)
      return { answer, end: 'starved' }
    dueMs = answer.receivedMs + 1000 * waitSeconds + jitterMs(io, plan)
    await io.sleepUntilMs(dueMs)
  }
}

/** The wait that an answer asks for; undefined without one of whole seconds. */
export function retryAfterSeconds({ retryAfter }: ArrivalAnswer): number | undefined {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
}

/** Keeps clients that were told the same wait apart. */
export function jitterMs(io: SessionIo, { jitterMsMax }: Pick<Waits, 'jitterMsMax'>): number {
  return io.random() * jitterMsMax
}

function endOf({ status }: ArrivalAnswer): Pick<Persisted, 'end'> {
  if (status === 0) return { end: 'lost' }
  return status >= 200 && status < 300 ? {} : { end: 'rejected' }
}
