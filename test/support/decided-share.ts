import type { CheckOutcome } from '../../harness/judge/check-outcome.ts'

export type DecidedShare = {
  readonly decided: readonly string[]
  readonly open: readonly string[]
  /** Decided against the service, or faults of ours. */
  readonly failed: readonly string[]
}

/** What the checks decided, by requirement. */
export function decidedShare(outcomes: readonly CheckOutcome[]): DecidedShare {
  const verdicts = new Map<string, Set<string>>()
  const note = (requirement: string, verdict: string): void => {
    const known = verdicts.get(requirement) ?? new Set()
    verdicts.set(requirement, known.add(verdict))
  }
  for (const { check } of outcomes) {
    for (const { requirement, verdict } of check.findings) note(requirement, verdict)
    if (check.findings.length === 0) for (const id of check.requirements) note(id, check.verdict)
  }
  const having = (...wanted: readonly string[]): string[] =>
    [...verdicts].flatMap(([id, seen]) => (wanted.some((each) => seen.has(each)) ? [id] : []))
  const decided = having('pass', 'warn', 'fail')
  return {
    decided,
    open: having('untested', 'inconclusive')
      .filter((id) => !decided.includes(id))
      .toSorted(),
    failed: having('fail', 'error'),
  }
}
