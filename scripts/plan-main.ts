/** `npm run plan`: what a run would send, buy and take. The options are those of the run. */
import { COST_BUDGETS, SELECTABLE_CHECKS } from '../conformance/selectable.ts'
import { runConformance } from '../conformance/start.ts'
import { REQUIREMENTS } from '../contract/requirements/index.ts'
import { argumentsBut, readPage } from '../harness/command-line.ts'
import { usageError } from '../harness/errors.ts'
import { parseRunOptions, type RunOptions } from '../harness/gate/options.ts'
import { PLANNED, RUN_PAGE } from '../harness/gate/pages.ts'
import { printPlan } from '../harness/gate/print-plan.ts'
import type { GateStreams } from '../harness/gate/supervise.ts'
import { HARNESS_VERSION, listing, SCENARIOS, showOrigins } from './main.ts'

/** Commands that can be planned. */
const COMMANDS = ['gate', 'conformance', 'load'] as const satisfies readonly RunOptions['command'][]

/** Prints the plan of what a command line asks for. */
export async function plan(argv: readonly string[], streams: GateStreams): Promise<void> {
  const page = { ...RUN_PAGE, groups: [...RUN_PAGE.groups, PLANNED] } as const
  const { values, tokens } = readPage(page, argv)
  const command = commandOf(values.for)
  const options = parseRunOptions(command, argumentsBut(tokens, PLANNED.options))
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
  await printPlan(options, parts, streams, options.json ? 'json' : 'text')
}

function commandOf(text: string): RunOptions['command'] {
  const command = COMMANDS.find((each) => each === text)
  if (command) return command
  throw usageError(`--for was "${text}"`, `Choose from ${COMMANDS.join(', ')}.`)
}
