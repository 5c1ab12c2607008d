/** `npm run plan`: what a run would send, buy and take. The options are those of the run. */
import { COST_BUDGETS, SELECTABLE_CHECKS } from '../conformance/selectable.ts'
import { runConformance } from '../conformance/start.ts'
import { REQUIREMENTS } from '../contract/requirements/index.ts'
import { usageError } from '../harness/errors.ts'
import { parseRunOptions, type RunOptions } from '../harness/gate/options.ts'
import { printPlan } from '../harness/gate/print-plan.ts'
import type { GateStreams } from '../harness/gate/supervise.ts'
import { report } from './ending.ts'
import { HARNESS_VERSION, listing, SCENARIOS, showOrigins } from './main.ts'

/** Commands that can be planned. */
const COMMANDS = ['gate', 'conformance', 'load'] as const satisfies readonly RunOptions['command'][]

/** Prints the plan and sets the exit code of the process: 0 where it fits. */
export async function planMain(): Promise<void> {
  try {
    await plan(process.argv.slice(2), { out: process.stdout, progress: process.stderr })
  } catch (cause) {
    process.exitCode = report(cause)
  }
}

/** Prints the plan of what a command line asks for. */
export async function plan(argv: readonly string[], streams: GateStreams): Promise<void> {
  const { command, format, rest } = ownOptions(argv)
  const options = parseRunOptions(command, rest)
  if (options.list) {
    console.log(listing(options))
    return
  }
  if (options.showOrigins) {
    await showOrigins(options)
    return
  }
  const parts = {
    catalogue: REQUIREMENTS,
    checks: command === 'load' ? [] : SELECTABLE_CHECKS,
    scenarios: SCENARIOS,
    costBudgets: COST_BUDGETS,
    conformance: runConformance,
    harnessVersion: HARNESS_VERSION,
  }
  await printPlan(options, parts, streams, format)
}

type Own = {
  readonly command: RunOptions['command']
  readonly format: 'text' | 'json'
  /** What the planned command understands. */
  readonly rest: readonly string[]
}

/** The options that only the plan has are taken out; all others are the run's. */
function ownOptions(argv: readonly string[]): Own {
  const at = argv.findIndex((word) => word === '--for' || word.startsWith('--for='))
  const [, inline] = argv[at]?.split('=') ?? []
  const taken = at < 0 ? [] : [at, ...(inline === undefined ? [at + 1] : [])]
  return {
    command: at < 0 ? 'gate' : commandOf(inline ?? argv[at + 1]),
    format: argv.includes('--json') ? 'json' : 'text',
    rest: argv.filter((word, index) => !taken.includes(index) && word !== '--json'),
  }
}

function commandOf(text: string | undefined): RunOptions['command'] {
  const command = COMMANDS.find((each) => each === text)
  if (command) return command
  throw usageError(
    `--for was ${text === undefined ? 'given without a command' : `"${text}"`}`,
    `Choose from ${COMMANDS.join(', ')}.`,
  )
}
