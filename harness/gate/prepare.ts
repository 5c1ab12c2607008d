import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PLAN_ENV } from '../../load/protocol/plan.ts'
import { HarnessError, usageError } from '../errors.ts'
import { sumOfBudgets } from '../load/shared/budget.ts'
import { writePrepared } from '../load/prepared/prepared.ts'
import type { Prepared } from '../load/prepared/types.ts'
import type { PricedScenario } from '../load/attempts.ts'
import type { PlannedAttempt } from '../load/planned-attempt.ts'
import { Redactor } from '../record/redact.ts'
import type { Target } from '../target-file/target.ts'
import { approach } from './approach.ts'
import { RunState } from './run-state.ts'
import type { GateParts } from './parts.ts'
import { prepareLoad } from './load-phase.ts'
import { openTarget } from './open-target.ts'
import type { RunOptions } from './options.ts'
import { permissionOf } from './permission.ts'
import { preflight } from './preflight.ts'
import { select } from './selection.ts'

export type PrepareRunOptions = RunOptions & { readonly prepareDir: string }

/**
 * Lays the selected load scenarios out in a directory instead of carrying them out: asks the target for its limits, leases or makes the
 * accounts, and sends nothing else. Says on `notes` what the target could not be prepared for.
 */
export async function prepareRun(
  options: PrepareRunOptions,
  parts: Pick<GateParts, 'scenarios' | 'harnessVersion'>,
  onNote: (text: string) => void,
): Promise<Prepared> {
  const selection = select([], parts.scenarios, { ...options, loadOnly: true })
  const runState = new RunState(options)
  await using opened = await openTarget(options, process.env, onNote)
  const { target } = opened
  requirePlainWay(target, options.marks)
  requireKeysFile(options, target)
  await using probing = approach(target, new Redactor(), runState)
  const { accounts } = probing
  const ready = await preflight(probing)
  const run = { options, parts: { checks: [] }, selection, runState }
  const scenarios = await prepareLoad(run, { target, accounts, ready })
  const hazards = [...opened.hazards, ...ready.hazards, ...runState.hazards]
  if (!scenarios) throw nothingToPrepare(hazards)
  requireTime(options, scenarios)
  for (const hazard of hazards) onNote(hazard)
  const { prepared, keys } = await writePrepared({
    directory: options.prepareDir,
    attempts: await attemptsOf(scenarios),
    instances: options.instances,
    harnessVersion: parts.harnessVersion,
    ...(options.keysFile === undefined ? {} : { keysFile: path.resolve(options.keysFile) }),
    facts: {
      target,
      limits: ready.limits,
      roles: accounts.roles,
      hazards,
      permission: permissionOf(target, options),
      ...(ready.clockSkewMs ? { clockSkewMs: ready.clockSkewMs } : {}),
    },
  })
  if (options.keysFile !== undefined) await writeKeys(options.keysFile, keys)
  return prepared
}

/** Who carries the run out cannot be stopped from here, so that it must fit beforehand. */
function requireTime({ secondsMax }: RunOptions, scenarios: readonly PricedScenario[]): void {
  const { wallSecondsMax } = sumOfBudgets(scenarios.map(({ budget }) => budget))
  if (secondsMax === undefined || wallSecondsMax <= secondsMax) return
  throw new HarnessError(
    'E_BUDGET',
    `the scenarios take up to ${Math.ceil(wallSecondsMax)} s, ${secondsMax} s are permitted (--max-seconds)`,
    'Raise --max-seconds, or choose fewer scenarios with --scenario.',
  )
}

async function attemptsOf(scenarios: readonly PricedScenario[]): Promise<PlannedAttempt[]> {
  const attempts: PlannedAttempt[] = []
  for (const scenario of scenarios) attempts.push(await scenario.attempt())
  return attempts
}

function nothingToPrepare(hazards: readonly string[]): HarnessError {
  return new HarnessError(
    'E_PERMISSION',
    `none of the selected load scenarios can be prepared: ${hazards.join(' ')}`,
    'Give the permission or the part of the target file that is missing, or choose others with --scenario.',
  )
}

/** Another machine has other files and other ways. */
function requirePlainWay({ network }: Target, { headers }: PrepareRunOptions['marks']): void {
  if (Object.keys(headers).length > 0)
    throw usageError(
      '--header was given together with --prepare, which writes no value that may be a secret',
      `Leave it out, and set the variable ${PLAN_ENV.headers} where k6 is started: JSON of names and values.`,
    )
  if (!network) return
  throw usageError(
    '--prepare was given together with --client-cert, --ipv4 or --ipv6, which a prepared run does not carry along',
    'Leave them out, or run the load on this machine.',
  )
}

/** Keys that are made for the run exist nowhere but here: they must be handed over somehow, and only where the caller says so. */
function requireKeysFile({ keysFile, prepareDir }: PrepareRunOptions, target: Target): void {
  if (target.kind !== 'url')
    throw usageError(
      'the service that --prepare would plan for ends with this command',
      'Start one that stays (npm run serve) and name it with --target FILE or --base-url URL.',
    )
  if (target.control && keysFile === undefined)
    throw usageError(
      `${target.name} makes fresh accounts for each run, whose keys nobody else has`,
      'Name a file for them with --keys-file FILE (it is written with mode 0600; keep it outside of the prepared directory).',
    )
  if (keysFile === undefined) return
  const below = path.relative(path.resolve(prepareDir), path.resolve(keysFile))
  if (below.startsWith('..') || path.isAbsolute(below)) return
  throw usageError(
    `--keys-file ${keysFile} lies in the prepared directory, which is meant to be copied to other machines`,
    'Name a file outside of it.',
  )
}

/** One variable for each line; a file that is there already is not touched. */
async function writeKeys(file: string, keys: Readonly<Record<string, string>>): Promise<void> {
  const text = Object.entries(keys).map(([name, secret]) => `${name}=${secret}\n`)
  try {
    await writeFile(file, text.join(''), { mode: 0o600, flag: 'wx' })
  } catch (cause) {
    throw usageError(
      `the keys could not be written to ${file}: ${(cause as Error).message}`,
      'Name a file that is not there yet, in a directory that can be written to, and prepare into a new directory.',
      { cause },
    )
  }
}
