/** Judges the background by what each client saw for itself; windows are left to the checks, which know all that was sent. */
import type { Finding, LoadResult } from '../../../schemas/generated/run-record.ts'
import type { Target } from '../../target-file/target.ts'
import { refusalStatements } from '../open-model/judge.ts'
import type { OpenModelEvidence } from '../open-model/import.ts'
import type { OpenModelPlan } from '../open-model/plan.ts'
import { browseStatements } from '../open-model/browse-judge.ts'
import { sessionTable } from '../open-model/session-table.ts'
import { purchasablesOf } from '../open-model/purchasables.ts'
import { purchaseOf } from '../open-model/sessions-history.ts'
import { seenStatements } from '../open-model/sessions-judge.ts'
import { SessionMeasures } from '../open-model/sessions-measure.ts'
import { ownersOf } from '../open-model/sessions-owners.ts'
import { StatementTally } from '../shared/statements.ts'

export type BackgroundJudgement = {
  /** What is broken. What held is no finding: the load is there for the checks. */
  readonly failures: readonly Finding[]
  /** What was bought, where anything was to be. */
  readonly measurements: LoadResult['measurements']
}

export function judgeBackground(
  { sessions }: OpenModelEvidence,
  plan: OpenModelPlan,
  target: Target,
): BackgroundJudgement {
  // The others were cut off when the checks ended.
  const whole = sessionTable([...sessions].filter(({ end }) => end !== undefined))
  const owners = ownersOf(sessions)
  const bought = purchasablesOf(target)
  const measures = new SessionMeasures()
  const statements = new StatementTally(refusalStatements(whole))
  statements.add(browseStatements({ sessions: whole }, plan))
  for (const session of whole) {
    const purchase = purchaseOf(session, plan.keys[session.key]?.account ?? '')
    if (!purchase) continue
    measures.add(purchase)
    statements.add(seenStatements(purchase, { owners, bought, isCapped: false }))
  }
  return {
    failures: statements.findings().filter(({ verdict }) => verdict === 'fail'),
    measurements: measures.purchases > 0 ? measures.measurements() : {},
  }
}
