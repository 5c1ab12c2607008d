/** Holds a record against itself: what it concludes must follow from the findings that it holds. Pure. */
import type { KnownFailures } from '../../schemas/generated/known-failures.ts'
import type { Exception, RunRecord } from '../../schemas/generated/run-record.ts'
import { signalOf } from '../signals.ts'
import { isAsSealed } from './digest.ts'
import { judgeRecord } from './judged.ts'

/** A search for capacity concludes by its steps. */
const byCapacity = ({ capacity }: RunRecord): boolean => capacity !== undefined

/** What contradicts what, as sentences; empty for a record that was left as it was written. */
export function contradictionsIn(record: RunRecord): string[] {
  return [
    ...(isAsSealed(record) === false
      ? ['The record was changed after it was written: its digest is another one.']
      : []),
    ...partialContradictions(record),
    ...missingExchanges(record),
    ...(byCapacity(record) ? [] : outcomeContradictions(record)),
  ]
}

function partialContradictions(record: RunRecord): string[] {
  const isInterrupted = signalOf(record.exitCode) !== undefined
  if (record.partial === isInterrupted) return []
  return [
    record.partial
      ? `The record is partial, and its exit code is ${record.exitCode}.`
      : `The run was interrupted (exit ${record.exitCode}), and the record claims to be whole.`,
  ]
}

function missingExchanges({ exchanges, checks }: RunRecord): string[] {
  const held = new Set(exchanges.map(({ id }) => id))
  const named = checks.flatMap(({ findings }) => findings.flatMap((each) => each.exchanges))
  const missing = [...new Set(named)].filter((id) => !held.has(id))
  return missing.length === 0
    ? []
    : [`Findings name ${missing.length} exchanges that the record does not hold: ${missing[0]}.`]
}

function outcomeContradictions(record: RunRecord): string[] {
  const by = signalOf(record.exitCode)
  const judged = judgeRecord(
    {
      checks: record.checks,
      load: record.load,
      capabilities: record.target.capabilities,
      problems: record.problems,
      causes: record.causes ?? [],
      floor: record.profile.floor ?? 1,
      ...(by ? { interruptedBy: by } : {}),
      ...(record.baseline ? { baseline: record.baseline } : {}),
      knownFailures: listOf(record.exceptions ?? []),
      today: record.endedAt.slice(0, 10),
      isSelection: record.profile.selected.length > 0 || record.profile.name !== 'all',
    },
    record.requirements,
  )
  const verdicts = new Map(judged.requirements.map(({ id, verdict }) => [id, verdict]))
  const wrong = record.requirements.filter(({ id, verdict }) => verdicts.get(id) !== verdict)
  const open = judged.undecided.map(({ requirement }) => requirement).toSorted()
  const said = record.undecided.map(({ requirement }) => requirement).toSorted()
  const { exitCode, verdict } = judged.outcome
  return [
    ...wrong.map(
      (each) =>
        `${each.id} is ${each.verdict} in the record, and ${verdicts.get(each.id)} by its findings.`,
    ),
    ...(open.join() === said.join()
      ? []
      : [
          `The record names ${said.length} undecided requirements, its findings leave ${open.length}.`,
        ]),
    ...(exitCode === record.exitCode && verdict === record.verdict
      ? []
      : [
          `The record ends with ${record.verdict} (exit ${record.exitCode}), its findings give ${verdict} (exit ${exitCode}).`,
        ]),
  ]
}

function listOf(exceptions: readonly Exception[]): KnownFailures {
  return {
    failures: exceptions
      .filter(({ kind }) => kind === 'known failure')
      .map(({ requirement, check, reason, owner = '', expires = '' }) => ({
        requirement,
        ...(check === undefined ? {} : { check }),
        reason,
        owner,
        expires,
      })),
    severity: exceptions.flatMap(({ requirement, kind, reason }) =>
      kind === 'known failure' ? [] : [{ requirement, level: kind, reason }],
    ),
  }
}
