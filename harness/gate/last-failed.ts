import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { HarnessError } from '../errors.ts'
import { recordsIn } from '../record/runs.ts'

const RED = ['fail', 'error', 'inconclusive']

/** Ids of the checks and scenarios that were red in the newest run under the reports directory, or blocked by what was. */
export function lastFailed(reportsDir: string): string[] {
  const record = newestRecord(reportsDir)
  const red = [
    ...record.checks
      .filter(({ verdict, blockedBy }) => RED.includes(verdict) || blockedBy !== undefined)
      .map(({ id }) => id),
    ...record.load.filter(({ verdict }) => RED.includes(verdict)).map(({ scenario }) => scenario),
  ]
  if (red.length > 0) return red
  throw new HarnessError(
    'E_SELECTION_EMPTY',
    `nothing was red in the newest run (${record.runId}), so --last-failed selects nothing`,
    'Run everything, without --last-failed.',
  )
}

function newestRecord(reportsDir: string): RunRecord {
  for (const record of recordsIn(reportsDir)) return record
  throw new HarnessError(
    'E_SELECTION_EMPTY',
    `there is no run under ${reportsDir}, so --last-failed selects nothing`,
    'Run everything once, or name the directory with --reports.',
  )
}
