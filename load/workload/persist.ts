import { isLost, isRefused, isThrottled } from '../../contract/answers.ts'
import type { OpenModelFile, SessionEnd } from '../protocol/open-model.ts'
import type { SessionAnswer, SessionRequest, SessionIo } from './session-io.ts'

/** How a request ended that was tried until it was admitted; `end` where the client can go no further by itself. */
export type Persisted = {
  readonly answer: SessionAnswer
  /**
   * When the answer came, or by the plan was to come at the latest. What follows at once or after a wait is due from then, so that a
   * late answer counts in all requests that it holds up.
   */
  readonly answeredByMs: number
  /** When the session's next request is due by the plan. */
  readonly nextDueMs: number
  readonly end?: Extract<SessionEnd, 'starved' | 'rejected' | 'lost'>
}

type Waits = Pick<OpenModelFile, 'retriesMax' | 'waitSecondsMax' | 'jitterMsMax' | 'thinkSeconds'>

/** A 429 without a Retry-After that can be read. */
export const RETRY_SECONDS_DEFAULT = 1

/**
 * Sends a request when it is due and, after a 429, again when its Retry-After and some jitter have passed: no more often and no longer
 * than the plan allows, else the session has `starved`. A 429 names a new moment, and the plan goes on from there.
 */
export async function persist(
  io: SessionIo,
  plan: Waits,
  request: Omit<SessionRequest, 'attempt'>,
): Promise<Persisted> {
  let { dueMs } = request
  for (let attempt = 0; ; attempt++) {
    await io.sleepUntilMs(dueMs)
    const answer = await io.send({ ...request, attempt, dueMs })
    const moments = momentsAfter(answer, dueMs, plan)
    if (!isThrottled(answer)) return { answer, ...moments, ...endOf(answer) }
    const waitSeconds = retryAfterSeconds(answer) ?? RETRY_SECONDS_DEFAULT
    if (attempt >= plan.retriesMax || waitSeconds > plan.waitSecondsMax)
      return { answer, ...moments, end: 'starved' }
    dueMs = answer.receivedMs + 1000 * waitSeconds + jitterMs(io, plan)
  }
}

/** Without a think time nothing is planned beyond the first request of a session: the next is due when the last was answered. */
function momentsAfter(
  { receivedMs }: SessionAnswer,
  dueMs: number,
  { thinkSeconds }: Waits,
): Pick<Persisted, 'answeredByMs' | 'nextDueMs'> {
  if (thinkSeconds === undefined) return { answeredByMs: receivedMs, nextDueMs: receivedMs }
  const nextDueMs = dueMs + 1000 * thinkSeconds
  return { answeredByMs: Math.min(receivedMs, nextDueMs), nextDueMs }
}

/** The wait that an answer asks for; undefined without one of whole seconds. */
export function retryAfterSeconds({
  retryAfter,
}: Pick<SessionAnswer, 'retryAfter'>): number | undefined {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
}

/** Keeps clients apart that got the same Retry-After. */
export function jitterMs(io: SessionIo, { jitterMsMax }: Pick<Waits, 'jitterMsMax'>): number {
  return io.random() * jitterMsMax
}

function endOf(answer: SessionAnswer): Pick<Persisted, 'end'> {
  if (isLost(answer)) return { end: 'lost' }
  return isRefused(answer) ? { end: 'rejected' } : {}
}
