import { requirementById } from '../../contract/requirements/index.ts'
import { FAULTS, type FaultName } from '../../reference/faults/faults.ts'
import type { VariantName } from '../../reference/base/variants.ts'
import type { Check, Finding } from '../../schemas/generated/run-record.ts'
import type { CheckOutcome } from '../../harness/judge/check-outcome.ts'
import type { Session } from '../../conformance/engine/session.ts'
import { ALL_CHECKS, ALL_INVARIANTS } from '../../conformance/registry.ts'
import { foldOutcomes } from './fold-outcomes.ts'
import { virtualRun } from './virtual-run.ts'

/** What one fault does to the suite. */
export type MatrixRow = {
  readonly fault: FaultName
  /** The requirement that the fault is made to break. */
  readonly breaks: string
  /** Checks that turned red, with the requirements that they found broken. */
  readonly red: Readonly<Record<string, readonly string[]>>
  /** Checks whose exchanges the red invariants name: without them those would have seen nothing. */
  readonly traffic: readonly string[]
  /** Checks that could not cope: faults of ours. There must be none. */
  readonly errors: readonly string[]
  /** Checks that stayed undecided although the clean service decides them. */
  readonly undecided: readonly string[]
}

/** Identifiers and codes are the same in every run, so that a row is. */
const SEED = 7

/**
 * Runs the suite (or the named checks of it) against the service with one fault on, in virtual time: with short windows, and where
 * those show nothing, at the interface's own, which its default budgets need.
 */
export async function rowOf(
  fault: FaultName,
  clean: ReadonlySet<string>,
  only?: ReadonlySet<string>,
): Promise<MatrixRow> {
  const short = await rowAt(fault, clean, SHORT_SECONDS, only)
  return isFound(short) ? short : rowAt(fault, clean, INTERFACE_SECONDS, only)
}

const SHORT_SECONDS = 2
const INTERFACE_SECONDS = 60

async function rowAt(
  fault: FaultName,
  clean: ReadonlySet<string>,
  windowSeconds: number,
  only?: ReadonlySet<string>,
): Promise<MatrixRow> {
  const platformGift = isOfGifts(fault) ? 'enabled' : 'disabled'
  const isWanted = ({ id }: { id: string }): boolean => only?.has(id) ?? true
  const { outcomes, session } = await virtualRun({
    faults: [fault],
    windowSeconds,
    service: { seed: SEED, platformGift, variants: variantsFor(fault) },
    checks: ALL_CHECKS.filter(isWanted),
    invariants: ALL_INVARIANTS.filter(isWanted),
  })
  const { breaks } = FAULTS[fault]
  const summary = summaryOf(outcomes, session, clean)
  return {
    fault,
    breaks,
    ...summary,
    errors: [...summary.errors, ...hidden(breaks, outcomes, session)],
  }
}

function summaryOf(
  outcomes: readonly CheckOutcome[],
  session: Session,
  clean: ReadonlySet<string>,
): Omit<MatrixRow, 'fault' | 'breaks'> {
  const checks = outcomes.map(({ check }) => check)
  const red = checks.filter(({ verdict }) => isRed(verdict)).toSorted(byId)
  return {
    red: Object.fromEntries(red.map(({ id, findings }) => [id, brokenIn(findings)])),
    traffic: trafficOf(red, session),
    errors: checks
      .filter(({ verdict }) => verdict === 'error')
      .map(({ id, reason }) => `${id}: ${reason}`),
    undecided: checks
      .filter(({ verdict }) => ['inconclusive', 'untested'].includes(verdict))
      .map(({ id }) => id)
      .filter((id) => clean.has(id))
      .toSorted(),
  }
}

/** What folding takes away: a requirement that was found broken must stay so. */
function hidden(breaks: string, outcomes: readonly CheckOutcome[], session: Session): string[] {
  const isBroken = (check: Check): boolean =>
    isRed(check.verdict) && brokenIn(check.findings).includes(breaks)
  const { checks, causes } = foldOutcomes(outcomes, session)
  if (!outcomes.some(({ check }) => isBroken(check)) || checks.some(isBroken)) return []
  return [`folding by ${causes.map(({ text }) => text).join('; ')} hides ${breaks}`]
}

function trafficOf(red: readonly Check[], session: Session): string[] {
  const invariants = new Set<string>(ALL_INVARIANTS.map(({ id }) => id))
  const named = new Set(
    red.filter(({ id }) => invariants.has(id)).flatMap(({ exchanges }) => exchanges),
  )
  const senders = session.history
    .all()
    .filter(({ id }) => named.has(id))
    .map(({ check }) => check)
  return [...new Set(senders)].toSorted()
}

function byId(a: Check, b: Check): number {
  return a.id < b.id ? -1 : 1
}

/** What some faults break shows on a service that has another state or choice. */
function variantsFor(fault: FaultName): readonly VariantName[] {
  if (fault === 'long-orders-of-esims') return ['esims-at-once']
  return fault.startsWith('gift-upstream-') ? ['gift-quotes-upstream-missing'] : []
}

/** Behind the shut gate nothing of gifts can break. */
function isOfGifts(fault: FaultName): boolean {
  const { capability } = requirementById(FAULTS[fault].breaks)
  return capability === 'platform-gift' || fault.startsWith('gift-')
}

/** What is only typical is warned of: for a fault that breaks it, that is red. */
function isRed(verdict: Finding['verdict']): boolean {
  return verdict === 'fail' || verdict === 'warn'
}

function brokenIn(findings: readonly Finding[]): string[] {
  const broken = findings.filter(({ verdict }) => isRed(verdict))
  return [...new Set(broken.map(({ requirement }) => requirement))].toSorted()
}

/** Checks that the clean service passes, with the gate of gifts shut or open. */
export async function passedClean(): Promise<ReadonlySet<string>> {
  const passed: string[] = []
  for (const platformGift of ['disabled', 'enabled'] as const) {
    const { outcomes } = await virtualRun({ service: { platformGift } })
    passed.push(...passedIn(outcomes))
  }
  return new Set(passed)
}

function passedIn(outcomes: readonly CheckOutcome[]): readonly string[] {
  return outcomes.filter(({ check }) => check.verdict === 'pass').map(({ check }) => check.id)
}

/** Whether a fault was found for its reason: a red check holds a finding against the requirement that it breaks. */
export function isFound({ breaks, red }: Pick<MatrixRow, 'breaks' | 'red'>): boolean {
  return Object.values(red).some((requirements) => requirements.includes(breaks))
}
