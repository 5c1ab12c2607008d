/** What a run comes to, from its findings alone: so that a record can be held against itself. Pure. */
import type { KnownFailures } from '../../schemas/generated/known-failures.ts'
import type {
  Baseline,
  Cause,
  Check,
  Exception,
  Finding,
  Goal,
  LoadResult,
  Problem,
  RunRecord,
  Verdict,
} from '../../schemas/generated/run-record.ts'
import { applyExceptions } from '../judge/exceptions.ts'
import { judgeRun, type Decided, type Outcome } from '../judge/outcome.ts'
import { judgeRequirement } from '../judge/verdicts.ts'
import type { EndingSignal } from '../signals.ts'

/** What decides a run. */
export type Deciding = {
  readonly checks: readonly Check[]
  readonly load: readonly LoadResult[]
  readonly capabilities: readonly string[]
  readonly problems: readonly Problem[]
  readonly causes?: readonly Cause[]
  readonly floor: number
  readonly interruptedBy?: EndingSignal
  readonly baseline?: Baseline
  readonly knownFailures?: KnownFailures
  /** `2027-01-31`, in UTC. */
  readonly today: string
  readonly isSelection: boolean
}

export type JudgedRecord = {
  readonly outcome: Outcome
  readonly requirements: readonly RequirementEntry[]
  readonly undecided: RunRecord['undecided']
  readonly exceptions: readonly Exception[]
  /** Nothing was in scope. */
  readonly isEmpty: boolean
}

type Entry = Pick<
  RunRecord['requirements'][number],
  'id' | 'section' | 'level' | 'capability' | 'text'
> & {
  readonly source: readonly string[]
}

const DECIDED: readonly Verdict[] = ['pass', 'warn', 'fail']

/** Judges each requirement by the findings of checks and load, then the run. */
export function judgeRecord(
  deciding: Deciding,
  catalogue: readonly Entry[],
  coverage?: ReadonlyMap<string, readonly string[]>,
): JudgedRecord {
  const sources = sourcesOf(deciding)
  const found = Map.groupBy(sources.flatMap(findingsOf), ({ requirement }) => requirement)
  const requirements = catalogue.map((each) =>
    requirementEntry(each, {
      findings: found.get(each.id) ?? [],
      citing: sources.filter(({ requirements: cited }) => cited.includes(each.id)),
      isDeclared: each.capability === 'base' || deciding.capabilities.includes(each.capability),
      covering: coverage?.get(each.id),
      isReached: sources.length > 0 || !hasEnded(deciding),
    }),
  )
  const scope = requirements.filter(({ inScope }) => inScope).map(({ entry }) => entry)
  const excepted = applyExceptions(deciding.knownFailures ?? {}, {
    ...deciding,
    requirements: scope,
    sources,
  })
  const outcome = judgeRun({
    ...(deciding.interruptedBy ? { interruptedBy: deciding.interruptedBy } : {}),
    problems: deciding.problems,
    requirements: excepted.requirements,
    checks: excepted.sources,
    exceptions: excepted.exceptions,
    causes: deciding.causes ?? [],
    floor: deciding.floor,
    goals: goalsOf(deciding.load),
    ...comparedFigures(deciding.baseline),
  })
  const counted = new Set(excepted.requirements.map(({ id }) => id))
  const undecided = scope
    .filter(({ id, verdict }) => counted.has(id) && !DECIDED.includes(verdict))
    .map(({ id, verdict, reason }) => ({ requirement: id, reason: reason ?? verdict }))
  return {
    outcome,
    requirements: requirements.map(({ entry }) => entry),
    undecided,
    exceptions: excepted.exceptions,
    isEmpty: scope.length === 0,
  }
}

function goalsOf(load: readonly LoadResult[]): NonNullable<Decided['goals']> {
  const all = load.flatMap(({ scenario, goals = [] }) =>
    goals.map((goal) => ({ ...goal, text: goalText(scenario, goal) })),
  )
  const open = all.filter(({ met }) => !met)
  return {
    missed: open.filter(({ undecided }) => undecided === undefined).map(({ text }) => text),
    undecided: open.flatMap(({ text, undecided }) =>
      undecided === undefined ? [] : [`${text} (${undecided})`],
    ),
  }
}

