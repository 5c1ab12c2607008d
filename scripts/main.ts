/** What the commands that run checks share: composes the parts, prints help, turns errors into exit codes. */
import packageJson from '../package.json' with { type: 'json' }
import { COST_BUDGETS, SELECTABLE_CHECKS } from '../conformance/selectable.ts'
import { runConformance } from '../conformance/start.ts'
import { REQUIREMENTS } from '../contract/requirements/index.ts'
import { asHarnessError } from '../harness/errors.ts'
import type { ConformanceRunner, Selectable } from '../harness/gate/conformance.ts'
import { runGate } from '../harness/gate/gate.ts'
import type { GateParts } from '../harness/gate/parts.ts'
import { judgePreparedRun } from '../harness/gate/judge-prepared.ts'
import { openTarget } from '../harness/gate/open-target.ts'
import { parseRunOptions, type RunOptions } from '../harness/gate/options.ts'
import { prepareRun, type PrepareRunOptions } from '../harness/gate/prepare.ts'
import { recordRefusal } from '../harness/gate/refusal.ts'
import type { GateStreams } from '../harness/gate/supervise.ts'
import { LOAD_SCENARIOS, type LoadScenario } from '../harness/load/shared/scenarios.ts'
import { describeOrigins } from '../harness/target-file/describe.ts'
import { ignoreLostReader, report } from './ending.ts'

export const HARNESS_VERSION = packageJson.version

export const SCENARIOS: readonly Selectable[] = (LOAD_SCENARIOS as readonly LoadScenario[]).map(
  ({ name, summary, requirements, loadOnly = false }) => ({
    id: name,
    title: summary,
    requirements,
    loadOnly,
  }),
)

/** Runs one command to its end and sets the exit code of the process. */
export async function main(command: RunOptions['command']): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreLostReader)
  try {
    process.exitCode = await run(parseRunOptions(command, process.argv.slice(2)))
  } catch (cause) {
    process.exitCode = report(cause)
    await recordRefusal({
      command,
      error: asHarnessError(cause),
      argv: process.argv.slice(2),
      env: process.env,
      harnessVersion: HARNESS_VERSION,
      out: process.stdout,
    })
  }
}

const STREAMS: GateStreams = { out: process.stdout, progress: process.stderr }

/** Carries out what a command line asks for; gives the exit code. Another host of the checks and other streams are for tests. */
export async function run(
  options: RunOptions,
  streams: GateStreams = STREAMS,
  conformance: ConformanceRunner = runConformance,
): Promise<number> {
  if (options.list) return print(listing(options))
  if (options.showOrigins) return showOrigins(options)
  const parts: GateParts = {
    catalogue: REQUIREMENTS,
    checks: options.command === 'load' ? [] : SELECTABLE_CHECKS,
    scenarios: SCENARIOS,
    costBudgets: COST_BUDGETS,
    conformance,
    harnessVersion: HARNESS_VERSION,
  }
  const { prepareDir, judgeDir } = options
  if (prepareDir !== undefined) return prepare({ ...options, prepareDir }, parts, streams)
  if (judgeDir !== undefined) return judgePreparedRun({ ...options, judgeDir }, parts, streams)
  return runGate(options, parts, streams)
}

async function prepare(
  options: PrepareRunOptions,
  parts: GateParts,
  { out, progress }: GateStreams,
): Promise<number> {
  const { scenarios } = await prepareRun(options, parts, (text) => progress.write(`${text}\n`))
  const names = scenarios.map(({ name }) => name).join(', ')
  out.write(`Prepared ${names}. How to carry it out: ${options.prepareDir}/README.md\n`)
  return 0
}

export async function showOrigins(options: RunOptions): Promise<number> {
  await using opened = await openTarget(options, process.env, () => {})
  return print(describeOrigins(opened.target))
}

export function listing({ command, load }: RunOptions): string {
  const entries = [...(command === 'load' ? [] : SELECTABLE_CHECKS), ...(load ? SCENARIOS : [])]
  return entries
    .map(({ id, title, requirements }) => `${id}\n    ${title}\n    ${requirements.join(' ')}`)
    .join('\n')
}

function print(text: string): number {
  console.log(text)
  return 0
}
