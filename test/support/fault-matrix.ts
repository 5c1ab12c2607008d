import { requirementById } from '../../contract/requirements/index.ts'
import { FAULTS, type FaultName } from '../../reference/faults.ts'
import type { Finding } from '../../schemas/generated/run-record.ts'
import type { CheckOutcome } from '../../harness/gate/conformance.ts'
import { virtualRun } from './virtual-run.ts'

/** What one fault does to the suite. */
export type MatrixRow = {
  readonly fault: FaultName
  /** The requirement that the fault is made to break. */
  readonly breaks: string
  /** Checks that turned red, with the requirements that they found broken. */
  readonly red: Readonly<Record<string, readonly string[]>>
  /** Checks that could not cope: faults of ours. There must be none. */
  readonly errors: readonly string[]
  /** Checks that stayed undecided although the clean service decides them. */
  readonly undecided: readonly string[]
}

/** Identifiers and codes are the same in every run, so that a row is. */
const SEED = 7

/**
 * Runs the whole suite against the service with one fault on, in virtual time: with short windows, and where those show nothing, at
 * the interface's own, which its default budgets need.
 */
export async function rowOf(fault: FaultName, clean: ReadonlySet<string>): Promise<MatrixRow> {
  const short = await rowAt(fault, clean, SHORT_SECONDS)
  return isFound(short) ? short : rowAt(fault, clean, INTERFACE_SECONDS)
}

const SHORT_SECONDS = 2
const INTERFACE_SECONDS = 60

async function rowAt(
  fault: FaultName,
  clean: ReadonlySet<string>,
  windowSeconds: number,
): Promise<MatrixRow> {
  const platformGift = isOfGifts(fault) ? 'enabled' : 'disabled'
  const { outcomes } = await virtualRun({
    faults: [fault],
    windowSeconds,
    service: { seed: SEED, platformGift },
  })
  const red = outcomes
    .filter(({ check }) => isRed(check.verdict))
    .map(({ check }) => [check.id, brokenIn(check.findings)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const undecided = outcomes
    .filter(({ check }) => ['inconclusive', 'untested'].includes(check.verdict))
    .map(({ check }) => check.id)
    .filter((id) => clean.has(id))
    .toSorted()
  const errors = outcomes
    .filter(({ check }) => check.verdict === 'error')
    .map(({ check }) => `${check.id}: ${check.reason}`)
  return { fault, breaks: FAULTS[fault].breaks, red: Object.fromEntries(red), errors, undecided }
}

/** Behind the shut gate nothing of gifts can break. */
function isOfGifts(fault: FaultName): boolean {
  return requirementById(FAULTS[fault].breaks).capability === 'platform-gift'
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
export function isFound({ breaks, red }: MatrixRow): boolean {
  return Object.values(red).some((requirements) => requirements.includes(breaks))
}
