/**
 * A run as cases, for the formats that CI systems read (JUnit, CTRF): one for the run, one for each requirement, check and load
 * scenario. Names are the identity of a case there, so they do not change with the verdict. The case `verdict` is red whenever the exit
 * code is not 0, so that an empty or broken run is never green.
 */
import type {
  Check,
  Finding,
  LoadResult,
  RunRecord,
  Verdict,
} from '../../schemas/generated/run-record.ts'
import {
  acceptanceOf,
  exchangesById,
  failuresOf,
  issuesWith,
  undecidedByReason,
  type Issue,
  type RequirementEntry,
} from './shared/digest.ts'
import { capped, listed } from '../text.ts'
import { headlineOf } from './shared/verdicts.ts'

/** What a JUnit reader knows: passed, or one of these elements. */
export type Outcome = 'passed' | 'failure' | 'error' | 'skipped'

/** An inconclusive check leaves the exit code above 0, so it must not look skipped: a CI that reads only this file would stay green. */
const OUTCOMES: Readonly<Record<Verdict, Outcome>> = {
  pass: 'passed',
  warn: 'passed',
  observed: 'passed',
  fail: 'failure',
  error: 'error',
  inconclusive: 'error',
  untested: 'skipped',
  inapplicable: 'skipped',
}

const FINDINGS_MAX = 20
const CURLS_MAX = 2

export type Case = {
  readonly className: string
  readonly name: string
  readonly seconds: number
  readonly verdict: Verdict
  readonly outcome: Outcome
  readonly message: string
  readonly detail: string
}
export type Suite = { readonly name: string; readonly cases: readonly Case[] }

/** Only here does the target fail. Every other exit code is about the environment, the harness or what was left open. */
const EXIT_TARGET_FAILED = 1

function requirementLine(id: string, record: RunRecord): string {
  const entry = record.requirements.find((requirement) => requirement.id === id)
  if (entry === undefined) return `Requirement: ${id}`
  return `Requirement: ${id}: ${entry.text} (${entry.section}: ${entry.source.join(', ')})`
}

function findingLines(finding: Finding, record: RunRecord): string[] {
  return [
    requirementLine(finding.requirement, record),
    `Looked at:   ${capped(finding.statement, 600)}`,
    `Expected:    ${capped(finding.expected, 600)}`,
    `Observed:    ${capped(finding.observed, 600)}`,
  ]
}

/** The offending exchange of each finding. */
function curlLines(record: RunRecord, ids: readonly string[]): string[] {
  const byId = exchangesById(record)
  const kept = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []).slice(0, CURLS_MAX)
  return kept.flatMap(({ id, curl }) => [`Exchange ${id}:`, capped(curl, 1_000)])
}

function telling(findings: readonly Finding[], verdict: Verdict): Finding[] {
  return findings.filter((finding) => finding.verdict === verdict).slice(0, FINDINGS_MAX)
}

function caseOfCheck(check: Check, record: RunRecord): Case {
  const findings = telling(check.findings, check.verdict)
  const first = findings[0]
  const compared = first ?? check
  const ids = findings.flatMap(({ offending, exchanges }) => offending ?? exchanges.at(-1) ?? [])
  const detail = [
    ...findings.flatMap((finding) => findingLines(finding, record)),
    ...(check.reason === undefined ? [] : [`Reason:      ${check.reason}`]),
    `Repeat:      ${check.repeat}`,
    ...curlLines(record, ids),
  ]
  return {
    className: `conformance.${check.area}`,
    name: `${check.id}: ${check.title}`,
    seconds: check.durationSeconds,
    verdict: check.verdict,
    outcome: OUTCOMES[check.verdict],
    message:
      check.reason ??
      `${first?.requirement ?? listed(check.requirements, 3)}: expected ${compared.expected}, observed ${compared.observed}`,
    detail: detail.join('\n'),
  }
}

type Failing = { readonly requirement: string; readonly source: string }

/** What the caller accepts is skipped, with why: a CI system must not count it as new. */
function acceptedCase(known: Case, failing: readonly Failing[], record: RunRecord): Case {
  const accepted = failing.map((each) => acceptanceOf(record, each.requirement, each.source))
  const [first] = accepted
  return known.outcome === 'failure' && first !== undefined && accepted.every(Boolean)
    ? { ...known, outcome: 'skipped', message: first.text }
    : known
}

