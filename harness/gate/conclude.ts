import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { HarnessError } from '../errors.ts'
import { compareRuns } from '../record/compare.ts'
import { earlierRun } from '../record/runs.ts'
import { assembleRecord } from '../record/assemble.ts'
import type { Redactor } from '../record/redact.ts'
import {
  linkLatest,
  removeRun,
  requireWritable,
  schemaComplaints,
  writeRecord,
  type Rendered,
} from '../record/write.ts'
import { wordsOf } from '../schema/validate.ts'
import type { EndingSignal } from '../signals.ts'
import { renderAll, renderConsole, renderVerdict, RUN_FILES, takesColour } from '../report/index.ts'
import type { Selectable } from './conformance.ts'
import type { RunState } from './run-state.ts'
import { tellGithub } from './github.ts'
import type { GateParts } from './parts.ts'
import type { RunOptions } from './options.ts'

export type Ending = {
  readonly redactor: Redactor
  readonly out: NodeJS.WriteStream
  readonly interruptedBy?: EndingSignal
}

/** Finds out before anything is sent whether there will be a place for the record, and takes an earlier run out of it. Throws E_USAGE. */
export async function requirePlace({
  reportsDir,
  runDir,
}: Pick<RunOptions, 'reportsDir' | 'runDir'>): Promise<void> {
  await requireWritable(reportsDir)
  if (runDir === undefined) return
  await requireWritable(runDir)
  await removeRun(runDir, RUN_FILES)
}

type Concluded = {
  readonly runState: RunState
  readonly options: Pick<RunOptions, 'reportsDir' | 'runDir' | 'json'>
  readonly parts: Pick<GateParts, 'catalogue' | 'checks' | 'scenarios' | 'harnessVersion'>
}

/**
 * Judges what was measured, writes record and reports without a secret, says the verdict and returns the exit code. A record may hold
 * 100,000 findings: signals are heard between the steps.
 */
export async function conclude(
  { runState, options, parts }: Concluded,
  { redactor, out, interruptedBy }: Ending,
): Promise<number> {
  const coverage = coverageOf([...parts.checks, ...parts.scenarios])
  const assemble = async (): Promise<RunRecord> => {
    const measured = runState.measured(interruptedBy, parts.harnessVersion)
    const record = assembleRecord(measured, parts.catalogue, coverage)
    await turn()
    const earlier = runState.baseline ?? (await earlierRun(options.reportsDir, record))
    await turn()
    redactor.keep([...parts.checks.map(({ id }) => id), ...wordsOf('run-record')])
    return redactor.dataInTurns({ ...record, ...comparedWith(earlier, record) })
  }
  const { record, files } = await trustworthy(runState, assemble)
  const dir = path.resolve(options.runDir ?? path.join(options.reportsDir, record.runId))
  const colour = takesColour(out, process.env)
  const say = (told: RunRecord, reportPath?: string): number => {
    const place = reportPath === undefined ? {} : { reportPath }
    out.write(
      options.json ? renderVerdict(told, place) : `${renderConsole(told, { colour, ...place })}\n`,
    )
    return told.exitCode
  }
  try {
    await writeRecord(dir, record, [...files, ...attached(runState, redactor)])
    await linkLatest(options.reportsDir, dir)
  } catch (cause) {
    // What could not be kept is no verdict that others could look up: the terminal, all that is left of it, must say so.
    runState.fail(cause)
    return say(await assemble())
  }
  const exitCode = say(record, path.relative(process.cwd(), dir) || '.')
  await tellGithub(record, files, out)
  return exitCode
}

function attached({ filesBeside }: RunState, redactor: Redactor): Rendered[] {
  return filesBeside.map(({ file, text }) => ({ file, text: redactor.text(text) }))
}

/** What the target did otherwise in the run to compare with: the one that was named, else its last; nothing where there is none. */
function comparedWith(
  earlier: RunRecord | undefined,
  record: RunRecord,
): Pick<RunRecord, 'comparison'> {
  return earlier ? { comparison: compareRuns(earlier, record) } : {}
}

/** A record that breaks its schema, or that a renderer fails on, says so itself: no file of it may be green. */
async function trustworthy(
  runState: RunState,
  assemble: () => Promise<RunRecord>,
): Promise<{ record: RunRecord; files: readonly Rendered[] }> {
  const first = await assembled(runState, assemble)
  await turn()
  const complaints = schemaComplaints(first)
  if (complaints.length > 0)
    runState.fail(
      new HarnessError(
        'E_RECORD_INVALID',
        `the run record breaks its schema: ${complaints.slice(0, 3).join('; ')}`,
        'Report it with run.json; its verdict cannot be trusted.',
      ),
    )
  const record = complaints.length > 0 ? await assemble() : first
  await turn()
  try {
    return { record, files: renderAll(record) }
  } catch (cause) {
    runState.fail(cause)
    const failed = await assemble()
    return { record: failed, files: renderAll(withoutDetails(failed)) }
  }
}

/** What answers hold may be more than can be judged or redacted: the verdicts of the checks are then kept without it. */
async function assembled(
  runState: RunState,
  assemble: () => Promise<RunRecord>,
): Promise<RunRecord> {
  try {
    return await assemble()
  } catch (cause) {
    runState.fail(cause)
    runState.dropEvidence()
    return assemble()
  }
}

/** What is left can be rendered in any case: the run's own verdict, which is red. run.json keeps everything. */
function withoutDetails({ capacity: _capacity, ...record }: RunRecord): RunRecord {
  return {
    ...record,
    checks: [],
    exchanges: [],
    observations: [],
    load: [],
    windows: [],
    quota: [],
  }
}

function coverageOf(all: readonly Selectable[]): Map<string, string[]> {
  const coverage = new Map<string, string[]>()
  for (const { id, requirements } of all)
    for (const requirement of requirements)
      coverage.set(requirement, [...(coverage.get(requirement) ?? []), id])
  return coverage
}
