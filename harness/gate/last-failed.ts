import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { HarnessError } from '../errors.ts'

const RED = ['fail', 'error', 'inconclusive']

/** Ids of the checks and scenarios that were red in the newest run under the reports directory. */
export function lastFailed(reportsDir: string): string[] {
  const record = newestRecord(reportsDir)
  const red = [
    ...record.checks.filter(({ verdict }) => RED.includes(verdict)).map(({ id }) => id),
    ...record.load.filter(({ verdict }) => RED.includes(verdict)).map(({ scenario }) => scenario),
  ]
  if (red.length > 0) return red
  throw new HarnessError(
    'E_SELECTION_EMPTY',
    `nothing was red in the newest run (${record.runId}), so --last-failed selects nothing`,
    'Run everything, without --last-failed.',
  )
}

/** Run ids begin with the time, so the last by name is the newest. */
function newestRecord(reportsDir: string): RunRecord {
  const runs = directoriesIn(reportsDir).toSorted().toReversed()
  for (const run of runs) {
    try {
      return JSON.parse(readFileSync(path.join(reportsDir, run, 'run.json'), 'utf8')) as RunRecord
    } catch {
      // No run: samples, or a run that never came to write its record.
    }
  }
  throw new HarnessError(
    'E_SELECTION_EMPTY',
    `there is no run under ${reportsDir}, so --last-failed selects nothing`,
    'Run everything once, or name the directory with --reports.',
  )
}

function directoriesIn(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  } catch {
    return []
  }
}