function failingOf({ id, findings }: Pick<Check, 'id' | 'findings'>): Failing[] {
  return findings
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ requirement }) => ({ requirement, source: id }))
}

function caseOfRequirement(requirement: RequirementEntry, issues: readonly Issue[]): Case {
  const { id, text, section, source, verdict, reason, checks } = requirement
  const told = issues.filter((issue) => issue.requirementId === id).slice(0, FINDINGS_MAX)
  const shown = told.flatMap(({ originId, findings }) =>
    findings
      .slice(0, FINDINGS_MAX)
      .map(
        ({ statement, expected, observed }) =>
          `${originId}: ${capped(statement, 600)}\n  expected: ${capped(expected, 600)}\n  observed: ${capped(observed, 600)}`,
      ),
  )
  const repeat = told.flatMap((issue) => issue.repeat ?? []).slice(0, 1)
  return {
    className: `requirements.${id.replace(/-\d+$/, '')}`,
    name: `${id}: ${text}`,
    seconds: 0,
    verdict,
    outcome: OUTCOMES[verdict],
    message: `${id}: ${told[0]?.findings[0]?.observed ?? reason ?? verdict}`,
    detail: [
      `${section}: ${source.join(', ')}`,
      ...(reason === undefined ? [] : [`Reason: ${reason}`]),
      ...shown,
      `Decided by: ${listed(checks, 60)}`,
      ...repeat.map((command) => `Repeat: ${command}`),
    ].join('\n'),
  }
}

function caseOfLoad(result: LoadResult, record: RunRecord): Case {
  const findings = telling(result.findings, result.verdict)
  return {
    className: 'load',
    name: result.scenario,
    seconds: result.durationSeconds ?? 0,
    verdict: result.verdict,
    outcome: OUTCOMES[result.verdict],
    message: result.reason,
    detail: [result.reason, ...findings.flatMap((finding) => findingLines(finding, record))].join(
      '\n',
    ),
  }
}

function runIsGreen(record: RunRecord): boolean {
  const { tone } = headlineOf(record)
  return record.exitCode === 0 && (tone === 'pass' || tone === 'warn')
}

/** A CI system counts a failure against the service, and an error against whoever ran the tests. */
function outcomeOfRun(record: RunRecord): Outcome {
  if (runIsGreen(record)) return 'passed'
  return record.exitCode === EXIT_TARGET_FAILED ? 'failure' : 'error'
}

function caseOfRun(record: RunRecord): Case {
  const detail = [
    record.exitReason,
    `Next: ${record.nextStep}`,
    ...record.problems.map((problem) => `${problem.code}: ${problem.message}`),
    ...record.hazards,
    ...(record.causes ?? []).map(
      ({ id, text, nextStep, blocked }) =>
        `Cause ${id}: ${text}. Next: ${nextStep} Blocked by it: ${listed(blocked, 60)}`,
    ),
    ...undecidedByReason(record).map(
      ({ reason, requirements }) => `Undecided (${reason}): ${listed(requirements, 60)}`,
    ),
  ]
  return {
    className: 'run',
    name: 'verdict',
    seconds: record.durationSeconds,
    verdict: record.verdict,
    outcome: outcomeOfRun(record),
    message: `exit ${record.exitCode}: ${record.exitReason}`,
    detail: detail.join('\n'),
  }
}

/** Suites in which there is a case. */
export function suitesOf(record: RunRecord): Suite[] {
  const issues = [...failuresOf(record), ...issuesWith(record, 'inconclusive')]
  const load = record.load.map((each) => ({ ...each, id: each.scenario }))
  const failing = Map.groupBy(
    [...record.checks, ...load].flatMap(failingOf),
    ({ requirement }) => requirement,
  )
  const suites: Suite[] = [
    { name: 'verdict', cases: [caseOfRun(record)] },
    {
      name: 'requirements',
      cases: record.requirements.map((each) =>
        acceptedCase(caseOfRequirement(each, issues), failing.get(each.id) ?? [], record),
      ),
    },
    {
      name: 'checks',
      cases: record.checks.map((check) =>
        acceptedCase(caseOfCheck(check, record), failingOf(check), record),
      ),
    },
    {
      name: 'load',
      cases: load.map((result) =>
        acceptedCase(caseOfLoad(result, record), failingOf(result), record),
      ),
    },
  ]
  return suites.filter(({ cases }) => cases.length > 0)
}
