import type { RequirementId } from '../../../contract/requirements/index.ts'
import type { Answered } from '../../../contract/answers.ts'

/** One answer as rules see it: an exchange at rest, or a row of evidence. */
export type Answer = Answered & {
  /** The value of each Retry-After header. */
  readonly retryAfters: readonly string[]
}

/** What one requirement asks of each answer of a kind. Whoever applies it chooses the answers. */
export type Rule<Subject> = {
  readonly requirement: RequirementId
  /** Reads after "each has". */
  readonly expected: string
  /** What an answer has instead; undefined if the rule holds. */
  readonly breach: (subject: Subject) => string | undefined
}
