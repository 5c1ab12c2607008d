import type { Finding, Verdict } from '../../schemas/generated/run-record.ts'

/** From worst to best: of several findings, the first that occurs is the verdict of the whole. */
const WORST_FIRST: readonly Verdict[] = [
  'fail',
  'error',
  'inconclusive',
  'untested',
  'warn',
  'pass',
  'observed',
  'inapplicable',
]

export function worst(verdicts: readonly Verdict[]): Verdict | undefined {
  return WORST_FIRST.find((verdict) => verdicts.includes(verdict))
}

/** How a check ended, when not by running to its end. */
export type Ending = {
  readonly verdict: 'inconclusive' | 'untested' | 'inapplicable' | 'error'
  readonly reason: string
}

/**
 * Verdict of one check. A requirement that it names but never held an observation against is never a pass; without any finding that is
 * our own fault.
 */
export function judgeCheck(
  requirements: readonly string[],
  findings: readonly Finding[],
  ending?: Ending,
): { verdict: Verdict; reason?: string } {
  const found = worst(decisive(findings.map((finding) => finding.verdict)))
  if (found === 'fail' || found === 'error')
    // A fault of ours takes nothing back and is reported beside it.
    return { verdict: found, ...(ending?.verdict === 'error' && { reason: ending.reason }) }
  if (ending) return ending
  const decided = new Set(findings.map((finding) => finding.requirement))
  const missed = requirements.filter((requirement) => !decided.has(requirement))
  if (missed.length > 0)
    // What was answered may keep a check from some of what it names; from all of it only we do.
    return findings.length > 0
      ? { verdict: 'untested', reason: `no answer of this check could show ${missed.join(', ')}` }
      : {
          verdict: 'error',
          reason: `the check ended without a finding for ${missed.join(', ')}`,
        }
  return { verdict: found ?? 'untested' }
}

/**
 * Verdict of one requirement from the findings of all checks and scenarios. A check that could not run does not undo what another
 * decided; a finding that stayed open does.
 */
export function judgeRequirement(
  findings: readonly Verdict[],
  undecided: readonly Verdict[],
): Verdict {
  return worst(decisive(findings)) ?? worst([...findings, ...undecided]) ?? 'untested'
}

/** What was left open says nothing where something else was found. */
function decisive(verdicts: readonly Verdict[]): readonly Verdict[] {
  return verdicts.filter((verdict) => verdict !== 'untested')
}
