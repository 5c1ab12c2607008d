import path from 'node:path'
import type { Requirement } from '../../contract/requirements/types.ts'
import { accountsOf } from '../accounts/select-accounts.ts'
import { UndiciTransport } from '../client/undici-transport.ts'
import { RealClock } from '../clock.ts'
import { HarnessError } from '../errors.ts'
import { assembleRecord } from '../record/assemble.ts'
import { writeRecord } from '../record/write.ts'
import { renderAll } from '../report/index.ts'
import { renderConsole } from '../report/console.ts'
import type { Target } from '../target/target.ts'
import type { ConformanceRunner, Selectable, SelectableCheck } from './conformance.ts'
import { Gathered } from './gathered.ts'
import { Interruption } from './interruption.ts'
import { loadPhase } from './load-phase.ts'
import { openTarget } from './open-target.ts'
import type { RunOptions } from './options.ts'
import { permissionOf } from './permission.ts'
import { lostError, preflight, stillThere, type Preflight } from './preflight.ts'
import { ProgressLine } from './progress.ts'
import { select, type Selection } from './selection.ts'

/** What the command line composes a run of. */
export type GateParts = {
  readonly catalogue: readonly Requirement[]
  readonly checks: readonly SelectableCheck[]
  readonly scenarios: readonly Selectable[]
  readonly conformance: ConformanceRunner
  readonly harnessVersion: string
}

export type GateStreams = {
  readonly out: NodeJS.WriteStream
  readonly progress: NodeJS.WriteStream
}

/**
 * The main job: opens the target, asks whether it is there, carries out the selected checks and load scenarios, judges, writes the
 * record and the reports, and returns the exit code. Nothing already measured is lost: whatever ends a run early leaves a record.
 */
export async function runGate(
  options: RunOptions,
  parts: GateParts,
  { out, progress: progressStream }: GateStreams,
): Promise<number> {
  const selection = select(
    parts.checks,
    options.load ? parts.scenarios : [],
    options.only,
    options.scenarios,
  )
  const progress = new ProgressLine(progressStream)
  const gathered = new Gathered(options)
  using interruption = new Interruption(() => process.exit(130))
  try {
    await measure({ options, parts, selection, progress, interruption, gathered })
  } catch (cause) {
    if (isRefusal(cause)) throw cause
    if (!interruption.by) gathered.fail(cause)
  }
  progress.end()
  if (!gathered.target) throw gathered.cause
  return conclude(gathered, options, parts, interruption.by, out)
}

/** Bad usage or configuration: nothing was sent, so there is nothing to record. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof HarnessError && cause.exitCode === 2
}

type Run = {
  readonly options: RunOptions
  readonly parts: GateParts
  readonly selection: Selection
  readonly progress: ProgressLine
  readonly interruption: Interruption
  readonly gathered: Gathered
}

async function measure(run: Run): Promise<void> {
  const { options, progress, interruption, gathered } = run
  await using opened = await openTarget(options, process.env, (text) => progress.phase(text))
  const { target } = opened
  gathered.target = target
  gathered.hazards.push(...opened.hazards)
  const accounts = accountsOf(target)
  gathered.roles = accounts.roles
  const transport = new UndiciTransport()
  try {
    const probing = {
      target,
      accounts,
      transport,
      clock: new RealClock(),
      signal: interruption.signal,
    }
    progress.phase(`asks ${target.name} at ${target.baseUrl} who it is`)
    const ready = await preflight(probing)
    gathered.ready(ready, permissionOf(target, options), run)
    await conformancePhase(run, target, ready)
    await loadPhase(run, target, ready)
    if (gathered.sawConnectionsFail && !interruption.by && !(await stillThere(probing)))
      gathered.fail(lostError(target))
  } finally {
    await transport.close()
  }
}

async function conformancePhase(run: Run, target: Target, ready: Preflight): Promise<void> {
  const { options, parts, selection, progress, interruption, gathered } = run
  if (selection.checks.length === 0 || interruption.by) return
  progress.phase(`carries out ${selection.checks.length} checks side by side`)
  const running = new Map<string, string>()
  let ended = 0
  const { purchases } = permissionOf(target, options)
  const result = await parts.conformance({
    target,
    limits: ready.limits,
    ...(purchases ? { permission: purchases } : {}),
    selected: selection.checks,
    signal: interruption.signal,
    onOutcome: (outcome) => gathered.add(outcome),
    onProgress: ({ check, state, text }) => {
      if (state === 'ended') {
        running.delete(check)
        ended += 1
      } else running.set(check, state === 'waiting' ? text : '')
      progress.status(statusText(ended, selection.checks.length, running))
    },
  })
  gathered.spent.push(...result.spent)
  for (const fault of result.faults)
    gathered.fail(new HarnessError('E_HARNESS', fault, 'Report it with the run record.'))
  gathered.missing(selection.checks, parts.checks, interruption.by !== undefined)
}

function statusText(ended: number, total: number, running: ReadonlyMap<string, string>): string {
  const waiting = [...running].filter(([, text]) => text !== '')
  const [first] = waiting.length > 0 ? waiting : [...running]
  const what = first ? ` · ${first[0]} ${first[1]}` : ''
  return `${ended} of ${total} checks ended, ${waiting.length} waiting${what}`
}

async function conclude(
  gathered: Gathered,
  options: RunOptions,
  parts: GateParts,
  interruptedBy: 'SIGINT' | 'SIGTERM' | undefined,
  out: NodeJS.WriteStream,
): Promise<number> {
  const coverage = coverageOf([...parts.checks, ...parts.scenarios])
  const measured = gathered.measured(interruptedBy, parts.harnessVersion)
  const record = assembleRecord(measured, parts.catalogue, coverage)
  const dir = path.resolve(options.reportsDir, record.runId)
  await writeRecord(dir, record, renderAll(record))
  const colour = out.isTTY && process.env['NO_COLOR'] === undefined
  out.write(`${renderConsole(record, { colour, reportPath: path.relative(process.cwd(), dir) })}\n`)
  return record.exitCode
}

function coverageOf(all: readonly Selectable[]): Map<string, string[]> {
  const coverage = new Map<string, string[]>()
  for (const { id, requirements } of all)
    for (const requirement of requirements)
      coverage.set(requirement, [...(coverage.get(requirement) ?? []), id])
  return coverage
}
