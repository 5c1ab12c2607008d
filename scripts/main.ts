/** What the commands that run checks share: composes the parts, prints help, turns errors into exit codes. */
import { inspect } from 'node:util'
import packageJson from '../package.json' with { type: 'json' }
import { COST_BUDGETS, SELECTABLE_CHECKS } from '../conformance/selectable.ts'
import { runConformance } from '../conformance/start.ts'
import { REQUIREMENTS } from '../contract/requirements/index.ts'
import { asHarnessError } from '../harness/errors.ts'
import type { ConformanceRunner, Selectable } from '../harness/gate/conformance.ts'
import { runGate, type GateParts } from '../harness/gate/gate.ts'
import { judgePreparedRun } from '../harness/gate/judge-prepared.ts'
import { openTarget } from '../harness/gate/open-target.ts'
import { parseRunOptions, type RunOptions } from '../harness/gate/options.ts'
import { prepareRun, type PrepareRunOptions } from '../harness/gate/prepare.ts'
import type { GateStreams } from '../harness/gate/supervise.ts'
import { LOAD_SCENARIOS, type LoadScenario } from '../harness/load/scenarios.ts'
import { describeOrigins } from '../harness/target/describe.ts'
import { helpOf } from './help.ts'

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
  process.on('uncaughtException', endUnforeseen)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreLostReader)
  try {
    process.exitCode = await run(parseRunOptions(command, process.argv.slice(2)))
  } catch (cause) {
    process.exitCode = report(cause)
  }
}

const STREAMS: GateStreams = { out: process.stdout, progress: process.stderr }

/** Carries out what a command line asks for; gives the exit code. Another host of the checks and other streams are for tests. */
export async function run(
  options: RunOptions,
  streams: GateStreams = STREAMS,
  conformance: ConformanceRunner = runConformance,
): Promise<number> {
  if (options.help) return print(helpOf(options.command))
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

/** Node's own exit code for an uncaught error is 1, which here would say that the target failed. */
export function endUnforeseen(cause: unknown): never {
  process.exit(report(cause))
}

/** Whoever read us went away, or its disk is full. */
const LOST_READER: readonly unknown[] = ['EPIPE', 'ENOSPC', 'EDQUOT']

/** `npm run gate | head`: nobody reads us any more. The record and the exit code still tell everything. */
export function ignoreLostReader(cause: NodeJS.ErrnoException): void {
  if (!LOST_READER.includes(cause.code)) throw cause
}

/** Exit 2: nothing was sent. Everything unforeseen is a fault of the harness. */
export function report(cause: unknown): number {
  const { text, exitCode } = told(cause)
  console.error(text)
  return exitCode
}

/** What an error says on the terminal, and the exit code that it leads to. */
export function told(cause: unknown): { readonly text: string; readonly exitCode: number } {
  const error = asHarnessError(cause)
  const { code, message, nextStep, exitCode } = error
  if (code !== 'E_HARNESS' || error === cause)
    return { text: `${code}: ${message}\n${nextStep} Exit ${exitCode}.`, exitCode }
  const text = `${inspect(cause)}\nE_HARNESS: this is a fault of the harness; the verdict on the target is open. Exit 4.`
  return { text, exitCode }
}
