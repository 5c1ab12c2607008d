/** `npm run plan`: what a run would send, buy and take. The options are those of the gate. */
import { COST_BUDGETS, SELECTABLE_CHECKS } from '../conformance/selectable.ts'
import { runConformance } from '../conformance/start.ts'
import { REQUIREMENTS } from '../contract/requirements/index.ts'
import { parseRunOptions } from '../harness/gate/options.ts'
import { printPlan } from '../harness/plan/command.ts'
import { helpOf } from './help.ts'
import { HARNESS_VERSION, listing, report, SCENARIOS, showOrigins } from './main.ts'

const JSON_FLAG = '--json'

/** Prints the plan and sets the exit code of the process: 0 where it fits. */
export async function planMain(): Promise<void> {
  const argv = process.argv.slice(2)
  try {
    const options = parseRunOptions(
      'gate',
      argv.filter((word) => word !== JSON_FLAG),
    )
    if (options.help || options.list) {
      console.log(options.help ? helpOf('plan') : listing(options))
      return
    }
    if (options.showOrigins) {
      await showOrigins(options)
      return
    }
    const parts = {
      catalogue: REQUIREMENTS,
      checks: SELECTABLE_CHECKS,
      scenarios: SCENARIOS,
      costBudgets: COST_BUDGETS,
      conformance: runConformance,
      harnessVersion: HARNESS_VERSION,
    }
    const streams = { out: process.stdout, progress: process.stderr }
    await printPlan(options, parts, streams, argv.includes(JSON_FLAG) ? 'json' : 'text')
  } catch (cause) {
    process.exitCode = report(cause)
  }
}
