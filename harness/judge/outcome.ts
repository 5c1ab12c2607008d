import { plural, sentence } from '../text.ts'
import { SIGNAL_EXIT_CODES, type EndingSignal } from '../signals.ts'
import { ERROR_CODES, type ErrorCode } from '../errors.ts'
import type { Cause, Exception, Problem, Verdict } from '../../schemas/generated/run-record.ts'

type Judged = {
  readonly id: string
  readonly verdict: Verdict
  readonly reason?: string | undefined
}

/** What the exit code is decided from. */
export type Decided = {
  readonly interruptedBy?: EndingSignal
  readonly problems: readonly Problem[]
  /** Requirements in scope, with their verdicts. */
  readonly requirements: readonly Judged[]
  /** Checks and load scenarios. */
  readonly checks: readonly Judged[]
  /** What every request of its kind met with. */
  readonly causes?: readonly Cause[]
  /** Least share of the requirements in scope that must be decided, 0..1. */
  readonly floor: number
  /** Figures that are worse than the baseline by more than is permitted. */
  readonly regressions?: readonly string[]
  /** Figures that were to be held against a baseline and say nothing. */
  readonly uncompared?: readonly string[]
  /** Goals of load that were not reached, and those that are neither met nor missed. */
  readonly goals?: { readonly missed: readonly string[]; readonly undecided: readonly string[] }
  /** What the caller accepts, and what became of it. */
  readonly exceptions?: readonly Exception[]
}

export type Outcome = {
  readonly exitCode: number
  readonly verdict: Verdict
  readonly exitReason: string
  readonly nextStep: string
}

const DECIDED: readonly Verdict[] = ['pass', 'warn', 'fail']
const NAMES_MAX = 5

/** The exit code of design.md: if several hold, the first of 129/130/143, 2, 3, 1, 4, 5, 6, 0. */
export function judgeRun(decided: Decided): Outcome {
  return withExceptions(
    interrupted(decided) ??
      problem(decided, 2, 'untested') ??
      problem(decided, 3, 'untested') ??
      besideFault(broken(decided), decided) ??
      harnessFault(decided) ??
      problem(decided, 5, 'untested') ??
      tooLittle(decided) ??
      withShare(
        misdescribed(decided) ??
          inconclusive(decided) ??
          undecidedGoals(decided) ??
          uncompared(decided) ??
          passed(decided),
        decided,
      ),
    decided,
  )
}

/** What is accepted or left out comes first: nobody may take a pass for more than it is. */
function withExceptions(outcome: Outcome, { exceptions = [] }: Decided): Outcome {
  const said = exceptions.filter(({ state }) => state === 'in force' || state === 'accepted')
  if (said.length === 0) return outcome
  const shown = said.slice(0, NAMES_MAX).map(({ text }) => text)
  const more = said.length > NAMES_MAX ? [`And ${said.length - NAMES_MAX} more exceptions.`] : []
  return {
    ...outcome,
    verdict: outcome.verdict === 'pass' ? 'warn' : outcome.verdict,
    exitReason: [...shown, ...more, outcome.exitReason].join(' '),
  }
}

const RED_STATES: readonly Exception['state'][] = ['expired', 'stale', 'unmatched']

/** An entry that no longer says what is so: whoever relies on it would be wrong. */
function wronglyKnown({ exceptions = [] }: Decided): Outcome | undefined {
  const red = exceptions.filter(({ state }) => RED_STATES.includes(state))
  if (red.length === 0) return undefined
  return {
    exitCode: 1,
    verdict: 'fail',
    exitReason: red.map(({ text }) => text).join(' '),
    nextStep: 'Mend the target, or correct the entries in the file of --known-failures.',
  }
}

function broken(decided: Decided): Outcome | undefined {
  const known = wronglyKnown(decided)
  const failed = targetFailed(decided) ?? brokenByCause(decided)
  const outcome = failed
    ? { ...failed, exitReason: [failed.exitReason, known?.exitReason].filter(Boolean).join(' ') }
    : (known ?? missedGoals(decided) ?? regressed(decided))
  return outcome && withShare(outcome, decided)
}

