import { cpus } from 'node:os'
import type { Requirement } from '../../contract/requirements/types.ts'
import { judgeRun, type Decided, type Outcome } from '../judge/outcome.ts'
import { outcomeOfCapacity } from '../capacity/outcome.ts'
import { applyExceptions } from '../judge/exceptions.ts'
import { judgeRequirement } from '../judge/verdicts.ts'
import type { KnownFailures } from '../../schemas/generated/known-failures.ts'
import type { EffectiveLimits } from '../quota/effective-limits.ts'
import type { QuotaSpent } from '../quota/ledger.ts'
import type {
  Baseline,
  Cause,
  Capacity,
  Check,
  Exchange,
  Finding,
  LoadResult,
  Observation,
  Problem,
  RunRecord,
  Verdict,
  WindowTrace,
} from '../../schemas/generated/run-record.ts'
import type { Target } from '../target/target.ts'

/** What one run produced, before it is judged as a whole. */
export type Measured = {
  readonly runId: string
  readonly command: RunRecord['command']
  readonly startedAt: Date
  readonly endedAt: Date
  readonly interruptedBy?: 'SIGINT' | 'SIGTERM'
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
  readonly spent: readonly QuotaSpent[]
  readonly k6?: { readonly version: string; readonly source: string }
  readonly harnessVersion: string
  /** What a search for capacity found; it decides where nothing else went wrong. */
  readonly capacity?: Capacity
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
  const requirements = catalogue
    .filter(({ excluded }) => excluded === undefined)
    .map((requirement) => requirementEntry(requirement, measured, coverage))
  const scope = requirements.filter(({ inScope }) => inScope).map(({ entry }) => entry)
  const uncovered = scope.length === 0 ? [] : uncoveredIn(measured, catalogue, coverage)
  const loadChecks = measured.load.map((each) => ({ ...each, id: each.scenario }))
  const excepted = applyExceptions(measured.knownFailures ?? {}, {
    requirements: scope,
    sources: [...measured.checks, ...loadChecks],
    today: measured.endedAt.toISOString().slice(0, 10),
    isSelection: measured.selectors.length > 0 || measured.profile !== 'all',
  })
  const general = judgeRun({
    ...(measured.interruptedBy ? { interruptedBy: measured.interruptedBy } : {}),
    problems: measured.problems,
    requirements: excepted.requirements,
    checks: excepted.sources,
    exceptions: excepted.exceptions,
    causes: measured.causes ?? [],
    floor: measured.floor,
    ...comparedFigures(measured.baseline),
  })
  const outcome = measured.capacity ? withCapacity(general, measured.capacity) : general
  const counted = new Set(excepted.requirements.map(({ id }) => id))
  const undecided = scope
    .filter(({ id }) => counted.has(id))
    .filter(({ verdict }) => !['pass', 'warn', 'fail'].includes(verdict))
    .map(({ id, verdict, reason }) => ({ requirement: id, reason: reason ?? verdict }))
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
      selected: [...measured.selectors],
    },
    undecided,
    hazards: [...measured.hazards, ...uncovered],
    problems: [...measured.problems],
    target: targetEntry(measured),
    environment: environmentEntry(measured),
    plan: measured.plan,
    ...(measured.purchases ? { purchases: measured.purchases } : {}),
    requirements: requirements.map(({ entry }) => entry),
    checks: [...measured.checks],
    ...(measured.causes?.length ? { causes: [...measured.causes] } : {}),
    exchanges: [...measured.exchanges],
    observations: [...measured.observations],
    load: [...measured.load],
    windows: [...measured.windows],
    ...(measured.capacity ? { capacity: measured.capacity } : {}),
    ...(measured.baseline ? { baseline: measured.baseline } : {}),
    ...(measured.labels ? { labels: { ...measured.labels } } : {}),
    ...(measured.knownFailures ? { exceptions: [...excepted.exceptions] } : {}),
    quota: measured.spent.map(({ partition, bucket, spent, throttled, waitedSeconds }) => ({
      partition,
      bucket,
      spent,
      throttled,
      waitedSeconds,
    })),
  }
}

