/** Folds what follows from one cause: the cause stays one failed requirement, and what it kept from being decided says so. */
import { REQUIREMENTS, type RequirementId } from '../../contract/requirements/index.ts'
import type { Cause, Check, Finding, Want } from '../../schemas/generated/run-record.ts'
import type { SystematicCause } from './causes.ts'

/** A check, with all exchanges that each of its findings is about, and those that can have kept it from going on. */
export type Foldable = {
  readonly check: Check
  /** By the finding's index. Empty: not known, so nothing may be concluded from it. */
  readonly about: readonly (readonly string[])[]
  readonly stoppedBy: readonly string[]
}

/** A failed finding that one cause explains. */
type Explained = { readonly check: Check; readonly finding: Finding }

/** Exchanges that a cause names. */
const NAMED_MAX = 3

const ORDER = new Map<string, number>(REQUIREMENTS.map(({ id }, index) => [id, index]))

/**
 * Blocks the checks that failed by a cause alone, or could not go on for it. A check stays as it is if any of its failed findings is
 * about something else. Of each cause in the service the requirement that it breaks most plainly stays failed; of one in the target
 * file nothing does. A cause in the service is left out if it blocks nothing and a failure already reports it.
 */
export function foldCauses(
  foldables: readonly Foldable[],
  causes: readonly SystematicCause[],
): { checks: Check[]; causes: Cause[] } {
  const checks = new Map(foldables.map(({ check }) => [check.id, check]))
  const folded: Cause[] = []
  const mistakes = causes.filter(({ kind }) => kind === 'target-file')
  const misled = new Set(foldables.filter((each) => isMisled(each, mistakes)))
  const others = foldables.filter((each) => !misled.has(each))
  for (const cause of causes) {
    const isMistake = cause.kind === 'target-file'
    const { kept, blocked } = isMistake
      ? { kept: undefined, blocked: dependingOn(cause, [...misled]) }
      : failedAndStopped(others, cause)
    // These are always reported: they may be why something was looked past, or stayed inconclusive.
    const isAlwaysTold = isMistake || cause.kind === 'throttled'
    if (blocked.length === 0 && !isAlwaysTold && !isUnjudged(cause, foldables)) continue
    const id = `C${folded.length + 1}`
    for (const { check } of blocked)
      if (checks.get(check.id)?.blockedBy === undefined)
        checks.set(check.id, blockedCheck(check, id, cause, correctionsOf(check, mistakes)))
    if (kept) checks.set(kept.check.id, keptCheck(kept))
    folded.push(recorded(cause, id, kept, blocked))
  }
  return { checks: [...checks.values()], causes: folded }
}

/** An error of the server that no finding fails for: nothing else would tell it. */
function isUnjudged({ kind, exchanges }: SystematicCause, foldables: readonly Foldable[]): boolean {
  const isTold = ({ check, about }: Foldable): boolean =>
    check.findings.some(
      ({ verdict }, index) => verdict === 'fail' && about[index]?.some((id) => exchanges.has(id)),
    )
  return kind === 'server-error' && !foldables.some(isTold)
}

function failedAndStopped(
  foldables: readonly Foldable[],
  cause: SystematicCause,
): { kept: Explained | undefined; blocked: Foldable[] } {
  const failed = foldables.filter((foldable) => isFailedBy(foldable, cause))
  const stopped = foldables.filter((foldable) => isStoppedBy(foldable, cause))
  const kept = mostPlain(failed, cause)
  return { kept, blocked: [...failed.filter(({ check }) => check !== kept?.check), ...stopped] }
}

function dependingOn({ dependents }: SystematicCause, foldables: readonly Foldable[]): Foldable[] {
  return foldables.filter(({ check }) => dependents?.has(check.id))
}

/** Undecided because of a mistake in the target file, or failed only in findings that have to do with it. */
function isMisled({ check, about }: Foldable, mistakes: readonly SystematicCause[]): boolean {
  const own = mistakes.filter(({ dependents }) => dependents?.has(check.id))
  if (own.length === 0) return false
  if (check.verdict !== 'fail') return UNDECIDED.includes(check.verdict)
  return check.findings.every(
    ({ verdict }, index) =>
      verdict !== 'fail' || about[index]?.some((id) => own.some((each) => each.exchanges.has(id))),
  )
}

const UNDECIDED: readonly Check['verdict'][] = ['untested', 'inapplicable', 'inconclusive']

