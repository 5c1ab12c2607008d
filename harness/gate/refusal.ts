import os from 'node:os'
import path from 'node:path'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import type { HarnessError } from '../errors.ts'
import { linkLatest, removeRun, writeRecord } from '../record/write.ts'
import { renderAll, RUN_FILES } from '../report/index.ts'
import { runIdOf } from './run-id.ts'
import { tellGithub } from './github.ts'

type Refused = {
  readonly command: RunRecord['command']
  readonly error: HarnessError
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly harnessVersion: string
  readonly out: NodeJS.WritableStream
}

/**
 * Leaves record and reports of a run that was refused before there was a target: a job that collects files then finds what was wrong. Only
 * where the caller collects files: in CI, or with --run-dir. Nobody wants a directory for each misspelt option.
 */
export async function recordRefusal(refused: Refused): Promise<void> {
  const { argv, env, out } = refused
  const runDir = valueOf(argv, '--run-dir')
  if (runDir === undefined && (env['CI'] ?? '') === '') return
  const reportsDir = valueOf(argv, '--reports') ?? 'reports'
  const record = refusalRecord(refused)
  const files = renderAll(record)
  const dir = path.resolve(runDir ?? path.join(reportsDir, record.runId))
  try {
    await removeRun(dir, RUN_FILES)
    await writeRecord(dir, record, files)
    await linkLatest(reportsDir, dir)
    await tellGithub(record, files, out)
  } catch (cause) {
    out.write(`The reports of this refusal could not be written: ${(cause as Error).message}\n`)
  }
}

/** The command line may be what is wrong, so it is looked through by hand. */
function valueOf(argv: readonly string[], option: string): string | undefined {
  const at = argv.findIndex((word) => word === option || word.startsWith(`${option}=`))
  const word = argv[at]
  if (word === undefined) return undefined
  const value = word === option ? argv[at + 1] : word.slice(option.length + 1)
  return value === undefined || value === '' || value.startsWith('--') ? undefined : value
}

function refusalRecord({ command, error, harnessVersion }: Refused): RunRecord {
  const { code, message, nextStep, exitCode } = error
  const now = new Date()
  return {
    schemaVersion: 1,
    runId: runIdOf(now),
    command,
    startedAt: now.toISOString(),
    endedAt: now.toISOString(),
    durationSeconds: 0,
    partial: false,
    verdict: 'untested',
    exitCode,
    exitReason: `${code}: ${message}`,
    nextStep,
    profile: { name: 'none', partial: true, selected: [] },
    undecided: [],
    hazards: [],
    problems: [{ code, message, nextStep }],
    target: {
      name: 'not known',
      baseUrl: '',
      kind: 'url',
      environment: 'production',
      timing: 'partner',
      capabilities: [],
      roles: [],
      products: [],
      limits: {},
      origins: {},
      faults: [],
    },
    environment: {
      harness: harnessVersion,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      cpus: os.cpus().length,
    },
    plan: {
      checks: 0,
      untestedChecks: 0,
      purchasesMax: 0,
      windowSecondsLongest: 0,
      permission: { purchases: false, load: false, reason: 'nothing was asked for' },
    },
    ...NO_RESULTS,
  }
}

/** Of a run that judged nothing. */
export const NO_RESULTS = {
  requirements: [],
  checks: [],
  exchanges: [],
  observations: [],
  load: [],
  quota: [],
  windows: [],
}