/** Where less than all was decided, the share comes first: nobody may take the rest of the sentence for more. */
function withShare(outcome: Outcome, { requirements }: Decided): Outcome {
  const { decided, total } = shareOf(requirements)
  if (decided === total) return outcome
  const share = `${decided} of ${total} requirements in scope were decided (${Math.floor((100 * decided) / total)} %).`
  return { ...outcome, exitReason: `${share} ${outcome.exitReason}` }
}

function interrupted({ interruptedBy }: Decided): Outcome | undefined {
  if (!interruptedBy) return undefined
  return {
    exitCode: SIGNAL_EXIT_CODES[interruptedBy],
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
    exitReason:
      failed.length === 0
        ? `Failed, though no requirement in scope is about it: ${names(failedChecks)}.`
        : `The target breaks ${failed.length} of the ${shareOf(requirements).decided} decided requirements: ${names(failed)}.`,
    nextStep:
      'Begin with the first failure in the report: it shows the requirement, what was expected, what was observed, and a curl.',
  }
}

/** An operation that is never served fails by itself: every check may have stopped before it could judge it. */
function brokenByCause({ causes = [], checks }: Decided): Outcome | undefined {
  const mistaken = new Set(
    causes.filter(({ kind }) => kind === 'target-file').flatMap(({ operations }) => operations),
  )
  const first = causes
    .filter(isUnjudgedFailure)
    // What the target file says wrongly may be why, and is never blamed on the service.
    .find(({ operations }) => !operations.some((each) => mistaken.has(each)))
  if (!first) return undefined
  return {
    exitCode: 1,
    verdict: 'fail',
    exitReason: `${first.text}. It blocks ${first.blocked.length} of ${checks.length} checks.`,
    nextStep: first.nextStep,
  }
}

/** A failure of the target that no check has judged. Quotes may fail closed by any error (interface: POST /api/v1/platform-gifts/quotes). */
function isUnjudgedFailure({ kind, requirement, operations }: Cause): boolean {
  const isPermitted = operations.every((each) => each === 'createGiftQuote')
  return kind === 'server-error' && requirement === undefined && !isPermitted
}

