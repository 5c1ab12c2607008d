import { cpus } from 'node:os'
import type { Requirement } from '../../contract/requirements/types.ts'
import type { Outcome } from '../judge/outcome.ts'
import type { EndingSignal } from '../signals.ts'
import { judgeRecord } from './judged.ts'
import { toAddFor } from './to-add.ts'
import type { KnownFailures } from '../../schemas/generated/known-failures.ts'
import type { EffectiveLimits } from '../quota/effective-limits.ts'
import type { QuotaSpent } from '../quota/ledger.ts'
import type {
  Baseline,
  Cause,
  Capacity,
  Check,
  Exchange,
  LoadResult,
  Observation,
  Problem,
  RunRecord,
  UnderLoad,
  WindowTrace,
} from '../../schemas/generated/run-record.ts'
import type { Target } from '../target-file/target.ts'

/** What one run produced, before it is judged as a whole. */
export type Measured = {
  readonly runId: string
  readonly command: RunRecord['command']
  readonly startedAt: Date
  readonly endedAt: Date
  readonly interruptedBy?: EndingSignal
  readonly problems: readonly Problem[]
  readonly hazards: readonly string[]
  readonly profile: string
  readonly selectors: readonly string[]
  readonly floor: number
  readonly target: Target
  readonly roles: readonly string[]
  readonly limits?: EffectiveLimits
  readonly clockSkewMs?: { readonly min: number; readonly max: number }
  readonly plan: RunRecord['plan']
  readonly purchases?: RunRecord['purchases']
  readonly checks: readonly Check[]
  /** What blocked more than one of them. */
  readonly causes?: readonly Cause[]
  readonly exchanges: readonly Exchange[]
  readonly observations: readonly Observation[]
  readonly windows: readonly WindowTrace[]
  readonly load: readonly LoadResult[]
  /** What lay on the target while the checks ran. */
  readonly underLoad?: UnderLoad
  readonly spent: readonly QuotaSpent[]
  readonly k6?: { readonly version: string; readonly source: string }
  readonly harnessVersion: string
  /** What a search for capacity found. */
  readonly capacity?: Capacity
  /** What that search says of a run in which nothing else went wrong. */
  readonly searchOutcome?: Outcome
  /** How it compares with an earlier run. */
  readonly baseline?: Baseline
  readonly labels?: Readonly<Record<string, string>>
  /** What the caller accepts, and what counts less. */
  readonly knownFailures?: KnownFailures
}

/** Joins what was measured with the catalogue and judges the run. */
export function assembleRecord(
  measured: Measured,
  catalogue: readonly Requirement[],
  coverage: ReadonlyMap<string, readonly string[]>,
): RunRecord {
  const judged = judgeRecord(
    {
      ...measured,
      capabilities: measured.target.capabilities,
      today: measured.endedAt.toISOString().slice(0, 10),
      isSelection: measured.selectors.length > 0 || measured.profile !== 'all',
    },
    catalogue.filter(({ excluded }) => excluded === undefined),
    coverage,
  )
  const { requirements, undecided, exceptions, isEmpty } = judged
  const uncovered = isEmpty ? [] : uncoveredIn(measured, catalogue, coverage)
  const outcome = outcomeOf(judged.outcome, measured)
  const open = new Set(undecided.map(({ requirement }) => requirement))
  const untested = requirements.filter(({ id, verdict }) => open.has(id) && verdict === 'untested')
  const toAdd = toAddFor(
    untested.map(({ id }) => id),
    [...measured.checks, ...measured.load],
  )
  return {
    schemaVersion: 1,
    runId: measured.runId,
    command: measured.command,
    startedAt: measured.startedAt.toISOString(),
    endedAt: measured.endedAt.toISOString(),
    durationSeconds: (measured.endedAt.getTime() - measured.startedAt.getTime()) / 1000,
    partial: measured.interruptedBy !== undefined,
    ...outcome,
    profile: {
      name: measured.profile,
      partial: undecided.length > 0,
      floor: measured.floor,
      selected: [...measured.selectors],
    },
    undecided: [...undecided],
    ...(toAdd.length > 0 ? { toAdd } : {}),
    hazards: [...measured.hazards, ...uncovered],
    problems: [...measured.problems],
    target: targetEntry(measured),
    environment: environmentEntry(measured),
    plan: measured.plan,
    ...(measured.purchases ? { purchases: measured.purchases } : {}),
    requirements: [...requirements],
    checks: [...measured.checks],
    ...(measured.causes?.length ? { causes: [...measured.causes] } : {}),
    exchanges: [...measured.exchanges],
    observations: [...measured.observations],
    load: [...measured.load],
    ...(measured.underLoad ? { underLoad: measured.underLoad } : {}),
    windows: [...measured.windows],
    ...(measured.capacity ? { capacity: measured.capacity } : {}),
    ...(measured.baseline ? { baseline: measured.baseline } : {}),
    ...(measured.labels ? { labels: { ...measured.labels } } : {}),
    ...(measured.knownFailures ? { exceptions: [...exceptions] } : {}),
    quota: measured.spent.map(({ partition, bucket, spent, throttled, waitedSeconds }) => ({
      partition,
      bucket,
      spent,
      throttled,
      waitedSeconds,
    })),
  }
}

