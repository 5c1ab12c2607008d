/** What one answer means: the one definition for checks at rest, for what k6 runs, and for judges of load. The reference service has none of it. */
import { ERROR_CODE_TRANSACTION_LIMIT, STATUS_CODE } from './wire.ts'

export type Answered = {
  /** HTTP status; 0 without an answer. */
  readonly status: number
  /** `statusCode` of the envelope. */
  readonly code?: unknown
  readonly errorCode?: unknown
}

/** A 202 may precede the creation of its order: so long after it, a read may find nothing. */
export const ANNOUNCED_MS = 700

/** `lost`: no answer, or one that leaves open what was done. It may have bought something. */
export type Meaning =
  | 'accepted'
  | 'refused by the cap'
  | 'refused by a window'
  | 'refused otherwise'
  | 'lost'

export function meaningOf(answered: Answered): Meaning {
  if (isAccepted(answered)) return 'accepted'
  if (!isRefused(answered)) return 'lost'
  if (isThrottled(answered)) return 'refused by a window'
  return isCapRefusal(answered) ? 'refused by the cap' : 'refused otherwise'
}

/** Any 2xx: which of them it must be is the matter of the requirements that name it. */
export function isAccepted({ status }: Answered): boolean {
  return status >= 200 && status < 300
}

/** Any 4xx: it did nothing. */
export function isRefused({ status }: Answered): boolean {
  return status >= 400 && status < 500
}

/** By a window, or since another request for the same is under way: it is to be sent again. */
export function isThrottled({ status }: Answered): boolean {
  return status === 429
}

/** Either of its two marks is enough, so that a refusal with one wrong mark is still known. */
export function isCapRefusal({ status, code, errorCode }: Answered): boolean {
  const isMarked =
    code === STATUS_CODE.apiKeyLimitExceeded || errorCode === ERROR_CODE_TRANSACTION_LIMIT
  return status === 409 && isMarked
}

/** Any 5xx: what was done is open. */
export function isServerError({ status }: Answered): boolean {
  return status >= 500
}

/** For sentences: what isLost is true of. */
export const LOST_ANSWER = 'no answer, a 3xx or a 5xx'

export function isLost(answered: Answered): boolean {
  return !isAccepted(answered) && !isRefused(answered)
}

/** Accepted or refused for good: nothing more will come of it. */
export function isDecided(answered: Answered): boolean {
  return isAccepted(answered) || (isRefused(answered) && !isThrottled(answered))
}

/** What a window made of a request: it let it pass, or refused it. `other` was refused before or after it. */
export function windowOutcomeOf(answered: Answered): 'admitted' | 'refused' | 'other' | 'unknown' {
  if (answered.status === 0) return 'unknown'
  if (isThrottled(answered)) return 'refused'
  return isAccepted(answered) ? 'admitted' : 'other'
}
