import type { Want } from '../../../schemas/generated/run-record.ts'

/** What a target lacks for a scenario, in a sentence, and what to add for it. */
export type Lacks = {
  readonly lacks: string
  readonly wants?: readonly Want[]
  /** Checks of the same run look at all that it would show, so that it leaves nothing open. */
  readonly isCovered?: boolean
}
