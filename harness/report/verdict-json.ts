/** The verdict for programs: what the console says, as JSON. Its members are as stable as those of run.json. */
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { failuresOf, groupedByRequirement, issueName } from './shared/digest.ts'
import { countVerdicts } from './shared/verdicts.ts'

/** JSON text with a line feed at the end. */
export function renderVerdict(
  record: RunRecord,
  { reportPath }: { readonly reportPath?: string },
): string {
  const { schemaVersion, runId, command, verdict, exitCode, exitReason, nextStep, partial } = record
  const failures = groupedByRequirement(failuresOf(record)).map(({ first, others }) => ({
    requirement: issueName(first),
    check: first.originId,
    alsoFoundBy: others.map(({ originId }) => originId),
    expected: first.findings[0]?.expected,
    observed: first.findings[0]?.observed,
  }))
  const told = {
    schemaVersion,
    runId,
    command,
    verdict,
    exitCode,
    exitReason,
    nextStep,
    partial,
    target: { name: record.target.name, baseUrl: record.target.baseUrl },
    ...(record.labels ? { labels: record.labels } : {}),
    requirements: countVerdicts(record.requirements),
    failures,
    causes: (record.causes ?? []).map(({ id, text, nextStep: next }) => ({ id, text, next })),
    undecided: record.undecided,
    hazards: record.hazards,
    ...(record.capacity ? { capacity: record.capacity } : {}),
    ...(reportPath === undefined ? {} : { reportPath }),
  }
  return `${JSON.stringify(told, undefined, 2)}\n`
}
