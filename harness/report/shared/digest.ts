/** What several renderers read off a record: failures with their requirements, what was left undecided, where exchanges stand. */
import type {
  Check,
  Exception,
  Exchange,
  Finding,
  Observation,
  RunRecord,
  Verdict,
} from '../../../schemas/generated/run-record.ts'
import { plural } from '../../text.ts'

export type RequirementEntry = RunRecord['requirements'][number]

/** What a check or a load scenario found about one requirement. */
export type Issue = {
  /** Unique in the report, for anchors. */
  readonly key: string
  readonly verdict: Verdict
  readonly requirementId: string
  /** Undefined when the check failed without a finding, or names a requirement that the record lacks. */
  readonly requirement: RequirementEntry | undefined
  readonly origin: 'check' | 'load scenario'
  readonly originId: string
  readonly originTitle: string
  readonly findings: readonly IssueFinding[]
  readonly reason: string | undefined
  readonly repeat: string | undefined
}
export type IssueFinding = Pick<
  Finding,
  'statement' | 'expected' | 'observed' | 'exchanges' | 'offending'
>

type Source = Pick<Issue, 'origin' | 'originId' | 'originTitle' | 'repeat' | 'reason'> & {
  readonly verdict: Verdict
  readonly requirements: readonly string[]
  readonly findings: readonly Finding[]
  /** Stands in where a source has the verdict but no finding that carries it. */
  readonly fallback: IssueFinding
}

function fromCheck(check: Check): Source {
  return {
    origin: 'check',
    originId: check.id,
    originTitle: check.title,
    repeat: check.repeat,
    reason: check.reason,
    verdict: check.verdict,
    requirements: check.requirements,
    findings: check.findings,
    fallback: {
      statement: check.title,
      // What a check found before it broke off says nothing about why it did.
      ...(check.verdict === 'error'
        ? { expected: 'the check ends', observed: check.reason ?? 'it broke off' }
        : { expected: check.expected, observed: check.observed }),
      exchanges: check.exchanges,
    },
  }
}

function fromLoad(result: RunRecord['load'][number]): Source {
  return {
    origin: 'load scenario',
    originId: result.scenario,
    originTitle: result.workload ?? result.scenario,
    repeat: result.repeat,
    reason: result.reason,
    verdict: result.verdict,
    requirements: result.requirements,
    findings: result.findings,
    fallback: {
      statement: result.workload ?? result.scenario,
      expected: 'the scenario passes',
      observed: result.reason,
      exchanges: [],
    },
  }
}

function issuesOf(source: Source, verdict: Verdict, record: RunRecord): Omit<Issue, 'key'>[] {
  const byRequirement = Map.groupBy(
    source.findings.filter((finding) => finding.verdict === verdict),
    (finding) => finding.requirement,
  )
  const groups: [string, readonly IssueFinding[]][] = [...byRequirement]
  if (groups.length === 0 && source.verdict === verdict)
    groups.push([source.requirements[0] ?? '', [source.fallback]])
  const { origin, originId, originTitle, repeat, reason } = source
  return groups.map(([requirementId, findings]) => ({
    verdict,
    requirementId,
    requirement: record.requirements.find((entry) => entry.id === requirementId),
    origin,
    originId,
    originTitle,
    findings,
    reason,
    repeat,
  }))
}

/** Everything with that verdict, one issue per source and requirement, checks before load. */
export function issuesWith(record: RunRecord, verdict: Verdict): Issue[] {
  return [...record.checks.map(fromCheck), ...record.load.map(fromLoad)]
    .flatMap((source) => issuesOf(source, verdict, record))
    .map((issue, i) => ({ ...issue, key: `${verdict}-${i + 1}` }))
}

/** What failed, then what went wrong in the harness. What the caller accepts is not among it. */
export function failuresOf(record: RunRecord): Issue[] {
  const failed = issuesWith(record, 'fail').filter(
    ({ requirementId, originId }) => acceptanceOf(record, requirementId, originId) === undefined,
  )
  return [...failed, ...issuesWith(record, 'error')]
}

const ACCEPTING: ReadonlySet<Exception['state']> = new Set(['accepted', 'in force'])

