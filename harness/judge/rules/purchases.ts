/** What the attempts at one purchase say of it: the one definition for checks at rest and for judges of load. Pure. */
import {
  isAccepted,
  isCapRefusal,
  isDecided,
  isLost,
  isThrottled,
  type Answered,
} from '../../../contract/answers.ts'
import type { Micros } from '../../money.ts'
import type { SpendEvent } from '../spend.ts'
import type { RecordedAnswer } from './rule.ts'

/** One answer to a purchase. */
type Attempt = Pick<RecordedAnswer, keyof Answered | 'sentMs' | 'receivedMs'>

export type Attempted<Each> = {
  /** All that was sent under one reference, in the order of sending. */
  readonly attempts: readonly Each[]
  /** One answer for each order that was made. */
  readonly made: readonly Each[]
}

/** What became of a purchase, by one of its attempts. */
export type AttemptEvent<Each> = SpendEvent & { readonly attempt: Each }

/**
 * One purchase as the spend judge wants it: each order that was made, and each refusal by the cap. An attempt without an answer counts
 * if no order is known. So does one that was refused for contention to the end: whether it was charged is the matter of BUSY-05.
 */
export function spendEventsOf<Each extends Attempt>(
  { attempts, made }: Attempted<Each>,
  amountOf: (attempt: Each) => Micros,
): AttemptEvent<Each>[] {
  const spending = attempts.some(isDecided)
    ? attempts.filter((each) => isAccepted(each) || isLost(each))
    : attempts
  const sentMs = Math.min(...spending.map((each) => each.sentMs))
  const refused = attempts.filter(isCapRefusal)
  const events = [
    ...made.map((attempt) => ({ outcome: 'ok' as const, attempt, sentMs })),
    ...refused.map((attempt) => ({ outcome: 'refused' as const, attempt, sentMs: attempt.sentMs })),
  ].map((event) => {
    const { receivedMs } = event.attempt
    return { ...event, receivedMs, amount: amountOf(event.attempt) }
  })
  const first = spending.find((each) => !isThrottled(each)) ?? spending[0]
  if (made.length > 0 || first === undefined) return events
  const receivedMs = Math.max(...spending.map((each) => each.receivedMs))
  const amount = spending.map(amountOf).reduce((most, each) => (each > most ? each : most))
  return [...events, { outcome: 'unknown', attempt: first, sentMs, receivedMs, amount }]
}

/** What became of a purchase that a 429 refused and that was sent again (BUSY-06): it is to be made, or refused by the cap. */
export function resentOutcome({
  attempts,
  made,
}: Attempted<Answered>): 'decided' | 'refused otherwise' | 'open' {
  if (made.length > 0 || attempts.some(isCapRefusal)) return 'decided'
  return attempts.some(isDecided) ? 'refused otherwise' : 'open'
}