function isFailedBy({ check, about }: Foldable, { kind, exchanges }: SystematicCause): boolean {
  // A refusal that is wrong in itself is no matter of how many there are.
  if (kind === 'throttled') return false
  const failed = check.findings.flatMap(({ verdict, offending }, index) =>
    verdict === 'fail' ? [turnsOn(kind, about[index] ?? [], offending)] : [],
  )
  return (
    check.verdict === 'fail' &&
    failed.length > 0 &&
    failed.every((ids) => ids.length > 0 && ids.every((id) => exchanges.has(id)))
  )
}

/** What an answer without an envelope refuses cannot be read: a finding that ends with it says nothing of what came before. */
function turnsOn(
  kind: SystematicCause['kind'],
  about: readonly string[],
  offending: string | undefined,
): readonly string[] {
  return kind === 'no-envelope' && offending !== undefined && about.includes(offending)
    ? [offending]
    : about
}

function isStoppedBy({ check, stoppedBy }: Foldable, { exchanges }: SystematicCause): boolean {
  return (
    check.verdict === 'untested' &&
    stoppedBy.length > 0 &&
    stoppedBy.every((id) => exchanges.has(id))
  )
}

/** Areas whose checks tell a cause most plainly, by its kind; of several checks, the first requirement of the catalogue. */
const AREAS: Readonly<Partial<Record<SystematicCause['kind'], string>>> = {
  'no-answer': 'answers',
  'server-error': 'answers',
  'no-route': 'answers',
  'key-refused': 'auth',
  'no-envelope': 'envelope',
}

/** Tells where a route that is not there was to be, more plainly than what it would have answered. */
const MISSING_ROUTE: RequirementId = 'VER-01'

function mostPlain(
  failed: readonly Foldable[],
  { kind, requirement }: SystematicCause,
): Explained | undefined {
  const all = failed.flatMap(({ check }) =>
    check.findings
      .filter(({ verdict }) => verdict === 'fail')
      .map((finding) => ({ check, finding })),
  )
  const named = requirement ?? (kind === 'no-route' ? MISSING_ROUTE : undefined)
  const plain = all.filter(({ finding }) => finding.requirement === named)
  const plainest = plain.find(({ check }) => check.area === AREAS[kind]) ?? plain[0]
  if (plainest) return plainest
  const wanted = all.filter(({ check }) => check.area === AREAS[kind])
  const others = all.filter(({ check }) => check.area !== 'envelope')
  const candidates = [wanted, others].find(({ length }) => length > 0) ?? all
  return candidates.toSorted(byRequirement)[0]
}

function byRequirement({ finding: a }: Explained, { finding: b }: Explained): number {
  return (ORDER.get(a.requirement) ?? Infinity) - (ORDER.get(b.requirement) ?? Infinity)
}

function blockedCheck(
  { wants: _lacks, ...check }: Check,
  id: string,
  { text, kind }: SystematicCause,
  corrections: readonly Want[],
): Check {
  return {
    ...check,
    verdict: 'untested',
    reason: `blocked by ${id}: ${text}`,
    blockedBy: id,
    ...(kind === 'target-file' && { wants: [...corrections] }),
    findings: check.findings.map(opened),
  }
}

/** Every place of the target file that has to be corrected for one check. */
function correctionsOf({ id }: Check, mistakes: readonly SystematicCause[]): Want[] {
  const places = mistakes
    .filter(({ dependents }) => dependents?.has(id))
    .flatMap(({ place }) => place ?? [])
  return [...new Set(places)].map((place) => ({ what: `correct ${place}` }))
}

/** What the cause breaks besides is blocked by it, too. */
function keptCheck({ check, finding: kept }: Explained): Check {
  const findings = check.findings.map((finding) =>
    finding.requirement === kept.requirement ? finding : opened(finding),
  )
  return { ...check, findings }
}

function opened(finding: Finding): Finding {
  return finding.verdict === 'fail' ? { ...finding, verdict: 'untested' } : finding
}

function recorded(
  { kind, operations, text, nextStep, requests, exchanges, place }: SystematicCause,
  id: string,
  kept: Explained | undefined,
  blocked: readonly Foldable[],
): Cause {
  const named = kept
    ? kept.finding.exchanges
    : blocked.flatMap(({ check }) => check.exchanges.filter((each) => exchanges.has(each)))
  return {
    id,
    kind,
    text,
    nextStep,
    ...(place !== undefined && { place }),
    operations: [...operations],
    requests,
    ...(kept && { requirement: kept.finding.requirement, check: kept.check.id }),
    blocked: blocked.map(({ check }) => check.id).toSorted(),
    exchanges: [...new Set(named)].slice(0, NAMED_MAX),
  }
}
