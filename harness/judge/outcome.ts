import { ERROR_CODES, type ErrorCode } from '../errors.ts'
import type { Problem, Verdict } from '../../schemas/generated/run-record.ts'

/** What the exit code is decided from. */
export type Decided = {
  readonly interruptedBy?: 'SIGINT' | 'SIGTERM'
  readonly problems: readonly Problem[]
  /** Requirements in scope, with their verdicts. */
  readonly requirements: readonly { id: string; verdict: Verdict }[]
  /** Checks and load scenarios. */
  readonly checks: readonly { id: string; verdict: Verdict }[]
  /** Least share of the requirements in scope that must be decided, 0..1. */
  readonly floor: number
  /** Figures that are worse than the baseline by more than is permitted. */
  readonly regressions?: readonly string[]
  /** Figures that were to be held against a baseline and say nothing. */
  readonly uncompared?: readonly string[]
}

export type Outcome = {
  readonly exitCode: number
  readonly verdict: Verdict
  readonly exitReason: string
  readonly nextStep: string
}

const DECIDED: readonly Verdict[] = ['pass', 'warn', 'fail']
const NAMES_MAX = 5

/** The exit code of design.md: if several hold, the first of 130/143, 2, 4, 3, 1, 5, 6, 0. */
export function judgeRun(decided: Decided): Outcome {
  return (
    interrupted(decided) ??
    problem(decided, 2, 'untested') ??
    harnessFault(decided) ??
    problem(decided, 3, 'untested') ??
    targetFailed(decided) ??
    regressed(decided) ??
    problem(decided, 5, 'untested') ??
    tooLittle(decided) ??
    inconclusive(decided) ??
    uncompared(decided) ?? {
      exitCode: 0,
      verdict: 'pass',
      exitReason: `All ${decided.requirements.length} requirements in scope were decided, and none is broken.`,
      nextStep: 'Nothing to do.',
    }
  )
}

function interrupted({ interruptedBy }: Decided): Outcome | undefined {
  if (!interruptedBy) return undefined
  return {
    exitCode: interruptedBy === 'SIGINT' ? 130 : 143,
    verdict: 'inconclusive',
    exitReason: `The run was interrupted (${interruptedBy}); what was measured until then is recorded.`,
    nextStep: 'Run it again to the end for a verdict.',
  }
}

function problem({ problems }: Decided, exitCode: number, verdict: Verdict): Outcome | undefined {
  const first = problems.find(({ code }) => exitCodeOf(code) === exitCode)
  if (!first) return undefined
  return {
    exitCode,
    verdict,
    exitReason: `${first.code}: ${first.message}`,
    nextStep: first.nextStep,
  }
}

function harnessFault(decided: Decided): Outcome | undefined {
  const known = problem(decided, 4, 'error')
  if (known) return known
  const broken = idsWith(decided.checks, ['error'])
  if (broken.length === 0) return undefined
  return {
    exitCode: 4,
    verdict: 'error',
    exitReason: `${broken.length} checks could not be carried out through a fault of the harness: ${names(broken)}.`,
    nextStep: 'Report it with the run record; the verdict on the target is open.',
  }
}

function targetFailed({ checks, requirements }: Decided): Outcome | undefined {
  const failed = idsWith(requirements, ['fail'])
  const failedChecks = idsWith(checks, ['fail'])
  if (failed.length + failedChecks.length === 0) return undefined
  return {
    exitCode: 1,
    verdict: 'fail',
    exitReason: `The target breaks ${failed.length} of ${requirements.length} requirements in scope: ${names(failed)}.`,
    nextStep:
      'Read the failures in the report; each names its requirement, what was expected and observed, and a curl.',
  }
}

function regressed({ regressions = [] }: Decided): Outcome | undefined {
  if (regressions.length === 0) return undefined
  return {
    exitCode: 1,
    verdict: 'fail',
    exitReason: `Worse than the baseline by more than is permitted: ${names(regressions)}.`,
    nextStep:
      'Read the comparison in the report; run both versions again side by side before you look for the change.',
  }
}

function uncompared({ uncompared = [] }: Decided): Outcome | undefined {
  if (uncompared.length === 0) return undefined
  return {
    exitCode: 6,
    verdict: 'inconclusive',
    exitReason: `${uncompared.length} figures could not be held against the baseline: ${names(uncompared)}.`,
    nextStep: 'The report says why for each; most often it takes more --repeats of both runs.',
  }
}

function tooLittle({ requirements, floor }: Decided): Outcome | undefined {
  const decidedIds = idsWith(requirements, DECIDED)
  const undecided = idsWith(requirements, ['untested', 'observed', 'inapplicable'])
  const total = requirements.length
  const open = idsWith(requirements, ['inconclusive'])
  if (decidedIds.length + open.length > 0 && (total - undecided.length) / total >= floor)
    return undefined
  return {
    exitCode: 5,
    verdict: 'untested',
    exitReason:
      total === 0
        ? 'Nothing was selected, so nothing was verified.'
        : `Too little was verified: ${decidedIds.length} of ${total} requirements in scope were decided, ${Math.ceil(floor * total)} are asked for. Not decided: ${names(undecided)}.`,
    nextStep:
      'Give the target file what the undecided requirements name as missing, choose a narrower profile, or lower --floor knowingly.',
  }
}

function inconclusive({ requirements, checks }: Decided): Outcome | undefined {
  const open = [
    ...new Set([...idsWith(requirements, ['inconclusive']), ...idsWith(checks, ['inconclusive'])]),
  ]
  if (open.length === 0) return undefined
  return {
    exitCode: 6,
    verdict: 'inconclusive',
    exitReason: `${open.length} results stayed inconclusive: ${names(open)}.`,
    nextStep:
      'Read their numbers in the report, remove the noise (load, clock, network) and run again.',
  }
}

function idsWith(
  entries: readonly { id: string; verdict: Verdict }[],
  verdicts: readonly Verdict[],
): string[] {
  return entries.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id)
}

function names(ids: readonly string[]): string {
  const shown = ids.slice(0, NAMES_MAX).join(', ')
  return ids.length > NAMES_MAX ? `${shown} and ${ids.length - NAMES_MAX} more` : shown
}

function exitCodeOf(code: string): number {
  return code in ERROR_CODES ? ERROR_CODES[code as ErrorCode].exitCode : 4
}
