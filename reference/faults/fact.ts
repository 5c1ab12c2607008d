import type { RequirementId } from '../../contract/requirements/index.ts'

export type FaultFact = {
  /** Id of the requirement that it breaks (contract/requirements). */
  readonly breaks: RequirementId
  readonly summary: string
  /** Requirements that it cannot help breaking too. */
  readonly also?: readonly RequirementId[]
  /** It breaks a default, so it shows only where no other budget is configured. */
  readonly atDefaults?: true
}

export function fault(
  breaks: RequirementId,
  summary: string,
  more: Pick<FaultFact, 'also' | 'atDefaults'> = {},
): FaultFact {
  return { breaks, summary, ...more }
}