/** The exception by which a failure of a requirement in a check or scenario does not count. */
export function acceptanceOf(
  { exceptions = [] }: RunRecord,
  requirement: string,
  source: string,
): Exception | undefined {
  return exceptions.find(
    (each) =>
      each.requirement === requirement &&
      (each.check ?? source) === source &&
      ACCEPTING.has(each.state),
  )
}

/** Short name of an issue: the requirement's id, or the check's where there is none. */
export function issueName(issue: Issue): string {
  return issue.requirementId || issue.originId
}

export type UndecidedGroup = { readonly reason: string; readonly requirements: readonly string[] }

/** Undecided requirements by reason, the largest group first. */
export function undecidedByReason(record: RunRecord): UndecidedGroup[] {
  return [...Map.groupBy(record.undecided, (entry) => entry.reason)]
    .map(([reason, entries]) => ({ reason, requirements: entries.map((e) => e.requirement) }))
    .toSorted((a, b) => b.requirements.length - a.requirements.length)
}

/** Undecided requirements by reason, without those that the table of what to add has told. */
export function otherUndecided(record: RunRecord): UndecidedGroup[] {
  const told = new Set((record.toAdd ?? []).flatMap(({ requirements }) => requirements))
  return undecidedByReason({
    ...record,
    undecided: record.undecided.filter(({ requirement }) => !told.has(requirement)),
  })
}

/** Problems that the reason of the exit has not said already. */
export function untoldProblems({ problems, exitReason }: RunRecord): RunRecord['problems'] {
  return problems.filter(({ code, message }) => !exitReason.includes(`${code}: ${message}`))
}

/** Why fewer requirements count than the catalogue has. */
export function scopeSentence({
  requirements,
  undecided,
  profile,
  checks,
  load,
  problems,
  partial,
}: RunRecord): string {
  const open = new Set(undecided.map(({ requirement }) => requirement))
  const applying = requirements.filter(({ verdict }) => verdict !== 'inapplicable')
  const asked = applying.filter(({ level }) => level !== 'may')
  const scope = asked.filter(({ id, verdict }) => verdict !== 'untested' || open.has(id))
  const without =
    profile.partial || profile.selected.length > 0 ? 'not selected' : 'without a check'
  const isReached = checks.length + load.length > 0 || (problems.length === 0 && !partial)
  const left = [
    [requirements.length - applying.length, 'inapplicable to this target'],
    [applying.length - asked.length, 'optional'],
    [asked.length - scope.length, isReached ? without : 'not reached: the run ended before'],
  ] as const
  const words = left.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`)
  const all = `Of ${plural(requirements.length, 'requirement')}, ${scope.length} ${scope.length === 1 ? 'is' : 'are'} in scope`
  return `${[all, ...words].join(', ')}.`
}

/** Verdicts by which something about the target was decided. */
export const DECIDED: ReadonlySet<Verdict> = new Set<Verdict>(['pass', 'warn', 'fail'])

export function decidedCount(record: RunRecord): number {
  const steps = record.capacity?.steps.filter(({ verdict }) => verdict !== 'inconclusive') ?? []
  return (
    [...record.checks, ...record.load].filter((item) => DECIDED.has(item.verdict)).length +
    steps.length
  )
}

/** The exchange that shows an issue: the offending one of its first finding that names any. */
export function offendingOf({ findings }: Pick<Issue, 'findings'>): string | undefined {
  const [first] = findings.flatMap(
    ({ exchanges, offending }) => offending ?? exchanges.at(-1) ?? [],
  )
  return first
}

/** All issues of one requirement: the first stands for them. */
export type IssueGroup = { readonly first: Issue; readonly others: readonly Issue[] }

/** One group for each requirement, so that one defect is reported once. */
export function groupedByRequirement(issues: readonly Issue[]): IssueGroup[] {
  return [...Map.groupBy(issues, issueName).values()].flatMap(([first, ...others]) =>
    first ? [{ first, others }] : [],
  )
}

/** Asked for by each case of a report. */
const byIdOf = new WeakMap<RunRecord['exchanges'], ReadonlyMap<string, Exchange>>()

export function exchangesById({ exchanges }: RunRecord): ReadonlyMap<string, Exchange> {
  const known = byIdOf.get(exchanges)
  if (known) return known
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  byIdOf.set(exchanges, byId)
  return byId
}

/** Warnings of security hygiene stand among the observations, under ids of their own. */
export function isHygiene({ id }: Observation): boolean {
  return id.startsWith('HYG-')
}