/** A search for capacity selects no requirement: it answers where a run of checks would say that too little was verified. */
const LEFT_TO_SEARCH: readonly number[] = [0, 5, 6]

function outcomeOf(
  general: Outcome,
  { searchOutcome, problems }: Pick<Measured, 'searchOutcome' | 'problems'>,
): Outcome {
  const isLeft = LEFT_TO_SEARCH.includes(general.exitCode) && problems.length === 0
  return searchOutcome && isLeft ? searchOutcome : general
}

const UNCOVERED_NAMED_MAX = 8

/** Named in every record, so that nobody takes a green run for more than it is. */
function uncoveredIn(
  { command, target }: Measured,
  catalogue: readonly Requirement[],
  coverage: ReadonlyMap<string, readonly string[]>,
): string[] {
  // Load alone is not asked for what only checks decide.
  if (command === 'load' || command === 'capacity') return []
  const ids = catalogue
    .filter(({ id, excluded, capability, level }) => {
      // What is merely permitted needs no check.
      if (level === 'may') return false
      const isDeclared = capability === 'base' || target.capabilities.includes(capability)
      return excluded === undefined && isDeclared && !coverage.has(id)
    })
    .map(({ id }) => id)
  return ids.length === 0
    ? []
    : [
        `This version has no check for ${ids.length} ${ids.length === 1 ? 'requirement' : 'requirements'} of the target's capabilities: ${ids.slice(0, UNCOVERED_NAMED_MAX).join(', ')}${ids.length > UNCOVERED_NAMED_MAX ? ' … (npm run requirements -- --uncovered)' : ''}.`,
      ]
}

function targetEntry({ target, roles, limits, clockSkewMs }: Measured): RunRecord['target'] {
  return {
    name: target.name,
    baseUrl: target.baseUrl,
    kind: target.kind,
    environment: target.environment,
    timing: target.timing,
    capabilities: [...target.capabilities],
    roles: [...roles],
    products: Object.keys(target.products),
    limits: Object.fromEntries(Object.entries(limits ?? {})),
    origins: { ...target.origins },
    faults: [...target.faults],
    ...(target.image === undefined ? {} : { image: target.image }),
    ...(clockSkewMs ? { clockSkewMs: { ...clockSkewMs } } : {}),
  }
}

function environmentEntry({ harnessVersion, k6 }: Measured): RunRecord['environment'] {
  return {
    harness: harnessVersion,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpus: cpus().length,
    ...(k6 ? { k6: k6.version, k6Source: k6.source } : {}),
  }
}
