/** Failures that the caller accepts for a time, and requirements that count less or not at all. */
import type {
  KnownFailure,
  KnownFailures,
  Severity,
} from '../../schemas/generated/known-failures.ts'
import type { Exception, Finding, Verdict } from '../../schemas/generated/run-record.ts'

type Judged = { readonly id: string; readonly verdict: Verdict; readonly reason?: string }

/** A check or a load scenario. */
export type Source = Judged & { readonly findings: readonly Finding[] }

export type Exceptable = {
  /** In scope. */
  readonly requirements: readonly Judged[]
  readonly sources: readonly Source[]
  /** `2027-01-31`, in UTC. */
  readonly today: string
  /** Whether the caller chose a part of the checks: then an entry may have nothing to match. */
  readonly isSelection: boolean
}

export type Excepted = {
  /** In scope, as they count: what is accepted is a warning, what is off is left out. */
  readonly requirements: readonly Judged[]
  readonly sources: readonly Judged[]
  readonly exceptions: readonly Exception[]
}

/** How verdicts count with what the caller accepts. What failed still says so in the record. */
export function applyExceptions(list: KnownFailures, judged: Exceptable): Excepted {
  const severities = (list.severity ?? []).filter(({ level }) => level !== 'error')
  const failures = list.failures ?? []
  const accepts = (requirement: string, source: string): boolean =>
    severities.some((each) => each.requirement === requirement) ||
    failures.some((each) => covers(each, requirement, source) && each.expires >= judged.today)
  const off = new Set(
    severities.filter(({ level }) => level === 'off').map(({ requirement }) => requirement),
  )
  return {
    requirements: judged.requirements
      .filter(({ id }) => !off.has(id))
      .map((each) =>
        counted(each, () => {
          const failing = failingSources(each.id, judged.sources)
          return failing.length > 0 && failing.every(({ id }) => accepts(each.id, id))
        }),
      ),
    sources: judged.sources.map((source) =>
      counted(source, () => {
        const failed = failedRequirements(source)
        return failed.length > 0 && failed.every((id) => accepts(id, source.id))
      }),
    ),
    exceptions: [
      ...failures.map((each) => ({ ...stateOf(each, judged), ...entryOf(each) })),
      ...severities.map(severityEntry),
    ],
  }
}

function counted<T extends Judged>(judged: T, isAccepted: () => boolean): T {
  return judged.verdict === 'fail' && isAccepted() ? { ...judged, verdict: 'warn' } : judged
}

function covers(entry: KnownFailure, requirement: string, source: string): boolean {
  return entry.requirement === requirement && (entry.check ?? source) === source
}

function failedRequirements({ findings }: Source): string[] {
  return findings.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement)
}

function failingSources(requirement: string, sources: readonly Source[]): Source[] {
  return sources.filter((source) => failedRequirements(source).includes(requirement))
}

function entryOf({ requirement, check, reason, owner, expires }: KnownFailure) {
  return {
    requirement,
    ...(check === undefined ? {} : { check }),
    kind: 'known failure' as const,
    reason,
    owner,
    expires,
  }
}

function stateOf(entry: KnownFailure, judged: Exceptable): Pick<Exception, 'state' | 'text'> {
  const { requirement, check, expires, owner, reason } = entry
  const name = check === undefined ? requirement : `${requirement} by ${check}`
  const failing = failingSources(requirement, judged.sources)
  if (failing.some(({ id }) => covers(entry, requirement, id)))
    return expires < judged.today
      ? {
          state: 'expired',
          text: `The known failure ${name} expired on ${expires} and still fails (${owner}: ${reason}).`,
        }
      : {
          state: 'accepted',
          text: `${name} fails as known until ${expires} (${owner}: ${reason}).`,
        }
  if (passes(entry, judged))
    return { state: 'stale', text: `The known failure ${name} passes now: remove its entry.` }
  return judged.isSelection
    ? { state: 'not selected', text: `${name} was not decided by what was selected.` }
    : {
        state: 'unmatched',
        text: `The known failure ${name} was not decided, so nobody knows whether it still fails.`,
      }
}

const isGood = ({ verdict }: { readonly verdict: Verdict }): boolean =>
  verdict === 'pass' || verdict === 'warn'

function passes(
  { requirement, check }: KnownFailure,
  { requirements, sources }: Exceptable,
): boolean {
  if (check === undefined)
    return requirements.some((each) => each.id === requirement && isGood(each))
  const findings = sources.find(({ id }) => id === check)?.findings ?? []
  return findings.some((finding) => finding.requirement === requirement && isGood(finding))
}

function severityEntry({ requirement, level, reason }: Severity): Exception {
  const effect = level === 'off' ? 'is not scored' : 'counts as a warning where it fails'
  return {
    requirement,
    kind: level === 'off' ? 'off' : 'warn',
    reason,
    state: 'in force',
    text: `${requirement} ${effect} (${reason}).`,
  }
}
