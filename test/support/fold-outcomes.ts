import type { Session } from '../../conformance/engine/session.ts'
import type { CheckOutcome } from '../../harness/judge/check-outcome.ts'
import { foldCauses } from '../../harness/judge/fold.ts'

/** What a run records of these outcomes. */
export function foldOutcomes(
  outcomes: readonly CheckOutcome[],
  session: Session,
): ReturnType<typeof foldCauses> {
  return foldCauses(
    outcomes.map(({ check, about = [], stoppedBy = [] }) => ({ check, about, stoppedBy })),
    session.causes(),
  )
}