/** Where no bound was asked for, a comparison only informs. */
function comparedFigures(
  baseline: Baseline | undefined,
): Pick<Decided, 'regressions' | 'uncompared'> {
  if (baseline?.regressionPercentMax === undefined) return {}
  const having = (verdict: Baseline['figures'][number]['verdict']): string[] =>
    baseline.figures
      .filter((each) => each.verdict === verdict)
      .map(({ scenario, figure }) => `${figure} of ${scenario}`)
  const uncompared = baseline.figures.length === 0 ? ['any figure'] : having('not comparable')
  return { regressions: having('regression'), uncompared }
}

/** A search for capacity selects no requirement: it answers where a run of checks would say that too little was verified. */
const LEFT_TO_CAPACITY: readonly number[] = [0, 5, 6]

function withCapacity(general: Outcome, capacity: Capacity): Outcome {
  return LEFT_TO_CAPACITY.includes(general.exitCode) ? outcomeOfCapacity(capacity) : general
}

type RequirementEntry = RunRecord['requirements'][number]

function requirementEntry(
  requirement: Requirement,
  { checks, load, target }: Measured,
  coverage: ReadonlyMap<string, readonly string[]>,
): { entry: RequirementEntry; inScope: boolean } {
  const { id, section, source, level, capability, text } = requirement
  const results = [...checks, ...load.map((each) => ({ ...each, id: each.scenario }))]
  const citing = results.filter((each) => each.requirements.includes(id))
  const findings = results.flatMap(findingsOf).filter((finding) => finding.requirement === id)
  const isDeclared = capability === 'base' || target.capabilities.includes(capability)
  const judged = isDeclared
    ? judgedEntry(findings, citing, coverage.get(id))
    : { verdict: 'inapplicable' as const, reason: `the target does not declare ${capability}` }
  return {
    entry: {
      id,
      section,
      source: [...source],
      level,
      capability,
      text,
      ...judged,
      checks: citing.map((each) => each.id),
    },
    // What is merely permitted is looked at, never asked for.
    inScope:
      level !== 'may' && isDeclared && citing.some(({ verdict }) => verdict !== 'inapplicable'),
  }
}

/** What a blocked check left open is open for that reason. */
function findingsOf({
  findings,
  blockedBy,
  reason,
}: Pick<Check, 'findings' | 'blockedBy' | 'reason'>): readonly Finding[] {
  return blockedBy === undefined || reason === undefined
    ? findings
    : findings.map((finding) =>
        finding.verdict === 'untested' ? { ...finding, statement: reason } : finding,
      )
}

function judgedEntry(
  findings: readonly Finding[],
  citing: readonly { id: string; verdict: Verdict; reason?: string; blockedBy?: string }[],
  covering: readonly string[] | undefined,
): { verdict: Verdict; reason?: string } {
  const verdict = judgeRequirement(
    findings.map((finding) => finding.verdict),
    citing.map((each) => each.verdict),
  )
  const open = findings.filter((finding) => finding.verdict === 'untested')
  if (findings.length > open.length)
    return verdict === 'inconclusive' ? { verdict, reason: whyInconclusive(findings) } : { verdict }
  if (open.length > 0) return { verdict, reason: unique(open.map((finding) => finding.statement)) }
  const reasons = citing.map(({ id, reason, blockedBy, verdict: ended }) =>
    blockedBy === undefined ? `${id}: ${reason ?? ended}` : (reason ?? ended),
  )
  if (reasons.length > 0)
    return { verdict: verdict === 'fail' ? 'untested' : verdict, reason: unique(reasons) }
  return {
    verdict: 'untested',
    reason: covering ? 'its checks were not selected' : 'this version has no check for it',
  }
}

function whyInconclusive(findings: readonly Finding[]): string {
  const unsure = findings.filter((finding) => finding.verdict === 'inconclusive')
  return unique(unsure.map(({ observed, statement }) => (observed === '' ? statement : observed)))
}

function unique(reasons: readonly string[]): string {
  return [...new Set(reasons)].join('; ')
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
    .filter(({ id, excluded, capability }) => {
      const isDeclared = capability === 'base' || target.capabilities.includes(capability)
      return excluded === undefined && isDeclared && !coverage.has(id)
    })
    .map(({ id }) => id)
  return ids.length === 0
    ? []
    : [
        `This version has no check for ${ids.length} requirements of the target's capabilities: ${ids.slice(0, UNCOVERED_NAMED_MAX).join(', ')}${ids.length > UNCOVERED_NAMED_MAX ? ' … (npm run requirements -- --uncovered)' : ''}.`,
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
