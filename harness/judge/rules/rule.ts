import type { RequirementId } from '../../../contract/requirements/index.ts'
import type { Answered } from '../../../contract/answers.ts'

/**
 * One answer as rules see it. One adapter makes it of an exchange at rest, another of a row of k6's evidence. Each rule takes the
 * members that it judges.
 */
export type RecordedAnswer = Answered & {
  /** The value of each Retry-After header. */
  readonly retryAfters: readonly string[]
  /** Monotonic milliseconds: the service acted in between. */
  readonly sentMs: number
  readonly receivedMs: number
  /** The answer to a purchase, or to its replay. */
  readonly isPosted: boolean
  readonly orderId?: unknown
  /** The order's status. */
  readonly state?: unknown
  /** A decimal amount, as text or number. */
  readonly price?: unknown
  readonly currency?: unknown
}

export type Answer = Pick<RecordedAnswer, 'status' | 'code' | 'errorCode' | 'retryAfters'>

/** What one requirement asks of each answer of a kind. Whoever applies it chooses the answers. */
export type Rule<Subject> = {
  readonly requirement: RequirementId
  /** Reads after "each has". */
  readonly expected: string
  /** What an answer has instead; undefined if the rule holds. */
  readonly breach: (subject: Subject) => string | undefined
}