function goalText(scenario: string, { name, operation, observed, expected }: Goal): string {
  return `${[scenario, operation, name].filter(Boolean).join(' ')} was ${observed}, ${expected} was asked for`
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
  const uncompared =
    baseline.figures.length === 0
      ? ['any figure']
      : [...having('not comparable'), ...having('undecided')]
  return { regressions: having('regression'), uncompared }
}

/** By a problem or a signal. */
function hasEnded({ problems, interruptedBy }: Deciding): boolean {
  return problems.length > 0 || interruptedBy !== undefined
}

type RequirementEntry = RunRecord['requirements'][number]

type Source = Pick<Check, 'id' | 'verdict' | 'reason' | 'blockedBy' | 'requirements' | 'findings'>

/** What decides requirements: checks, and scenarios of load. */
function sourcesOf({ checks, load }: Deciding): readonly Source[] {
  return [...checks, ...load.map((each) => ({ ...each, id: each.scenario }))]
}

function requirementEntry(
  { id, section, source, level, capability, text }: Entry,
  {
    findings,
    citing,
    isDeclared,
    covering,
    isReached,
  }: {
    readonly findings: readonly Finding[]
    readonly citing: readonly Source[]
    readonly isDeclared: boolean
    readonly covering: readonly string[] | undefined
    /** False if the run ended before any check or scenario. */
    readonly isReached: boolean
  },
): { entry: RequirementEntry; inScope: boolean } {
  const judged = isDeclared
    ? judgedEntry(findings, citing, { covering, isReached })
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
    inScope: level !== 'may' && isDeclared && isAsked(judged.verdict, citing),
  }
}

/** Findings may say that a requirement does not apply, while the checks that made them decided others. */
function isAsked(judged: Verdict, citing: readonly { readonly verdict: Verdict }[]): boolean {
  return judged === 'inapplicable'
    ? citing.some(({ verdict }) => STAYED_OPEN.includes(verdict))
    : citing.some(({ verdict }) => verdict !== 'inapplicable')
}

const STAYED_OPEN: readonly Verdict[] = ['error', 'inconclusive', 'untested']

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
  citing: readonly Citing[],
  { covering, isReached }: Pick<Parameters<typeof requirementEntry>[1], 'covering' | 'isReached'>,
): { verdict: Verdict; reason?: string } {
  const verdict = judgeRequirement(
    findings.map((finding) => finding.verdict),
    citing.map((each) => each.verdict),
  )
  const open = findings.filter((finding) => finding.verdict === 'untested')
  if (findings.length > open.length)
    return verdict === 'inconclusive'
      ? { verdict, reason: whyInconclusive(findings) }
      : { verdict, ...(verdict === 'inapplicable' && { reason: statementsOf(findings) }) }
  if (open.length > 0) return { verdict, reason: statementsOf(open) }
  if (citing.length > 0)
    return { verdict: verdict === 'fail' ? 'untested' : verdict, reason: reasonsOf(citing) }
  const withCheck = isReached ? 'its checks were not selected' : 'the run ended before its checks'
  return { verdict: 'untested', reason: covering ? withCheck : 'this version has no check for it' }
}

type Citing = Pick<Source, 'id' | 'verdict' | 'reason' | 'blockedBy'>

/** A reason that all share needs no names. */
function reasonsOf(citing: readonly Citing[]): string {
  const groups = Map.groupBy(citing, ({ reason, verdict }) => reason ?? verdict)
  const told = [...groups].map(([reason, group]) => {
    const ids = group.filter(({ blockedBy }) => blockedBy === undefined).map(({ id }) => id)
    return ids.length === 0 || groups.size === 1 ? reason : `${ids.join(', ')}: ${reason}`
  })
  return told.join('; ')
}

function statementsOf(findings: readonly Finding[]): string {
  return unique(findings.map(({ statement }) => statement))
}

function whyInconclusive(findings: readonly Finding[]): string {
  const unsure = findings.filter((finding) => finding.verdict === 'inconclusive')
  return unique(unsure.map(({ observed, statement }) => (observed === '' ? statement : observed)))
}

function unique(reasons: readonly string[]): string {
  return [...new Set(reasons)].join('; ')
}