/** What was decided stands, whatever else went wrong in the harness or ended the run; which is reported beside it. */
function besideFault(failed: Outcome | undefined, decided: Decided): Outcome | undefined {
  const fault = failed && (harnessFault(decided) ?? problem(decided, 5, 'untested'))
  return fault
    ? { ...failed, exitReason: `${failed.exitReason} Beside it: ${fault.exitReason}` }
    : failed
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

function missedGoals({ goals }: Decided): Outcome | undefined {
  if (goals === undefined || goals.missed.length === 0) return undefined
  return {
    exitCode: 1,
    verdict: 'fail',
    exitReason: `Goals of load were missed: ${goals.missed.slice(0, NAMES_MAX).join('; ')}.`,
    nextStep: 'Read the latency by operation in the report, find what delays it, or ask for less.',
  }
}

function undecidedGoals({ goals }: Decided): Outcome | undefined {
  if (goals === undefined || goals.undecided.length === 0) return undefined
  return {
    exitCode: 6,
    verdict: 'inconclusive',
    exitReason: `Goals of load are neither met nor missed: ${goals.undecided.slice(0, NAMES_MAX).join('; ')}.`,
    nextStep:
      'Send more requests: a longer --seconds or a higher --rate. A percentile is decided only when its whole interval is on one side of the goal.',
  }
}

function uncompared({ uncompared = [] }: Decided): Outcome | undefined {
  if (uncompared.length === 0) return undefined
  return {
    exitCode: 6,
    verdict: 'inconclusive',
    exitReason: `${uncompared.length} figures are not decided beside the baseline: ${names(uncompared)}.`,
    nextStep: 'The report says why for each; most often it takes more --repeats of both runs.',
  }
}

function tooLittle({ requirements, checks, causes = [], floor }: Decided): Outcome | undefined {
  const undecided = idsWith(requirements, ['untested', 'observed', 'inapplicable'])
  const { decided, total } = shareOf(requirements)
  const open = idsWith(requirements, ['inconclusive'])
  const isEnough = decided + open.length > 0 && (total - undecided.length) / total >= floor
  const ended = idsWith(checks, ['pass', 'warn', 'inconclusive'])
  if (isEnough && ended.length > 0) return undefined
  const asked = isEnough
    ? 'no check passed'
    : `${Math.ceil(floor * total)} are asked for. Not decided: ${names(undecided)}${beside(open)}`
  return {
    exitCode: 5,
    verdict: 'untested',
    exitReason:
      total === 0
        ? nothingInScope(checks)
        : `${decided} of ${total} requirements in scope were decided, ${asked}.${whyOf(causes)}`,
    nextStep:
      causes[0]?.nextStep ??
      (total === 0
        ? nextOfNothing(checks)
        : open.length > undecided.length
          ? NEXT_OF_OPEN
          : NEXT_OF_UNDECIDED),
  }
}

function beside(open: readonly string[]): string {
  return open.length === 0 ? '' : `. Inconclusive: ${names(open)}`
}

/** Most of what is open is no matter of the target file: an outage or noise. */
const NEXT_OF_OPEN =
  'Read in the report what left most of them inconclusive (an outage, noise), and run again; then add what it names as missing.'

const NEXT_OF_UNDECIDED =
  'Add or correct what the report names as missing, choose a narrower profile, or lower --floor knowingly.'

/** Whoever reads a wrong target file may pass all the same: what it was held against is not what is there. */
function misdescribed({ causes = [] }: Decided): Outcome | undefined {
  const [first, ...others] = causes.filter(({ kind }) => kind === 'target-file')
  if (!first) return undefined
  const more = others.length === 0 ? '' : ` And ${plural(others.length, 'more mistake')} in it.`
  return {
    exitCode: 5,
    verdict: 'untested',
    exitReason: `${sentence(first.text)}${more}`,
    nextStep: first.nextStep,
  }
}

/** What applies to nothing of this target was selected all the same. */
function nothingInScope(checks: Decided['checks']): string {
  return checks.length === 0
    ? 'Nothing was selected, so nothing was verified.'
    : `None of the ${checks.length} selected checks and load scenarios applies to this target, so nothing was verified.`
}

function nextOfNothing(checks: Decided['checks']): string {
  return checks.length === 0
    ? 'Choose with --profile, --only or --scenario; --list prints what there is.'
    : 'Declare what the target has under capabilities in the target file, or select other checks; the report says for each why it does not apply.'
}

/** The widest cause says more than what it left open. */
function whyOf([first]: readonly Cause[]): string {
  return first ? ` ${first.text}.` : ''
}

function inconclusive({ requirements, checks, causes = [] }: Decided): Outcome | undefined {
  const open = [...requirements, ...checks].filter(({ verdict }) => verdict === 'inconclusive')
  const ids = [...new Set(open.map(({ id }) => id))]
  if (ids.length === 0) return undefined
  // A scenario or a check says more than the requirements that it left open.
  const reason = open.findLast((each) => each.reason !== undefined)
  const whose = ids.length > 1 ? `${reason?.id}: ` : ''
  const why = reason ? ` ${whose}${reason.reason?.replace(/[.]$/, '')}.` : ''
  return {
    exitCode: 6,
    verdict: 'inconclusive',
    exitReason: `${plural(ids.length, 'result')} stayed inconclusive: ${names(ids)}.${whyOf(causes) || why}`,
    nextStep:
      causes[0]?.nextStep ??
      'Read their numbers in the report, remove the noise (load, clock, network) and run again.',
  }
}

function passed({ requirements, exceptions = [] }: Decided): Outcome {
  const { decided, total } = shareOf(requirements)
  const isWhole = decided === total
  const beside = exceptions.some(({ state }) => state === 'accepted') ? ' beside what is known' : ''
  return {
    exitCode: 0,
    verdict: 'pass',
    exitReason: isWhole
      ? `All ${total} requirements in scope were decided, and none is broken${beside}.`
      : `None of these is broken${beside}.`,
    nextStep: isWhole
      ? 'Nothing to do.'
      : 'The verdict covers that share alone. Each undecided requirement says what it lacks.',
  }
}

function shareOf(requirements: Decided['requirements']): { decided: number; total: number } {
  return { decided: idsWith(requirements, DECIDED).length, total: requirements.length }
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
